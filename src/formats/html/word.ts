import mammoth from 'mammoth'
import { attempt } from '#platform/base/result.ts'
import { anyOf, applyEdits, groupsOf, wordSet } from '#platform/base/text.ts'
import { openXml, type XmlElement, type XmlListener } from '../xml/parse-xml.ts'
import { openZip } from '../zip/zip.ts'

/** A Word file as HTML, with its pictures, which are below `/@media/`, and what does not arrive in it. */
export type WordHtml = {
  html: string
  pictures: { name: string; bytes: Uint8Array }[]
  unread: Unread[]
  /** The names of styles without a meaning in HTML. */
  styles: string[]
}

/**
 * Reads a Word file.
 *
 * @throws {Error} if it is damaged, protected or very large; the message is a reason
 */
export async function readWord(bytes: Uint8Array): Promise<WordHtml> {
  const parts = await readParts(bytes)
  const hidden = readHidden(parts)
  const { pictures, unread: unreadPictures, convertImage } = openPictures()
  // Without a path, `mammoth` reads the parts themselves.
  const input = { path: '', file: fileOf(parts) }
  const { value, messages } = await mammoth
    .convertToHtml(input, { styleMap: [...STYLES, ...hidden.styleMap], convertImage })
    .catch((cause: unknown) => {
      throw cause instanceof RangeError ? cause : new Error('is not a Word file, or damaged', { cause })
    })
  const html = value.replace(CAPTIONED, '<figure>$1<figcaption>$2</figcaption></figure>')
  const { styles, unread } = readMessages(messages.map(({ message }) => message))
  return { html, pictures, unread: [...hidden.unread, ...unreadPictures, ...unread], styles }
}

/** Collects the pictures of a file, and the types of those that do not arrive. */
function openPictures() {
  const pictures: WordHtml['pictures'] = []
  const unread: Unread[] = []
  const convertImage = mammoth.images.imgElement(async image => {
    const format = groupsOf(PICTURE, image.contentType ?? '')[1]
    if (format === undefined) {
      unread.push({ what: 'picture', text: image.contentType ?? 'outside the file' })
      return { src: '' }
    }
    const name = `picture-${pictures.length + 1}.${format}`
    pictures.push({ name, bytes: await image.readAsBuffer() })
    return { src: `/@media/${name}` }
  })
  return { pictures, unread, convertImage }
}

/** The unknown styles that `mammoth` reports, and other parts of a file. It also reports pictures, which are known. */
function readMessages(messages: readonly string[]): Pick<WordHtml, 'styles' | 'unread'> {
  const withoutPictures = messages.filter(message => !message.startsWith('Image of type'))
  const others = withoutPictures.filter(message => !UNKNOWN_STYLE.test(message))
  return {
    styles: withoutPictures.flatMap(message => groupsOf(UNKNOWN_STYLE, message)[1] ?? []),
    unread: others.map(text => ({ what: 'part of a Word file', text })),
  }
}

/** The parts of a file as an archive that `mammoth` can read. */
function fileOf(parts: ReadonlyMap<string, Buffer>) {
  const read = async (name: string, encoding?: BufferEncoding) => {
    const part = parts.get(name) ?? Buffer.alloc(0)
    return encoding ? part.toString(encoding) : new Uint8Array(part)
  }
  return { exists: (name: string) => parts.has(name), read }
}

/** The types of pictures that browsers show, and TIFF. */
const PICTURE = /^image\/(png|jpeg|gif|webp|svg|tiff)(?:\+xml)?$/

/** A picture, and a paragraph with its caption. */
const CAPTIONED = /<p>(<img [^>]*>)<\/p><p class="caption">(.*?)<\/p>/gs

