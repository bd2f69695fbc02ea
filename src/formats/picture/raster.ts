import { isUtf8 } from 'node:buffer'
import exifr from 'exifr'
import { disableTypes, imageSize } from 'image-size'
import { field } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { wordSet } from '#platform/base/text.ts'
import { openXml } from '../xml/parse-xml.ts'
import { isAnimated } from './animation.ts'
import { exifBlocks, exifEntries, exifNumber, firstDirectory } from './exif.ts'
import { locationPatches } from './location.ts'

/** A bitmap: its size as browsers show it, and the texts in its metadata that may describe it, the best first. */
export type Raster = { width: number; height: number; texts: unknown[]; hasLocation: boolean; isAnimated: boolean }

/** Reads a bitmap from the first bytes of its file; undefined if they do not have its size. */
export async function readRaster(bytes: Buffer, contentType: string): Promise<Raster | undefined> {
  const size = sizeOf(bytes, contentType)
  if (!size) return undefined
  const { orientation = 1, title } = readExif(bytes)
  const caption = await iptcCaption(bytes, contentType)
  const isRotated = ROTATED_BY_EXIF.has(contentType) && orientation >= 5 && orientation <= 8
  return {
    ...(isRotated ? { width: size.height, height: size.width } : size),
    texts: [xmpDescription(bytes), caption, title, pngText(bytes, contentType)],
    hasLocation: locationPatches(bytes).length > 0,
    isAnimated: isAnimated(bytes, contentType),
  }
}

/** The size of a bitmap as it is stored, and its format, such as `png`. Throws if it is damaged. */
export function storedSize(bytes: Uint8Array): { width: number; height: number; format: string } {
  const { width, height, type = '' } = imageSize(bytes)
  return { width, height, format: type }
}

/** The types whose EXIF orientation browsers apply. They ignore it in WebP; AVIF and HEIC have `irot`. */
const ROTATED_BY_EXIF: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/tiff'])

// SVG is read elsewhere, and its signature may occur in any other picture.
disableTypes(['svg'])

function sizeOf(bytes: Buffer, contentType: string): { width: number; height: number } | undefined {
  // It throws if the bytes are not a picture or are incomplete.
  const { width, height } = attempt(() => (HEIF.has(contentType) ? heifSize(bytes) : imageSize(bytes))) ?? {}
  return isLength(width) && isLength(height) ? { width, height } : undefined
}

const HEIF = wordSet('image/avif image/heic image/heif image/heic-sequence image/heif-sequence')

/** No format allows more than PNG: 2^31 - 1 (§7.1). */
function isLength(value = 0): value is number {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31
}

async function iptcCaption(bytes: Buffer, contentType: string): Promise<string | undefined> {
  // It throws for damaged metadata, although the picture may be intact.
  const tags: unknown = WITH_IPTC.has(contentType) && (await exifr.parse(bytes, EXIFR_OPTIONS).catch(() => undefined))
  const latin1 = field(field(tags, 'iptc'), 'Caption')
  return typeof latin1 === 'string' ? decode(Buffer.from(latin1, 'latin1')) : undefined
}

const WITH_IPTC = wordSet('image/jpeg image/tiff')
const EXIFR_OPTIONS = {
  ifd0: { pick: ['Orientation'] },
  ifd1: false,
  exif: false,
  gps: false,
  iptc: true,
  mergeOutput: false,
}

/** The orientation and description in the first directory of the first EXIF block. */
function readExif(file: Buffer): { orientation?: number; title?: string } {
  const tags: { orientation?: number; title?: string } = {}
  const [bytes = Buffer.alloc(0)] = exifBlocks(file)
  for (const { at, tag, type, count } of exifEntries(bytes, firstDirectory(bytes))) {
    if (tag === ORIENTATION) tags.orientation = exifNumber(bytes, at + 8, type === LONG ? 4 : 2)
    if (tag !== IMAGE_DESCRIPTION) continue
    // A value of at most four bytes is in the entry itself.
    const place = count > 4 ? exifNumber(bytes, at + 8, 4) : at + 8
    const end = bytes.subarray(0, place + count).indexOf(0, place)
    tags.title = decode(bytes.subarray(place, end < 0 ? place + count : end))
  }
  return tags
}

/** Tags, and the type of a number of four bytes (TIFF 6.0 §2, §8). */
const [ORIENTATION, IMAGE_DESCRIPTION, LONG] = [0x112, 0x10e, 4]

/** The description of a PNG: a chunk with its length, name and keyword (PNG §5.3), found by scanning the bytes. */
function pngText(bytes: Buffer, contentType: string): string | undefined {
  const start = PNG.has(contentType) ? bytes.toString('latin1').search(PNG_DESCRIPTION) : -1
  if (start < 0) return undefined
  const afterKeyword = start + 'tEXtDescription\0'.length
  const text = bytes.subarray(afterKeyword, start + 4 + bytes.readUInt32BE(start - 4))
  const isTextChunk = bytes.toString('latin1', start, start + 1) === 't'
  if (isTextChunk) return decode(text)
  // Two bytes say that it is not compressed; a language and a translated keyword follow, each with a zero at its end.
  const languageEnd = text.indexOf(0, 2)
  return text.toString('utf8', text.indexOf(0, languageEnd + 1) + 1)
}

const PNG = wordSet('image/png image/apng')
const PNG_DESCRIPTION = /tEXtDescription\0|iTXtDescription\0\0/

