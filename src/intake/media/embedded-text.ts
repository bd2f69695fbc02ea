import { firstLine } from '../../base/text.ts'

/** The first description in a picture that no program wrote; undefined if there is none. */
export function pictureDescription(...texts: unknown[]): string | undefined {
  return texts
    .map(text => embeddedDescription(text))
    .find(text => text !== undefined && !PROGRAM_TEXTS.some(pattern => pattern.test(text)))
}

/** Texts that cameras, drawing programs and converters write as the description of a picture. */
const PROGRAM_TEXTS: readonly RegExp[] = [
  /^(?:(?:\w+ ){0,3}digital (?:\w+ )?camera|\w+ (?:dsc|camera pictures)|exif[ _]jpeg[ _]picture|default|jpeg|<.*>)$/i,
  /^(?:canon|nikon|sony|olympus|panasonic|fujifilm|pentax|leica|casio|kodak|samsung|dji|gopro)(?: [a-z]+)?[ -]\w*\d\w*$/i,
  /^(?:_?cuva|bsh|dav|sdr|rbtf?|mde|hdr|cof|edf|ptr|smart|hellomoto|my beautiful picture|dcim\b.*|maker:.*|applemark)$/i,
  // A program follows, with a capital letter or a version, or alone: "Created with love by our makers" is a description.
  /^(?:[Cc]reated|[Gg]enerated|[Ee]xported|[Pp]roduced|[Cc]onverted|[Rr]endered|[Ss]aved|[Pp]rocessed) (?:with|using|by|in|from) (?![a-z]+ [a-z])/,
  /^(?:[Mm]ade with|[Ee]rstellt mit|[Cc]réé avec|[Cc]read[oa] con|[Cc]reato con|[Cc]riado com|[Gg]emaakt met) (?![a-z]+ [a-z])/,
  /^microsoft \w+ - ./i,
  /^[\w-]+(?: ?\/ ?[\w-]+){2,}$/,
  /^(?:generator|creator|software|file written by|powered by)\b:? ./i,
  /^(?:adobe \w+|sketch|figma|inkscape|corel\s?draw|affinity \w+|gimp|canva|boxy svg|vectornator) (?:c[cs]|x|v)? ?\d/i,
  new RegExp(
    `^(?:${[
      'artboard|frame|group|layer|page|slide|slice|path|shape|combined shape|vector|rectangle|ellipse|oval|mask|symbol',
      'component|image|img|picture|photo|bitmap|drawing|graphic|asset|fill|stroke|union|svg|desktop|untitled|unnamed',
      'new (?:document|project|file)|no title|zeichenfläche|ebene|gruppe|unbenannt|calque|groupe|plan de travail|sans titre',
      'mesa de trabajo|capa|grupo|sin título|untitled design|アートボード|レイヤー|グループ|名称未設定|画板|图层|未命名',
    ].join('|')})(?:[\\s_-]*(?:\\(?\\d+\\)?|copy|kopie|copie))*(?:@\\d+(?:\\.\\d+)?x)?$`,
    'i',
  ),
  /^(?:img|_?dsc[fn]?|dji|gopr|pxl|mvimg|screen ?shot|bildschirmfoto|whatsapp image)[ _-]?\d[\w\s.:-]*$/i,
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
