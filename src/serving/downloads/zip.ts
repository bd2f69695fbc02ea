import { crc32 } from 'node:zlib'

/** A file of an archive: its path with slashes, its length in bytes, and a function that opens it. */
export type ZipEntry = { path: string; size: number; open: () => Promise<AsyncGenerator<Uint8Array>> }

/** An archive: its length in bytes, and its content, which opens one file at a time. */
export type ZipArchive = { length: number; chunks: () => AsyncGenerator<Uint8Array> }

/** The earliest ZIP date, for archives whose bytes depend only on their content. */
export const EARLIEST_DATE = new Date(Date.UTC(1980, 0, 1))

/**
 * An uncompressed ZIP archive (PKWARE APPNOTE.TXT 6.3.10). The same entries and date give the same bytes, and the
 * length is known in advance. The date is written in UTC, because the format has no time zones. If a file has another
 * length than announced, sending the archive throws.
 */
export function zipArchive(entries: readonly ZipEntry[], modified: Date): ZipArchive {
  let end = 0
  let directoryLength = 0
  for (const { path, size } of entries) {
    const nameLength = Buffer.byteLength(path)
    directoryLength += DIRECTORY_ENTRY + nameLength + largeInDirectory({ size, offset: end })
    end += LOCAL_HEADER + nameLength + (isLarge(size) ? LARGE_IN_HEADER : 0) + size + descriptorLength(size)
  }
  const tail = endOfDirectory(entries.length, directoryLength, end)
  const chunks = () => inPieces(zipChunks(entries, dosDate(modified), tail))
  return { length: end + directoryLength + tail.length, chunks }
}

/** Joins small chunks, because sending one takes longer than copying it. A piece is valid until the next is requested. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(PIECE_BYTES)
  let length = 0
  for await (const chunk of chunks) {
    if (length > 0 && length + chunk.length > PIECE_BYTES) {
      yield piece.subarray(0, length)
      length = 0
    }
    if (chunk.length > PIECE_BYTES) yield chunk
    else {
      piece.set(chunk, length)
      length += chunk.length
    }
  }
  if (length > 0) yield piece.subarray(0, length)
}

const PIECE_BYTES = 64 << 10

type SentEntry = { name: Uint8Array; size: number; offset: number; sum: number }

async function* zipChunks(entries: readonly ZipEntry[], date: Field, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  const sent: SentEntry[] = []
  let offset = 0
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.path)
    const header = localHeader(name, entry.size, date)
    const source = await entry.open()
    try {
      yield header
      const { sum, size } = yield* sumChunks(source)
      if (size !== entry.size) throw new Error(`${entry.path} has ${size} bytes instead of ${entry.size}`)
      sent.push({ name, size, offset, sum })
      yield descriptor(size, sum)
    } finally {
      await source.return(undefined)
    }
    offset += header.length + entry.size + descriptorLength(entry.size)
  }
  for (const entry of sent) yield directoryEntry(entry, date)
  yield tail
}

async function* sumChunks(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, { sum: number; size: number }> {
  let sum = 0
  let size = 0
  for await (const chunk of source) {
    sum = crc32(chunk, sum)
    size += chunk.length
    yield chunk
  }
  return { sum, size }
}

/** The largest values of a field of four bytes and of two bytes. They mean “see the ZIP64 field” (APPNOTE §4.4.1.4). */
const MAX_UINT32 = 0xffffffff
const MAX_ENTRIES = 0xffff

/** The version that supports ZIP64, and the earlier one that supports folders (APPNOTE §4.4.3.2). */
const ZIP64_VERSION = 45
const PLAIN_VERSION = 20
/** Flags: length and checksum follow the file, and its name is UTF-8 (APPNOTE §4.4.4). */
const FLAGS = 0x0808
const STORED = 0
/** Unix attributes of a plain file that its owner may write and everyone may read (APPNOTE §4.4.2.2 and §4.4.15). */
const UNIX = 3 << 8
const MODE = 0o100644 * 0x10000

/** The lengths of these records without the file name, and the extra length for a large file. */
const LOCAL_HEADER = 30
const LARGE_IN_HEADER = 20
const DIRECTORY_ENTRY = 46

/** Whether a length or an offset needs eight bytes (ZIP64). */
function isLarge(size: number): boolean {
  return size >= MAX_UINT32
}

/** The header before a file (APPNOTE §4.3.7). Its checksum follows the file, as do the lengths of a large one. */
function localHeader(name: Uint8Array, size: number, date: Field): Uint8Array {
  const length: Field = [4, isLarge(size) ? MAX_UINT32 : 0]
  // The ZIP64 field: its id, its length, and two lengths that follow the file.
  const extra = isLarge(size) ? pack([2, 1], [2, 16], [8, 0], [8, 0]) : NOTHING
  // Version, flags, method, date, checksum, and the compressed and the plain length.
  const fields: Field[] = [[2, versionFor(isLarge(size))], [2, FLAGS], [2, STORED], date, [4, 0], length, length]
  return Buffer.concat([pack([4, 0x04034b50], ...fields, [2, name.length], [2, extra.length]), name, extra])
}