/** `Unrecognised paragraph style: 'Callout' (Style ID: Callout)`, a message of `mammoth`. */
const UNKNOWN_STYLE = /^Unrecognised (?:paragraph|run|table) style: '(.*)' \(/s

/** The styles that `mammoth` does not know itself, by name. */
const STYLES = [
  "p[style-name^='toc '] => nav > p:fresh",
  "p[style-name='Title'] => p.title:fresh",
  "p[style-name='Subtitle'] => p.subtitle:fresh",
  "p[style-name='Caption'] => p.caption:fresh",
  "p[style-name='caption'] => p.caption:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  'u => u',
  'comment-reference => sup',
]

/**
 * The text that `mammoth` passes over: name, parts of the file, and elements in them. An element ends at its first end tag.
 * The lookbehinds reject a start in an element that is already open, so that a missing end costs only one search.
 */
const UNREAD: readonly (readonly [what: string, part: RegExp, element: RegExp])[] = [
  ['page header', /^word\/header\d*\.xml$/, /.+/gs],
  ['page footer', /^word\/footer\d*\.xml$/, /.+/gs],
  ['chart or diagram', /^word\/(?:charts\/chart|diagrams\/data)\d*\.xml$/, /.+/gs],
  ['deleted text', /^word\/document\.xml$/, /<w:(del|moveFrom) (?<!<w:\1 (?:(?!<\/w:\1>).)*?<w:\1 ).*?<\/w:\1>/gs],
  [
    'field',
    /^word\/document\.xml$/,
    /<w:fldSimple (?<!<w:fldSimple (?:(?!<\/w:fldSimple>).)*?<w:fldSimple ).*?<\/w:fldSimple>/gs,
  ],
  ['formula or ruby', /^word\/document\.xml$/, /<(m:oMath|w:ruby)>(?<!<\1>(?:(?!<\/\1>).)*?<\1>).*?<\/\1>/gs],
]

/** Text that does not arrive, and whether readers of the file do not see it either. */
type Unread = { what: string; text: string; isHidden?: boolean }

/** Removes hidden text from the parts of a file; gives it with the other text that `mammoth` passes over, and headings. */
function readHidden(parts: Map<string, Buffer>): { unread: Unread[]; styleMap: string[] } {
  const styles = attempt(() => readStyles(String(parts.get('word/styles.xml')))) ?? new Map()
  const unread: Unread[] = []
  const report = (what: string, xml: string, isHidden = false) => {
    // The text of Word, of deletions, of formulas and of drawings.
    const words = xml.matchAll(/<(?:w:t|w:delText|m:t|a:t)(?: [^<>]*)?>([^<]*)</g)
    const text = Array.from(words, ([, word = '']) => word).join('')
    if (text.trim() !== '') unread.push({ what, text: text.trim(), ...(isHidden && { isHidden }) })
  }
  for (const [name, bytes] of parts) {
    const xml = String(bytes)
    for (const [what, , element] of UNREAD.filter(([, part]) => part.test(name)))
      for (const [source] of xml.matchAll(element)) report(what, source)
    if (!WITH_RUNS.test(name)) continue
    const hiddenSpans = attempt(() => hiddenRuns(xml, styles)) ?? []
    for (const { start, end } of hiddenSpans) report('hidden text', xml.slice(start, end), true)
    const visibleXml = applyEdits(
      xml,
      hiddenSpans.map(span => ({ ...span, text: '' })),
    )
    // `mammoth` reads only `w:br` as a line break.
    parts.set(name, Buffer.from(visibleXml.replaceAll('<w:cr/>', '<w:br/>')))
  }
  return { unread, styleMap: headingStyles(styles) }
}

const WITH_RUNS = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/

/** A style of a Word file: its name, the style that it is based on, whether it hides text, and its level as a heading. */
type WordStyle = { name: string; base?: string | undefined; hides?: boolean; level?: number }
type WordStyles = ReadonlyMap<string, WordStyle>

/** Reads the elements of a part. Throws if it is malformed. */
function readElements(xml: string, listener: XmlListener): void {
  const reader = openXml(listener)
  reader.write(xml)
  reader.close()
}

/** The value that most elements of Word have, as in `<w:name w:val="Quote"/>`. */
function settingOf({ attributes }: XmlElement): string {
  return attributes.get('w:val') ?? ''
}

/** Whether a value switches a property on. */
function isOn(value: string): boolean {
  return !OFF.has(value)
}

const OFF = wordSet('0 false off')

/** The elements of a part that hide text. */
const HIDING = wordSet('w:vanish w:specVanish')

const hidesOf = (value: string) => ({ hides: isOn(value) })
/** The elements that say something of a style, by their value. */
const STYLE_FACTS = new Map<string, (value: string) => Partial<WordStyle>>([
  ['w:name', name => ({ name })],
  ['w:basedOn', base => ({ base })],
  ['w:outlineLvl', value => ({ level: Number(value) + 1 })],
  ...Array.from(HIDING, name => [name, hidesOf] as const),
])

/** The styles of a file by id. */
function readStyles(xml: string): WordStyles {
  const styles = new Map<string, WordStyle>()
  let style: WordStyle = { name: '' }
  const open = (element: XmlElement) => {
    if (element.name === 'w:style') {
      style = { name: '' }
      styles.set(element.attributes.get('w:styleId') ?? '', style)
    }
    Object.assign(style, STYLE_FACTS.get(element.name)?.(settingOf(element)))
  }
  readElements(xml, { open })
  return styles
}

/** A value of a style, or of the nearest one that it is based on. */
function inherit<Value>(
  styles: WordStyles,
  id: string,
  of: (style: WordStyle) => Value | undefined,
): Value | undefined {
  let style = styles.get(id)
  for (let depth = 0; style && depth < MAX_BASES; depth++) {
    const value = of(style)
    if (value !== undefined) return value
    style = styles.get(style.base ?? '')
  }
  return undefined
}

/** Styles may be based on each other in a circle. */
const MAX_BASES = 20

/**
 * The styles that make headings by their level, their name, or the style that they are based on, as rows for `mammoth`:
 * `p[style-name='Chapter'] => h1:fresh`. It knows `Heading 1` and `Title` itself.
 */
function headingStyles(styles: WordStyles): string[] {
  const levelOf = ({ name, level }: WordStyle) => level ?? (Number(groupsOf(HEADING, name)[1]) || undefined)
  return [...styles].flatMap(([id, { name }]) => {
    const level = inherit(styles, id, levelOf)
    const isUnknown = level !== undefined && level <= 6 && !/^(?:heading \d|title)$/i.test(name)
    return isUnknown ? [`p[style-name='${name.replace(/['\\]/g, '\\$&')}'] => h${level}:fresh`] : []
  })
}

/** A heading in other languages, as some programs write it. */
const HEADINGS = 'heading Überschrift Titre Título Titolo Kop Rubrik Nagłówek Заголовок 見出し'.split(' ')
const HEADING = new RegExp(`^${anyOf(HEADINGS)} ([1-6])$`, 'i')

/**
 * The offsets of the runs in a part that Word neither shows nor prints. A run is text with one format in a paragraph.
 */
function hiddenRuns(xml: string, styles: WordStyles): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  /** The open paragraphs and runs, with the id of their style, and what they say themselves about hiding. */
  const holders: { style: string; hides?: boolean }[] = []
  const styleHides = ({ style }: { style: string }) => inherit(styles, style, each => each.hides)
  const open = (element: XmlElement) => {
    const inner = holders.at(-1)
    if (HOLDERS.has(element.name)) holders.push({ style: '' })
    else if (inner && STYLING.has(element.name)) inner.style = settingOf(element)
    else if (inner && HIDING.has(element.name)) inner.hides = isOn(settingOf(element))
  }
  const close = ({ name, start }: XmlElement, end: number) => {
    const closed = HOLDERS.has(name) ? holders.pop() : undefined
    const paragraph = holders.at(-1)
    if (name !== 'w:r' || !closed || !paragraph) return
    const isHidden = closed.hides ?? styleHides(closed) ?? styleHides(paragraph)
    if (!isHidden) return
    // Runs inside of this one, as in a text box.
    while ((spans.at(-1)?.start ?? -1) > start) spans.pop()
    spans.push({ start, end })
  }
  readElements(xml, { open, close })
  return spans
}

const HOLDERS = wordSet('w:p w:r')
const STYLING = wordSet('w:pStyle w:rStyle')

/** Unpacks every part, with limits. */
async function readParts(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>()
  const zip = await openZip(bytes).catch((error: unknown) => {
    throw new Error('is not a Word file, or protected with a password', { cause: error })
  })
  if (zip.count > MAX_PARTS) throw new Error(`has more than ${MAX_PARTS} parts`)
  let size = 0
  for await (const part of zip.parts()) {
    size += part.size
    if (size > MAX_BYTES) throw new Error('unpacks to too many bytes to read')
    parts.set(part.name, await part.read())
  }
  return parts
}

const MAX_PARTS = 5000
const MAX_BYTES = 100 << 20
