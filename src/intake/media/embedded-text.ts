import { anyOf, firstLine, wordsIn } from '#platform/base/text.ts'

/** The first description in a picture that no program wrote; undefined if there is none. */
export function pictureDescription(...texts: unknown[]): string | undefined {
  return texts.map(text => embeddedDescription(text)).find(text => text !== undefined && !isOfProgram(text))
}

function isOfProgram(text: string): boolean {
  return CAMERA_TEXTS.has(text.toLowerCase()) || PROGRAM_TEXTS.some(pattern => pattern.test(text))
}

/* The words in the texts of programs, for the patterns below. */

const ARTICLES = wordsIn('the, a, an, my, our')
const MAKERS = wordsIn(
  `canon, nikon, sony, olympus, panasonic, fujifilm, pentax, leica, casio, kodak, samsung, dji, gopro`,
)
/** What cameras and phones write for each picture. */
const CAMERA_TEXTS: ReadonlySet<string> = new Set(
  wordsIn(`default, jpeg, exif jpeg picture, exif jpeg_picture, exif_jpeg picture, exif_jpeg_picture, cuva, _cuva, bsh, dav,
    sdr, rbt, rbtf, mde, hdr, cof, edf, ptr, smart, hellomoto, my beautiful picture, applemark`),
)
/** The beginnings of the names that cameras and phones give files. */
const CAMERA_NAMES = wordsIn(`img, dsc, _dsc, dscn, _dscn, dscf, _dscf, dji, gopr, pxl, mvimg, screenshot, screen shot,
  bildschirmfoto, whatsapp image`)
const VERBS = wordsIn(
  'created, generated, exported, produced, converted, rendered, saved, processed, made, powered, file written',
)
const SAYINGS = wordsIn('erstellt mit, créé avec, creado con, creada con, creato con, criado com, gemaakt met')
const PROGRAMS = wordsIn(
  'Adobe, Illustrator, Photoshop, Sketch, Figma, Inkscape, Affinity, GIMP, Canva, Boxy SVG, FontForge',
)
/** The names that drawing programs give layers, frames and files. */
const OBJECTS =
  wordsIn(`artboard, frame, group, layer, page, slide, slice, path, shape, combined shape, vector, rectangle,
  ellipse, oval, mask, symbol, component, image, img, picture, photo, bitmap, drawing, graphic, asset, fill, stroke, union,
  svg, desktop, untitled, unnamed, new document, new project, new file, no title, zeichenfläche, ebene, gruppe, unbenannt,
  calque, groupe, plan de travail, sans titre, mesa de trabajo, capa, grupo, sin título, untitled design, アートボード,
  レイヤー, グループ, 名称未設定, 画板, 图层, 未命名`)
const ENDINGS =
  wordsIn(`svg, svgz, png, jpg, jpeg, gif, webp, avif, ai, eps, pdf, psd, sketch, fig, tif, tiff, heic, heif,
  bmp, indd, cdr, xd`)

const program = anyOf(PROGRAMS)
const verb = inAnyCase(VERBS)
const saying = inAnyCase(SAYINGS)
const withOrBy = inAnyCase(wordsIn('with, using, by, in, from'))
const withOrUsing = inAnyCase(wordsIn('with, using'))
const label = inAnyCase(wordsIn('generator, creator, software'))
const the = inAnyCase(['the'])

/** A group of small letters and spaces that matches capitals too, where the rest of a pattern must not. */
function inAnyCase(words: readonly string[]): string {
  return `(?:${words.join('|').replace(/\p{Ll}/gu, letter => `[${letter}${letter.toUpperCase()}]`)})`
}

/** A program or anything with a version, and the end or a remark: other words belong to the sentence of a person. */
const MADE_BY = String.raw`(?:${program}(?: [A-Z\d][^\s,]*){0,3}|\S+(?: [A-Z]\S*){0,2} v?\d+\.\d[\w.-]*)(?:$|[.!,;]| \(| (?:on|at) )`

/** Texts that cameras, drawing programs and converters write as the description of a picture. */
const PROGRAM_TEXTS: readonly RegExp[] = [
  // `OLYMPUS DIGITAL CAMERA`, `SONY DSC`
  new RegExp(
    String.raw`^(?!${anyOf(ARTICLES)}\b)(?:(?:\w+ ){0,3}digital (?:\w+ )?camera|\w+ (?:dsc|camera pictures))$`,
    'i',
  ),
  // `DCIM\100MEDIA\DJI_0001.JPG`, `<untitled>`
  /^(?:dcim\b|maker:|<.*>$)/i,
  // `Canon EOS-5D`
  new RegExp(String.raw`^${anyOf(MAKERS)}(?: [a-z]+)?[ -](?=\w*\d)\w+$`, 'i'),
  // `Created with Sketch.`, `Erstellt mit Affinity`
  new RegExp(`^(?:${verb} ${withOrBy}|${saying})(?: ${the})? ${MADE_BY}`),
  // `Made with Vectornator`
  new RegExp(String.raw`^${verb} ${withOrUsing}(?: ${the})? (?!Love)[A-Z]\S*(?: [A-Z\d]\S*){0,2}$`),
  // `Generator: Adobe Illustrator`
  new RegExp(String.raw`^${label}\s*[:=] ?.`),
  // `Adobe Photoshop 24.1`, `Sketch 52.6 (67491)`
  new RegExp(
    String.raw`^(?:${inAnyCase(wordsIn('generator, software'))} ?)?${program}(?: [A-Z]\w*)?(?: C[CS]| X)? v?\d[\w.]*(?:$|[,;(]| \()`,
  ),
  // `Microsoft Word - guide.docx`
  /^microsoft \w+ - ./i,
  // `icon / 24 / arrow-left`, the path of a layer
  /^[\w-]+(?: ?\/ ?[\w-]+){2,}$/,
  // `Artboard 1 copy 2@2x`, `Ebene-1`
  new RegExp(String.raw`^${anyOf(OBJECTS)}(?:[\s_-]*(?:\(?\d+(?!\d)\)?|copy|kopie|copie))*(?:@\d+(?:\.\d+)?x)?$`, 'i'),
  // `IMG_1234`, `Screenshot 2024-05-01 at 10.30.00`
  new RegExp(
    String.raw`^${anyOf(CAMERA_NAMES)}[ _-]?\d(?:[\s\d_.:()-]|at|um|[ap]m|copy|edit(?:ed)?|mp|hdr|[a-z](?![a-z]))*$`,
    'i',
  ),
  // `logo-final (2).ai`
  new RegExp(String.raw`^[\w\-.@()+ ]{1,100}\.(?:${anyOf(ENDINGS)}|af\w+)$`, 'i'),
]

/** The first non-empty string, shortened to the length of a description. It comes from a picture or a page. */
export function embeddedDescription(...texts: unknown[]): string | undefined {
  return firstLine(texts, 1000)
}

/** The first non-empty string, shortened to the length of a name. The limits are the same as for written values. */
export function embeddedName(...texts: unknown[]): string | undefined {
  return firstLine(texts, 200)
}