/** The data descriptor, which follows a file: signature, checksum and the two lengths (APPNOTE §4.3.9). */
function descriptor(size: number, sum: number): Uint8Array {
  const width = isLarge(size) ? 8 : 4
  return pack([4, 0x08074b50], [4, sum], [width, size], [width, size])
}

function descriptorLength(size: number): number {
  return isLarge(size) ? 24 : 16
}

/** The length of the ZIP64 field of an entry in the directory: its id and length, then each number that is large. */
function largeInDirectory({ size, offset }: { size: number; offset: number }): number {
  // The size counts twice, as the compressed and the plain length.
  const numbers = (isLarge(size) ? 2 : 0) + (isLarge(offset) ? 1 : 0)
  return numbers === 0 ? 0 : 4 + 8 * numbers
}

/** The entry of a file in the directory at the end (APPNOTE §4.3.12); `extra` is its ZIP64 field (§4.5.3). */
function directoryEntry({ name, size, offset, sum }: SentEntry, date: Field): Uint8Array {
  const largeNumbers = [size, size, offset].filter(isLarge)
  const largeFields = largeNumbers.map((number): Field => [8, number])
  const extra = largeFields.length > 0 ? pack([2, 1], [2, largeFields.length * 8], ...largeFields) : NOTHING
  const version = versionFor(largeFields.length > 0)
  const length: Field = [4, Math.min(size, MAX_UINT32)]
  // The version that wrote it and the one that can read it, flags, method, date, checksum, and the two lengths.
  const fields: Field[] = [[2, UNIX | version], [2, version], [2, FLAGS], [2, STORED], date, [4, sum], length, length]
  // The length of the comment, the disk, the internal and the external attributes, and the offset.
  const place: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, MODE],
    [4, Math.min(offset, MAX_UINT32)],
  ]
  return Buffer.concat([pack([4, 0x02014b50], ...fields, [2, name.length], [2, extra.length], ...place), name, extra])
}

/** The end of the archive, also in ZIP64 if a value is too large for its field (APPNOTE §4.3.14 to §4.3.16). */
function endOfDirectory(entries: number, length: number, offset: number): Uint8Array {
  const count: Field = [2, Math.min(entries, MAX_ENTRIES)]
  const sizes: Field[] = [
    [4, Math.min(length, MAX_UINT32)],
    [4, Math.min(offset, MAX_UINT32)],
  ]
  // The disk, the disk of the directory, its entries on this disk and in total, sizes, and the length of the comment.
  const plain = pack([4, 0x06054b50], [2, 0], [2, 0], count, count, ...sizes, [2, 0])
  if (entries < MAX_ENTRIES && length < MAX_UINT32 && offset < MAX_UINT32) return plain
  const versions: Field[] = [
    [2, UNIX | ZIP64_VERSION],
    [2, ZIP64_VERSION],
  ]
  const counted: Field[] = [
    [8, entries],
    [8, entries],
    [8, length],
    [8, offset],
  ]
  // Its own length without the first twelve bytes, versions, the two disks, and the same numbers in eight bytes.
  const large = pack([4, 0x06064b50], [8, 44], ...versions, [4, 0], [4, 0], ...counted)
  // The disk of the record before it, the offset of that record, and the number of disks.
  const locator = pack([4, 0x07064b50], [4, 0], [8, offset + length], [4, 1])
  return Buffer.concat([large, locator, plain])
}

function versionFor(isLarge: boolean): number {
  return isLarge ? ZIP64_VERSION : PLAIN_VERSION
}

/**
 * Time and date, with a precision of two seconds, from 1980 to 2107 (APPNOTE §4.4.6). A date outside becomes 1 January
 * 1980: year 0, month 1 and day 1.
 */
function dosDate(moment: Date): Field {
  const year = moment.getUTCFullYear() - 1980
  if (year < 0 || year > 127) return [4, (1 << 21) | (1 << 16)]
  // A date has 7 bits for the year, 4 for the month and 5 for the day. A time has 5 for the hour, 6 for the minute, and 5
  // for the seconds divided by two.
  const date = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return [4, date * 0x10000 + time]
}

/** A number in a record, and its width in bytes. */
type Field = readonly [width: 2 | 4 | 8, value: number]

const NOTHING = new Uint8Array()

/** Writes numbers one after the other, each with its lowest byte first. */
function pack(...fields: readonly Field[]): Uint8Array {
  const bytes = Buffer.alloc(fields.reduce((length, [width]) => length + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}
