import { inflateRawSync } from 'node:zlib'
import mammoth from 'mammoth'
import { fromBufferPromise, getFileNameLowLevel } from 'yauzl'
import { errorCode } from '#platform/base/error.ts'
import type { ConvertedPage, PageTask } from '../pages/page.ts'
import { convertHtml } from './html.ts'

/**
 * Converts a Word file to a page with pictures.
 *
 * @throws {Error} if it is damaged, protected or very large; the message is a reason
 */
export async function convertWord(bytes: Uint8Array, task: PageTask): Promise<ConvertedPage> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const unread = await unreadText(buffer)
  const pictures: { name: string; bytes: Uint8Array }[] = []
  const convertImage = mammoth.images.imgElement(async image => {
    const format = FORMATS.get(image.contentType)
    if (format === undefined) unread.push({ what: 'picture', text: image.contentType ?? 'outside the file' })
    if (format === undefined) return { src: '' }
    const name = `picture-${pictures.length + 1}.${format}`
    pictures.push({ name, bytes: await image.readAsBuffer() })
    return { src: `/@media/${name}` }
  })
  const { value, messages } = await mammoth
    .convertToHtml({ buffer }, { styleMap: STYLES, convertImage })
    .catch((cause: unknown) => {
      throw cause instanceof RangeError ? cause : new Error('is not a Word file, or damaged', { cause })
    })
  const page = convertHtml(value.replace(CAPTIONED, '<figure>$1<figcaption>$2</figcaption></figure>'), task, pictures)
  const place = { path: task.shownPath, line: 1 }
  for (const { what, text } of unread) page.notes.lost.push({ ...place, what, text })
  for (const { message } of messages.filter(each => !each.message.startsWith('Image of type'))) {
    const style = /^Unrecognised (?:paragraph|run|table) style: '(.*)' \(/s.exec(message)?.[1]
    if (style === undefined) page.notes.lost.push({ ...place, what: 'part of a Word file', text: message })
    else page.notes.converted.push({ ...place, what: `style ${style}`, became: 'text without a style' })
  }
  return page
}

const FORMATS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['image/tiff', 'tif'],
])

/** A picture, and a paragraph with its caption. */
const CAPTIONED = /<p>(<img [^>]*>)<\/p><p class="caption">(.*?)<\/p>/gs

/** The names of headings in other languages, as some programs write them. */
const HEADINGS = ['Überschrift', 'Titre', 'Título', 'Titolo', 'Kop', 'Rubrik', 'Nagłówek', 'Заголовок', '見出し']

/** The styles that `mammoth` does not know itself, by name. */
const STYLES = [
  ...HEADINGS.flatMap(name => [1, 2, 3, 4, 5, 6].map(level => `p[style-name='${name} ${level}'] => h${level}:fresh`)),
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

/** The text that `mammoth` passes over: name, parts of the file, and elements in them. */
const UNREAD: readonly (readonly [what: string, part: RegExp, element: RegExp])[] = [
  ['page header', /^word\/header\d*\.xml$/, /.+/gs],
  ['page footer', /^word\/footer\d*\.xml$/, /.+/gs],
  ['chart or diagram', /^word\/(?:charts\/chart|diagrams\/data)\d*\.xml$/, /.+/gs],
  ['deleted text', /^word\/document\.xml$/, /<w:(del|moveFrom) .*?<\/w:\1>/gs],
  ['field', /^word\/document\.xml$/, /<w:fldSimple .*?<\/w:fldSimple>/gs],
  ['formula or ruby', /^word\/document\.xml$/, /<(m:oMath|w:ruby)>.*?<\/\1>/gs],
]

/** Finds the text that `mammoth` passes over. Unpacks every part first, because `mammoth` does it without limits. */
async function unreadText(buffer: Buffer): Promise<{ what: string; text: string }[]> {
  const found: { what: string; text: string }[] = []
  let left = MAX_BYTES
  const zip = await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false }).catch((error: unknown) => {
    throw new Error('is not a Word file, or protected with a password', { cause: error })
  })
  if (zip.entryCount > MAX_PARTS) throw new Error(`has more than ${MAX_PARTS} parts`)
  for await (const entry of zip.eachEntry()) {
    const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    const header = entry.relativeOffsetOfLocalHeader
    const start = header + 30 + buffer.readUInt16LE(header + 26) + buffer.readUInt16LE(header + 28)
    const packed = buffer.subarray(start, start + entry.compressedSize)
    const bytes = entry.compressionMethod === 0 ? packed : unpack(packed, left)
    left -= bytes.length
    for (const [what, , element] of UNREAD.filter(([, part]) => part.test(name)))
      for (const [source] of bytes.toString().matchAll(element)) {
        const words = source.matchAll(/<(?:w:t|w:delText|m:t|a:t)(?: [^>]*)?>([^<]*)</g)
        const text = Array.from(words, ([, word = '']) => word)
          .join('')
          .trim()
        if (text !== '') found.push({ what, text })
      }
  }
  return found
}

function unpack(packed: Uint8Array, left: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? new Error('unpacks to too many bytes to read') : error
  }
}

const MAX_PARTS = 5000
const MAX_BYTES = 100 << 20