/** IPTC and PNG specify Latin-1 and EXIF ASCII, but programs write UTF-8 or Windows-1252. */
function decode(bytes: Buffer): string {
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

/**
 * The description in the XMP packet of a picture: the IPTC alt text, else the Dublin Core description, preferably in
 * English. The packet is found by scanning the bytes (XMP Part 1, packet wrapper), which works for all formats that do
 * not compress it.
 */
function xmpDescription(bytes: Buffer): string | undefined {
  const start = bytes.indexOf('<x:xmpmeta')
  const end = bytes.indexOf(END, start)
  if (start < 0 || end < 0 || end - start > MAX_PACKET) return undefined
  const texts = propertiesOf(bytes.toString('utf8', start, end + END.length))
  const [best] = texts.filter(({ value }) => value.trim() !== '').sort((a, b) => rankOf(a) - rankOf(b))
  return best?.value
}

/** The rank of a text by its property and its language, such as `en-GB` or `x-default`; lower is better. */
function rankOf({ property, language }: Text): number {
  const [primary = ''] = language.toLowerCase().split('-')
  return 10 * PROPERTIES.indexOf(property) - ['x', 'en'].indexOf(primary)
}

const END = '</x:xmpmeta>'
const MAX_PACKET = 1024 * 1024
const PROPERTIES = ['Iptc4xmpCore:AltTextAccessibility', 'dc:description'] as const

type Property = (typeof PROPERTIES)[number]
type Text = { property: Property; language: string; value: string }

/** The values of `PROPERTIES`: attributes of rdf:Description, or elements with one rdf:li per language. */
function propertiesOf(xml: string): Text[] {
  const texts: Text[] = []
  /** The property whose element is open, and the text that is being read; null outside of one. */
  let property: Property | null = null
  let current: Text | null = null
  const reader = openXml({
    problem: () => {}, // The rest can still be read after a stray character.
    open: ({ name, attributes }) => {
      texts.push(...PROPERTIES.map(key => ({ property: key, language: '', value: attributes.get(key) ?? '' })))
      property = PROPERTIES.find(key => key === name) ?? property
      if (property === null || (name !== 'rdf:li' && name !== property)) return
      current = { property, language: attributes.get('xml:lang') ?? '', value: '' }
      texts.push(current)
    },
    close: ({ name }) => {
      if (name === property) property = null
      if (property === null || name === 'rdf:li') current = null
    },
    text: ({ value }) => {
      if (current !== null) current.value += value
    },
  })
  reader.write(xml)
  return texts
}

/**
 * The displayed size of the primary picture of a HEIC or AVIF file: cropped (`clap`) and rotated (`irot`), ISO/IEC
 * 23008-12 §6.5. Throws if the bytes are not such a file. (`image-size` returns the coded size, which is padded to
 * whole blocks and not rotated.)
 */
export function heifSize(bytes: Buffer): { width: number; height: number } {
  // Four bytes of version and flags come before the boxes in `meta`.
  const meta = box(bytes, 'meta').subarray(4)
  const properties = box(meta, 'iprp')
  const item = box(meta, 'pitm')
  const primary = item.readUIntBE(4, idBytes(item))
  const indexes = associations(box(properties, 'ipma'), primary)
  const allProperties = [...boxes(box(properties, 'ipco'))]
  let width = 0
  let height = 0
  for (const { type, content } of indexes.flatMap(index => allProperties[index - 1] ?? [])) {
    if (type === 'ispe') [width, height] = [content.readUInt32BE(4), content.readUInt32BE(8)]
    if (type === 'clap') [width, height] = [fraction(content, 0), fraction(content, 8)]
    if (type === 'irot' && content.readUInt8(0) % 2 === 1) [width, height] = [height, width]
  }
  return { width, height }
}

/** ISO/IEC 14496-12 §4.2: 4 bytes of length, a type, the content. Length 1: 8 bytes of length follow. 0: to the end. */
function* boxes(bytes: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    let length = short
    if (short === 0) length = bytes.length - at
    if (short === 1) length = Number(bytes.readBigUInt64BE(at + 8))
    const head = short === 1 ? 16 : 8
    if (length < head || at + length > bytes.length) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + head, at + length) }
    at += length
  }
}

function box(bytes: Buffer, type: string): Buffer {
  for (const inner of boxes(bytes)) if (inner.type === type) return inner.content
  throw new Error(`the file has no whole ${type} box`)
}

/** The bytes of the number of an item: more since version 1 of a box. */
function idBytes(box: Buffer): number {
  return box.readUInt8(0) > 0 ? 4 : 2
}

/**
 * The 1-based indexes of the properties of an item, in the order in which they apply, without the bit for essential
 * ones.
 */
function associations(ipma: Buffer, item: number): number[] {
  const idSize = idBytes(ipma)
  const indexSize = (ipma.readUInt8(3) & 1) + 1
  const mask = 2 ** (8 * indexSize - 1) - 1
  let at = 8
  for (let entries = ipma.readUInt32BE(4); entries > 0; entries--) {
    const id = ipma.readUIntBE(at, idSize)
    const count = ipma.readUInt8(at + idSize)
    const start = at + idSize + 1
    at = start + count * indexSize
    if (id === item)
      return Array.from({ length: count }, (_, n) => ipma.readUIntBE(start + n * indexSize, indexSize) & mask)
  }
  return []
}

function fraction(bytes: Buffer, at: number): number {
  return Math.round(bytes.readUInt32BE(at) / bytes.readUInt32BE(at + 4))
}
