import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, validateFileName, type ZipFile } from 'yauzl'
import { errorCode } from '#platform/base/error.ts'

/** A part of an archive; `size` is what its entry says, and no reader gives more bytes. */
export type ZipPart = {
  name: string
  size: number
  obstacle: ZipObstacle | undefined
  stream: () => Promise<Readable>
  read: () => Promise<Buffer>
}

/** A reason not to unpack a part: its name leads out of the archive, or it is a link, encrypted or packed in another way. */
export type ZipObstacle = 'outside' | 'link' | 'encrypted' | 'method'

/** A part of an archive in memory. `unpack` gives its bytes, or undefined if there are more than `limit`. */
export type PackedPart = ZipPart & { unpack: (limit: number) => Buffer | undefined }

/** An archive whose parts are listed one by one. */
export type Zip<Part> = { count: number; parts: () => AsyncIterable<Part>; close: () => void }

/**
 * Opens an archive on disk, which stays open until it is closed.
 *
 * @throws if it is damaged or no ZIP; `parts` and their readers do so, too
 */
export async function openZipFile(path: string): Promise<Zip<ZipPart>> {
  const zip = await openPromise(path, { ...OPTIONS, autoClose: false })
  return zipOf(zip, entry => partOf(zip, entry))
}

/**
 * Opens an archive in memory.
 *
 * @throws if it is damaged or no ZIP; `parts` and their readers do so, too
 */
export async function openZip(bytes: Uint8Array): Promise<Zip<PackedPart>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const zip = await fromBufferPromise(buffer, OPTIONS)
  return zipOf(zip, entry => ({ ...partOf(zip, entry), unpack: limit => unpack(buffer, entry, limit) }))
}

const OPTIONS = { lazyEntries: true, decodeStrings: false } as const

function zipOf<Part>(zip: ZipFile, toPart: (entry: Entry) => Part): Zip<Part> {
  async function* parts() {
    for await (const entry of zip.eachEntry()) yield toPart(entry)
  }
  return { count: zip.entryCount, parts, close: () => zip.close() }
}

function partOf(zip: ZipFile, entry: Entry): ZipPart {
  const name = nameIn(entry)
  const stream = () => zip.openReadStreamPromise(entry)
  const read = async () => Buffer.concat(await Array.fromAsync(await stream()))
  return { name, size: entry.uncompressedSize, obstacle: obstacleIn(entry, name), stream, read }
}

/** The name of a part; macOS writes UTF-8 without the flag for it. */
function nameIn({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(isUtf8(fileNameRaw) ? flags | UTF_8 : flags, fileNameRaw, extraFields, false)
}

const UTF_8 = 0x800

function obstacleIn(entry: Entry, name: string): ZipObstacle | undefined {
  const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK
  const obstacles: Readonly<Record<ZipObstacle, boolean>> = {
    outside: validateFileName(name) !== null || name.includes('\0'),
    link: isLink,
    encrypted: entry.isEncrypted(),
    method: !entry.canDecodeFileData(),
  }
  return ORDER.find(obstacle => obstacles[obstacle])
}

/** The obstacle that is reported, if there are several, is the first of these. */
const ORDER = ['outside', 'link', 'encrypted', 'method'] as const

/** The type of a file in the mode that Unix programs store (`stat.h`). */
const [FILE_TYPE, LINK] = [0xf000, 0xa000]

/** Unpacks a part without waiting; the real number of bytes counts, whatever the entry says. */
function unpack(zip: Buffer, entry: Entry, limit: number): Buffer | undefined {
  // A local header has 30 bytes, then a name and extra fields, whose lengths are at 26 and 28 (APPNOTE §4.3.7).
  const header = entry.relativeOffsetOfLocalHeader
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const packed = zip.subarray(start, start + entry.compressedSize)
  if (entry.compressionMethod === 0) return packed
  try {
    return inflateRawSync(packed, { maxOutputLength: limit })
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}
