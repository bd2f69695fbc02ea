import { inflateSync } from 'node:zlib'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { DAMAGED_CONTENT, fontProblem, woff2Directory } from './font-problem.ts'

/**
 * Unpacks a WOFF or WOFF2 file to TTF or OTF, and returns other fonts unchanged. All code that reads fonts uses these
 * bytes, because `fontkitten` cannot read other weights of a packed variable font. WOFF2 that unpacks to more than 30 MiB
 * stays packed because of the decoder's limit; its features and the widths of its other weights stay unknown.
 */
export async function unpackFont(bytes: Buffer): Promise<Result<Buffer, string>> {
  const problem = fontProblem(bytes)
  if (problem !== undefined) return failed(problem)
  const signature = bytes.toString('latin1', 0, 4)
  if (signature === 'wOFF') return unpackWoff(bytes)
  if (signature === 'wOF2' && woff2Directory(bytes).unpackedSize <= MAX_DECODED) return unpackWoff2(bytes)
  return ok(bytes)
}

/** The decoder fails above 30 MiB; the difference is for the table directory and padding. */
const MAX_DECODED = 30 * 1024 * 1024 - 64 * 1024

/** WOFF 1.0 §3 to §5: each table is zlib data, or plain bytes if compression would not make it shorter. */
function unpackWoff(woff: Buffer): Result<Buffer, string> {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const parts: Buffer[] = [directory]
  let end = directory.length
  for (let at = 0; at < count; at++) {
    const entry = woff.subarray(44 + 20 * at, 64 + 20 * at)
    const table = unpackTable(woff, entry)
    if (!table) return failed(DAMAGED_CONTENT)
    // In the directory of an unpacked font, an entry has the tag, the checksum, the offset and the length.
    const target = 12 + 16 * at
    entry.copy(directory, target, 0, 4)
    entry.copy(directory, target + 4, 16, 20)
    directory.writeUInt32BE(end, target + 8)
    directory.writeUInt32BE(table.length, target + 12)
    // Tables begin at a multiple of four bytes.
    const padding = Buffer.alloc(-table.length & 3)
    parts.push(table, padding)
    end += table.length + padding.length
  }
  return ok(Buffer.concat(parts))
}

/** Undefined if the table is damaged. An entry of the directory has the tag, offset, two lengths and a checksum. */
function unpackTable(woff: Buffer, entry: Buffer): Buffer | undefined {
  const offset = entry.readUInt32BE(4)
  const packed = entry.readUInt32BE(8)
  const length = entry.readUInt32BE(12)
  const bytes = woff.subarray(offset, offset + packed)
  if (packed === length) return bytes
  const table = attempt(() => inflateSync(bytes, { maxOutputLength: Math.max(1, length) }))
  return table?.length === length ? table : undefined
}

/** The WOFF2 reference decoder, loaded for the first such font; our own would be 200 lines that only we test. */
async function unpackWoff2(woff2: Buffer): Promise<Result<Buffer, string>> {
  const { default: decompress } = await import('woff2-encoder/decompress')
  try {
    return ok(Buffer.from(await decompress(woff2)))
  } catch (error) {
    // The decoder crashed and its memory may be corrupt, so the process must not reuse it.
    if (isDecoderCrash(error)) throw error
    return failed(DAMAGED_CONTENT)
  }
}

/** Whether an error means that the WebAssembly decoder crashed. */
export function isDecoderCrash(error: unknown): boolean {
  return error instanceof Error && error.name === 'RuntimeError'
}
