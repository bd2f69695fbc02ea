import { crc32 } from 'node:zlib'
import { giveWay } from '../../base/steps.ts'

/** A file of an archive: its path with slashes, its length in bytes, and what opens it. */
export type ZipEntry = { path: string; size: number; open: () => Promise<AsyncGenerator<Uint8Array>> }

/** An archive: how long it is in bytes, and what makes it, one file open at a time. */
export type ZipArchive = { length: number; chunks: () => AsyncGenerator<Uint8Array> }

/** The earliest date that ZIP has: that of archives whose bytes follow from what is in them alone. */
export const EARLIEST_DATE = new Date(Date.UTC(1980, 0, 1))

/**
 * A ZIP archive of files as they are, without compression (PKWARE's APPNOTE.TXT 6.3.10): the same entries and date give
 * the same bytes, whose number is known beforehand. The date is written in UTC, since the format has no time zones.
 * If a file turns out to have another length, making the archive throws. It is laid out in steps between which others
 * are answered.
 */
export async function zipArchive(entries: readonly ZipEntry[], modified: Date): Promise<ZipArchive> {
  const date = dosDate(modified)
  const placed: PlacedEntry[] = []
  let end = 0
  let directoryLength = 0
  for (const entry of entries) {
    const place = { ...entry, name: new TextEncoder().encode(entry.path), offset: end }
    placed.push(place)
    end += localHeader(place, date).length + entry.size + descriptor(place, 0).length
    directoryLength += directoryEntry(place, date, 0).length
    await giveWay()
  }
  const tail = endOfDirectory(placed.length, directoryLength, end)
  return { length: end + directoryLength + tail.length, chunks: () => zipChunks(placed, date, tail) }
}

type PlacedEntry = ZipEntry & { name: Uint8Array; offset: number }

async function* zipChunks(placed: readonly PlacedEntry[], date: Field, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  const sums: number[] = []
  for (const entry of placed) {
    const source = await entry.open()
    try {
      yield localHeader(entry, date)
      const { sum, size } = yield* summed(source)
      if (size !== entry.size) throw new Error(`${entry.path} has ${size} bytes and not ${entry.size}`)
      sums.push(sum)
      yield descriptor(entry, sum)
    } finally {
      await source.return(undefined)
    }
  }
  for (let at = 0; at < placed.length; at += ENTRIES_AT_ONCE) {
    const entries = placed.slice(at, at + ENTRIES_AT_ONCE)
    const chunk = Buffer.concat(entries.map((entry, index) => directoryEntry(entry, date, sums[at + index] ?? 0)))
    await giveWay()
    yield chunk
  }
  yield tail
}

/** So many entries of the directory are sent as one chunk. */
const ENTRIES_AT_ONCE = 250

async function* summed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, { sum: number; size: number }> {
  let sum = 0
  let size = 0
  for await (const chunk of source) {
    sum = crc32(chunk, sum)
    size += chunk.length
    yield chunk
  }
  return { sum, size }
}

/** The most that a field of four bytes, or of two, says; it stands for "see the ZIP64 field" (APPNOTE §4.4.1.4). */
const MOST = 0xffffffff
const MAX_ENTRIES = 0xffff

/** A version that knows ZIP64, and the one before it that knows folders (APPNOTE §4.4.3.2). */
const ZIP64_VERSION = 45
const PLAIN_VERSION = 20
/** Length and sum follow the file, and its name is UTF-8 (APPNOTE §4.4.4). */
const FLAGS = 0x0808
const STORED = 0
/** A plain file that its owner may write and everyone read, as Unix has it (APPNOTE §4.4.2.2 and §4.4.15). */
const UNIX = 3 << 8
const MODE = 0o100644 * 0x10000

function localHeader({ name, size }: PlacedEntry, date: Field): Uint8Array {
  const isLarge = size >= MOST
  const length: Field = [4, isLarge ? MOST : 0]
  const more = isLarge ? packed([2, 1], [2, 16], [8, 0], [8, 0]) : NOTHING
  const about: Field[] = [[2, versionFor(isLarge)], [2, FLAGS], [2, STORED], date, [4, 0], length, length]
  return Buffer.concat([packed([4, 0x04034b50], ...about, [2, name.length], [2, more.length]), name, more])
}

/** What follows a file (APPNOTE §4.3.9). */
function descriptor({ size }: PlacedEntry, sum: number): Uint8Array {
  const width = size >= MOST ? 8 : 4
  return packed([4, 0x08074b50], [4, sum], [width, size], [width, size])
}

function directoryEntry({ name, size, offset }: PlacedEntry, date: Field, sum: number): Uint8Array {
  const large: Field[] = [...(size >= MOST ? [size, size] : []), ...(offset >= MOST ? [offset] : [])].map(each => [
    8,
    each,
  ])
  const more = large.length > 0 ? packed([2, 1], [2, large.length * 8], ...large) : NOTHING
  const version = versionFor(large.length > 0)
  const length: Field = [4, Math.min(size, MOST)]
  const about: Field[] = [[2, UNIX | version], [2, version], [2, FLAGS], [2, STORED], date, [4, sum], length, length]
  const place: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, MODE],
    [4, Math.min(offset, MOST)],
  ]
  return Buffer.concat([packed([4, 0x02014b50], ...about, [2, name.length], [2, more.length], ...place), name, more])
}

/** The end of the archive, in ZIP64 as well if something is too large for its field (APPNOTE §4.3.14 to §4.3.16). */
function endOfDirectory(entries: number, length: number, offset: number): Uint8Array {
  const count: Field = [2, Math.min(entries, MAX_ENTRIES)]
  const sizes: Field[] = [
    [4, Math.min(length, MOST)],
    [4, Math.min(offset, MOST)],
  ]
  const plain = packed([4, 0x06054b50], [2, 0], [2, 0], count, count, ...sizes, [2, 0])
  if (entries < MAX_ENTRIES && length < MOST && offset < MOST) return plain
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
  const large = packed([4, 0x06064b50], [8, 44], ...versions, [4, 0], [4, 0], ...counted)
  const locator = packed([4, 0x07064b50], [4, 0], [8, offset + length], [4, 1])
  return Buffer.concat([large, locator, plain])
}

function versionFor(isLarge: boolean): number {
  return isLarge ? ZIP64_VERSION : PLAIN_VERSION
}

/** Time and date, to two seconds, from 1980 to 2107 (APPNOTE §4.4.6). */
function dosDate(moment: Date): Field {
  const year = moment.getUTCFullYear() - 1980
  if (year < 0 || year > 127) return [4, (1 << 21) | (1 << 16)]
  const date = (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1)
  return [4, date * 0x10000 + time]
}

/** A whole number and how many bytes it takes. */
type Field = readonly [width: 2 | 4 | 8, value: number]

const NOTHING = new Uint8Array()

/** Numbers one after another, the lowest byte first. */
function packed(...fields: readonly Field[]): Uint8Array {
  const bytes = Buffer.alloc(fields.reduce((length, [width]) => length + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}
