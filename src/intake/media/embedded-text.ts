import { firstLine } from '#platform/base/text.ts'

/** The first description in a picture that no program wrote; undefined if there is none. */
export function pictureDescription(...texts: unknown[]): string | undefined {
  return texts
    .map(text => embeddedDescription(text))
    .find(text => text !== undefined && !PROGRAM_TEXTS.some(pattern => pattern.test(text)))
}

const VERBS = 'created|generated|exported|produced|converted|rendered|saved|processed|made|powered|file written'
const PROGRAMS = 'Adobe|Illustrator|Photoshop|Sketch|Figma|Inkscape|Corel ?Dw+|Affinity|GIMP|Canva|Boxy SVG|FontForge'
/** A program or anything with a version, and the end or a remark: other words belong to the sentence of a person. */
const PROGRAM = String.raw`(?:(?:${PROGRAMS})(?: [A-Z\d][^\s,]*){0,3}|\S+(?: [A-Z]\S*){0,2} v?\d+\.\d[\w.-]*)(?:$|[.!,;]| \(| (?:on|at) )`

/** Texts that cameras, drawing programs and converters write as the description of a picture. */
const PROGRAM_TEXTS: readonly RegExp[] = [
  /^(?!(?:the|an?|my|our)\b)(?:(?:\w+ ){0,3}digital (?:\w+ )?camera|\w+ (?:dsc|camera pictures)|exif[ _]jpeg[ _]picture|default|jpeg|<.*>)$/i,
  /^(?:canon|nikon|sony|olympus|panasonic|fujifilm|pentax|leica|casio|kodak|samsung|dji|gopro)(?: [a-z]+)?[ -](?=\w*\d)\w+$/i,
  /^(?:_?cuva|bsh|dav|sdr|rbtf?|mde|hdr|cof|edf|ptr|smart|hellomoto|my beautiful picture|dcim\b.*|maker:.*|applemark)$/i,
  new RegExp(
    `^(?i:(?:${VERBS}) (?:with|using|by|in|from)|erstellt mit|créé avec|cread[oa] con|creato con|criado com|gemaakt met)(?: the)? ${PROGRAM}`,
  ),
  new RegExp(`^(?i:(?:${VERBS}) (?:with|using)(?: the)?) (?!Love)[A-Z]\\S*(?: [A-Z\\d]\\S*){0,2}$`),
  new RegExp(
    `^(?i:generator|creator|software)\\s*[:=] ?.|^(?i:generator|software)? ?(?:${PROGRAMS})(?: [A-Z]\\w*)?(?: C[CS]| X)? v?\\d[\\w.]*(?:$|[,;(]| \\()`,
  ),
  /^microsoft \w+ - ./i,
  /^[\w-]+(?: ?\/ ?[\w-]+){2,}$/,
  new RegExp(
    `^(?:${[
      'artboard|frame|group|layer|page|slide|slice|path|shape|combined shape|vector|rectangle|ellipse|oval|mask|symbol',
      'component|image|img|picture|photo|bitmap|drawing|graphic|asset|fill|stroke|union|svg|desktop|untitled|unnamed',
      'new (?:document|project|file)|no title|zeichenfläche|ebene|gruppe|unbenannt|calque|groupe|plan de travail|sans titre',
      'mesa de trabajo|capa|grupo|sin título|untitled design|アートボード|レイヤー|グループ|名称未設定|画板|图层|未命名',
    ].join('|')})(?:[\\s_-]*(?:\\(?\\d+(?!\\d)\\)?|copy|kopie|copie))*(?:@\\d+(?:\\.\\d+)?x)?$`,
    'i',
  ),
  /^(?:img|_?dsc[fn]?|dji|gopr|pxl|mvimg|screen ?shot|bildschirmfoto|whatsapp image)[ _-]?\d(?:[\s\d_.:()-]|at|um|[ap]m|copy|edit(?:ed)?|mp|hdr|[a-z](?![a-z]))*$/i,
  /^[\w\-.@()+ ]{1,100}\.(?:svgz?|png|jpe?g|gif|webp|avif|ai|eps|pdf|psd|sketch|fig|tiff?|hei[cf]|bmp|indd|cdr|xd|af\w+)$/i,
]

/** The first non-empty string, shortened to the length of a description. It comes from a picture or a page. */
export function embeddedDescription(...texts: unknown[]): string | undefined {
  return firstLine(texts, 1000)
}

/** The first non-empty string, shortened to the length of a name. The limits are the same as for written values. */
export function embeddedName(...texts: unknown[]): string | undefined {
  return firstLine(texts, 200)
}
