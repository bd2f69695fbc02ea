import mammoth from 'mammoth'
import { applyEdits, groupsOf, wordSet, wordsIn, wordTable } from '#platform/base/text.ts'
import type { XmlElement, XmlText } from '../xml/parse-xml.ts'
import { openZip } from '../zip/zip.ts'
import { MARKED_LISTS, openNumbers, withNumbers } from './word-numbers.ts'
import { headingLevel, readElements, readStyles, type WordStyles } from './word-styles.ts'
import { shownText } from './word-text.ts'

/** A Word file as HTML, with its pictures, which are below `/@media/`, and what does not arrive in it. */
export type WordHtml = {
  html: string
  pictures: { name: string; bytes: Uint8Array }[]
  unread: Unread[]
  /** The names of styles without a meaning in HTML. */
  styles: string[]
  /** The texts whose small letters are shown as small capitals. */
  smallCapitals: string[]
}

/**
 * Reads a Word file.
 *
 * @throws {Error} if it is damaged, protected or very large; the message is a reason
 */
export async function readWord(bytes: Uint8Array): Promise<WordHtml> {
  const parts = await readParts(bytes)
  const shown = showText(parts)
  const { pictures, unread: unreadPictures, convertImage } = openPictures()
  // Without a path, `mammoth` reads the parts themselves.
  const input = { path: '', file: fileOf(parts) }
  const { value, messages } = await mammoth
    .convertToHtml(input, { styleMap: [...STYLES, ...shown.styleMap], convertImage })
    .catch((cause: unknown) => {
      throw cause instanceof RangeError ? cause : new Error('is not a Word file, or damaged', { cause })
    })
  const html = withNumbers(value).replace(CAPTIONED, '<figure>$1<figcaption>$2</figcaption></figure>')
  const { styles, unread } = readMessages(messages.map(({ message }) => message))
  const allUnread = [...shown.unread, ...unreadPictures, ...unread]
  return { html, pictures, unread: allUnread, styles, smallCapitals: shown.smallCapitals }
}

/** Collects the pictures of a file, and the types of those that do not arrive. */
function openPictures() {
  const pictures: WordHtml['pictures'] = []
  const unread: Unread[] = []
  const convertImage = mammoth.images.imgElement(async image => {
    const { contentType = 'outside the file' } = image
    const format = contentType.replace('image/', '').replace('+xml', '')
    if (!PICTURES.has(format)) {
      unread.push({ what: 'picture', text: contentType })
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
const PICTURES = wordSet('png jpeg gif webp svg tiff')

/** A picture, and a paragraph with its caption. */
const CAPTIONED = /<p>(<img [^>]*>)<\/p><p class="caption">(.*?)<\/p>/gs

/** `Unrecognised paragraph style: 'Callout' (Style ID: Callout)`, a message of `mammoth`. */
const UNKNOWN_STYLE = /^Unrecognised \w+ style: '(.*)' \(/s

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

/** The beginnings of the names of parts that `mammoth` passes over, and of those with the text that it reads. */
const PARTS = [
  ['page header', 'word/header'],
  ['page footer', 'word/footer'],
  ['chart or diagram', 'word/charts/chart'],
  ['chart or diagram', 'word/diagrams/data'],
] as const
const WITH_RUNS = ['word/document', 'word/footnotes', 'word/endnotes']

/** The elements of the document that `mammoth` passes over. */
const ELEMENTS = wordTable([
  ['deleted text', 'w:del w:moveFrom'],
  ['field', 'w:fldSimple'],
  ['formula or ruby', 'm:oMath w:ruby'],
])

/** Text that does not arrive, and whether readers of the file do not see it either. */
type Unread = { what: string; text: string; isHidden?: boolean }

/** The parts of a file with the text that Word shows; what `mammoth` still passes over, and the styles of headings. */
function showText(parts: Map<string, Buffer>): Pick<WordHtml, 'unread' | 'smallCapitals'> & { styleMap: string[] } {
  const styles = readStyles(String(parts.get('word/styles.xml')))
  const unread: Unread[] = []
  const smallCapitals: string[] = []
  for (const [name, bytes] of parts) {
    const xml = String(bytes)
    const wholes = PARTS.filter(([, start]) => name.startsWith(start))
    unread.push(...wholes.flatMap(([what]) => textsOf(xml, ({ depth }) => (depth === 1 ? what : undefined))))
    if (!WITH_RUNS.some(start => name.startsWith(start))) continue
    unread.push(...textsOf(xml, element => ELEMENTS.get(element.name)))
    const shown = shownText(xml, styles, openNumbers(String(parts.get(NUMBERS)), styles))
    const removed = shown.edits.filter(({ text }) => text === '').map(({ start, end }) => xml.slice(start, end))
    const hidden = removed.flatMap(run => textsOf(run, () => 'hidden text'))
    unread.push(...hidden.map(row => ({ ...row, isHidden: true })))
    smallCapitals.push(...shown.smallCapitals)
    // `mammoth` reads only `w:br` as a line break.
    parts.set(name, Buffer.from(applyEdits(xml, shown.edits).replaceAll('<w:cr/>', '<w:br/>')))
  }
  parts.set(NUMBERS, Buffer.from(MARKED_LISTS))
  return { unread, smallCapitals, styleMap: headingStyles(styles) }
}

/** The texts of the outermost elements with a name for what they are. */
function textsOf(xml: string, whatOf: (element: XmlElement) => string | undefined): Unread[] {
  const found: Unread[] = []
  /** The named element that is open. */
  let holder: XmlElement | undefined
  const open = (element: XmlElement) => {
    const what = holder ? undefined : whatOf(element)
    if (what === undefined) return
    holder = element
    found.push({ what, text: '' })
  }
  const text = ({ value, element }: XmlText) => {
    const row = found.at(-1)
    if (holder && row && TEXTS.has(element.name)) row.text += value
  }
  const close = (element: XmlElement) => {
    if (element === holder) holder = undefined
  }
  readElements(xml, { open, text, close })
  return found.map(row => ({ ...row, text: row.text.trim() })).filter(row => row.text !== '')
}

/** The text of Word, of deletions, of formulas and of drawings. */
const TEXTS = wordSet('w:t w:delText m:t a:t')

const NUMBERS = 'word/numbering.xml'

/**
 * The styles that make headings, as rows for `mammoth`: `p[style-name='Chapter'] => h1:fresh`. It knows `Heading 1` and
 * `Title` itself.
 */
function headingStyles(styles: WordStyles): string[] {
  return Array.from(styles.values()).flatMap(style => {
    const { name = '' } = style
    const level = headingLevel(styles, style)
    const isUnknown = HAS_ELEMENT.has(level) && !KNOWN_STYLES.includes(name.toLowerCase())
    return isUnknown ? [`p[style-name='${name.replace(/['\\]/g, '\\$&')}'] => h${level}:fresh`] : []
  })
}

const KNOWN_STYLES = wordsIn('title, heading 1, heading 2, heading 3, heading 4, heading 5, heading 6')
const HAS_ELEMENT: ReadonlySet<number | undefined> = new Set([1, 2, 3, 4, 5, 6])

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
