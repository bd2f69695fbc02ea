import { crc32, inflateSync } from 'node:zlib'
import { attempt } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { type ExifEntry, exifBlocks, exifEntries, exifNumber, firstDirectory, isLittleEndian } from './exif.ts'

/** Bytes that replace as many of a file. */
export type Patch = { at: number; bytes: Uint8Array }

/**
 * The patches that remove from a picture where it was taken: the GPS directory of its EXIF (CIPA DC-008 §4.6.6), and the
 * properties of its XMP with GPS in their name. Length, pixels, orientation and colour profile stay. The blocks are found
 * by scanning the bytes, which works for JPEG, WebP, AVIF and HEIC alike, also for a second picture in the same file.
 */
export function locationPatches(file: Buffer): Patch[] {
  if (file.toString('latin1', 0, PNG_SIGNATURE.length) === PNG_SIGNATURE) return chunkPatches(file)
  return [...Array.from(exifBlocks(file), block => exifPatches(file, block)).flat(), ...xmpPatches(file)]
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

/** The changed chunks of a PNG with their checksums (PNG §5.3). Hidden text with a place becomes an empty comment. */
function chunkPatches(file: Buffer): Patch[] {
  const patches: Patch[] = []
  const isLast = (at: number) => file.toString('latin1', at + 4, at + 8) === 'IEND'
  for (let at = PNG_SIGNATURE.length, end = 0; at + 12 <= file.length && !isLast(at); at = end) {
    // A chunk has four bytes for the length of its data, four for its name, the data, and four for a checksum.
    end = at + 12 + file.readUInt32BE(at)
    const chunk = Buffer.from(file.subarray(at, end))
    const visible = locationPatches(chunk)
    const hidden = locationPatches(hiddenText(chunk))
    const changes = visible.length > 0 ? visible : hidden.map(() => ({ at: 4, bytes: emptyComment(chunk.length - 8) }))
    if (changes.length === 0) continue
    for (const { at: place, bytes } of changes) chunk.set(bytes, place)
    chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
    patches.push({ at, bytes: chunk })
  }
  return patches
}

/** The text of a chunk that is compressed, and the bytes that a text writes as hex, as ImageMagick does. */
function hiddenText(chunk: Buffer): Buffer {
  const [head = ''] = groupsOf(COMPRESSED, chunk.toString('latin1', 0, MAX_HEAD))
  const inflate = () => inflateSync(chunk.subarray(head.length, -4), { maxOutputLength: MAX_TEXT })
  const text = (attempt(inflate) ?? chunk).toString('latin1')
  const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\n', ''), 'hex').toString('latin1')
  return Buffer.from(
    text.replace(RAW_PROFILE, (_, hex) => bytesOf(hex)),
    'latin1',
  )
}

/** A `zTXt` chunk with its keyword, or an `iTXt` chunk with keyword, language and translated keyword (PNG §11.3.3). */
const COMPRESSED = /^[\s\S]{4}(?:zTXt[^\0]{1,79}\0\0|iTXt[^\0]{1,79}\0[^\0]\0[^\0]*\0[^\0]*\0)/
const MAX_HEAD = 1000
const MAX_TEXT = 16 << 20
/** The name of the profile, its length, and its bytes in lines of hex. */
const RAW_PROFILE = /\n\w{1,10}\n {0,20}\d{1,9}\n([\da-f\n]+)/

/** A chunk of text without its length and checksum. */
function emptyComment(length: number): Buffer {
  const comment = Buffer.alloc(length, ' ')
  comment.write('tEXtComment\0', 'latin1')
  return comment
}

/** The first directory without its GPS entries, and zeros instead of their values. */
function exifPatches(file: Buffer, block: Buffer): Patch[] {
  const start = firstDirectory(block)
  const entries = exifEntries(block, start)
  const gpsEntries = entries.filter(({ tag }) => tag === GPS)
  if (gpsEntries.length === 0) return []
  const gpsValues = gpsEntries
    .map(({ at }) => exifNumber(block, at + 8, 4))
    .filter(place => place >= HEADER_BYTES)
    .flatMap(place => exifEntries(block, place))
    .filter(({ tag }) => tag <= MAX_GPS_TAG)
    .slice(0, MAX_GPS_TAG * gpsEntries.length)
  const others = entries.filter(({ tag }) => tag !== GPS)
  const directory = { at: start, bytes: directoryOf(block, start, others) }
  const patches = [directory, ...gpsValues.flatMap(value => zeros(block, value))]
  // A value inside its entry has no bytes elsewhere, and a damaged block may name bytes beyond its end.
  const inBlock = patches.filter(({ bytes }) => bytes.length > 0)
  return inBlock.map(({ at, bytes }) => ({ at: block.byteOffset - file.byteOffset + at, bytes }))
}

/** The tag of the entry that has the place of the GPS directory, and the highest tag in this directory. */
const GPS = 0x8825
const MAX_GPS_TAG = 0x1f
const HEADER_BYTES = 8
/** The bytes of a number of each type. */
const BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 129: 1 }

/** A directory that replaces a longer one: the count of its entries, the entries, and the place of the next directory. */
function directoryOf(block: Buffer, start: number, entries: readonly ExifEntry[]): Buffer {
  const end = start + 2 + 12 * exifNumber(block, start, 2)
  const count = Buffer.alloc(2)
  count[isLittleEndian(block) ? 'writeUInt16LE' : 'writeUInt16BE'](entries.length)
  const next = block.subarray(end, end + 4)
  const parts = [count, ...entries.map(({ at }) => block.subarray(at, at + 12)), next]
  return Buffer.concat(parts, block.subarray(start, end + 4).length)
}

/** Zeros for an entry, and for a value of more than four bytes, which is elsewhere. */
function zeros(block: Buffer, { at, type, count }: ExifEntry): Patch[] {
  const length = Math.min(count * (BYTES[type] ?? 0), MAX_VALUE)
  const value = { at: exifNumber(block, at + 8, 4), length: length > 4 ? length : 0 }
  return [{ at, length: 12 }, value].map(place => {
    const bytes = Buffer.alloc(block.subarray(place.at, place.at + place.length).length)
    return { at: place.at, bytes }
  })
}

const MAX_VALUE = 64 << 10

/** Blank space instead of properties such as `exif:GPSLatitude="…"` and `<exif:GPSLatitude>…</exif:GPSLatitude>`. */
function xmpPatches(file: Buffer): Patch[] {
  return Array.from(file.toString('latin1').matchAll(PROPERTY), ({ index, 0: { length } }) => ({
    at: index,
    bytes: Buffer.alloc(length, ' '),
  }))
}

const PROPERTY =
  /\s[\w-]{1,32}:gps\w{0,64}\s{0,8}=\s{0,8}(["'])(?:(?!\1)[^<]){0,2000}\1|<([\w-]{1,32}:gps\w{0,64})(?:\s[^<>]{0,200})?>[^<]{0,2000}<\/\2\s{0,8}>/gi
