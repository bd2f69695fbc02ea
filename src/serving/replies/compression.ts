import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliCompressSync, brotliDecompress, gzip, gzipSync } from 'node:zlib'
import { serial } from '../../base/promise.ts'
import type { DiskCache } from '../../caches/disk-cache.ts'
import type { Encoding } from '../../exchange/encoding.ts'

/** Compresses replies: short ones at once, others in threads of their own. */
export type Compression = {
  /** At a level that takes milliseconds; or in as few bytes as there can be, if that was done before and kept. */
  encode: (bytes: Uint8Array, encoding: Encoding, etag: string) => Promise<Encoded>
  /** In as few bytes as there can be, once others are done; undefined if too many wait. It is kept for other processes. */
  encodeBest: (bytes: Uint8Array, etag: string) => Promise<Uint8Array> | undefined
  /** Ends once nothing is written any more. */
  close: () => Promise<void>
}

/** Compressed bytes, and whether fewer would say the same. */
type Encoded = { bytes: Uint8Array; mayBeBetter: boolean }

/** Opens a compression. Without a disk cache nothing is compressed twice. `etag` names the bytes by their hash. */
export function openCompression(disk?: DiskCache): Compression {
  const inTurn = serial()
  let waiting = 0
  return {
    encode: async (bytes, encoding, etag) => {
      const isShort = bytes.length <= SHORT_BYTES
      if (encoding === 'gzip') {
        return { bytes: copyOf(isShort ? gzipSync(bytes) : await compressGzip(bytes)), mayBeBetter: false }
      }
      const isWorth = disk !== undefined && bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES
      const best = isWorth ? await findBest(disk, bytes, etag) : undefined
      if (best) return { bytes: best, mayBeBetter: false }
      const quick = isShort ? brotliCompressSync(bytes, brotliOf(bytes, QUICK)) : await compressBrotli(bytes, QUICK)
      return { bytes: copyOf(quick), mayBeBetter: isWorth }
    },
    encodeBest: (bytes, etag) => {
      if (waiting >= MAX_WAITING) return undefined
      waiting++
      return inTurn(async () => {
        try {
          const best = copyOf(await compressBrotli(bytes, BEST))
          await disk?.write(nameOf(etag), best)
          return best
        } finally {
          waiting--
        }
      })
    },
    close: async () => disk?.close(),
  }
}

/** To hand such a reply to a thread takes as long as to compress it, some 50 µs. */
const SHORT_BYTES = 4 << 10
/** Replies that take a file of their own, and no more than a second. */
const LEAST_BYTES = 1000
const MOST_BYTES = 512 << 10
const MAX_WAITING = 256

/** What is kept on the disk, if it is these bytes and no others. */
async function findBest(disk: DiskCache, bytes: Uint8Array, etag: string): Promise<Uint8Array | undefined> {
  const found = await disk.read(nameOf(etag), bytes.length)
  if (!found) return undefined
  const plain = await decompressBrotli(found, { maxOutputLength: bytes.length }).catch(() => undefined)
  return plain && Buffer.compare(plain, bytes) === 0 ? found : undefined
}

function nameOf(etag: string): string {
  return hash('sha256', `br ${BEST} ${etag}`)
}

/** Level 5 takes half a millisecond for a page, level 11 ten times as long for an eighth less. */
const QUICK = 5
const BEST = 11
const brotli = promisify(brotliCompress)
const decompressBrotli = promisify(brotliDecompress)
const compressBrotli = (bytes: Uint8Array, quality: number): Promise<Uint8Array> =>
  brotli(bytes, brotliOf(bytes, quality))
/** `BROTLI_PARAM_QUALITY`, `_LGWIN` and `_SIZE_HINT`: `constants` would have every start load zlib. */
const [QUALITY, WINDOW_BITS, SIZE_HINT] = [1, 2, 5]
/** The window is as large as the reply (RFC 7932, §9.1): what each thread keeps in memory follows from it. */
const brotliOf = ({ length }: Uint8Array, quality: number): BrotliOptions => {
  const bits = Math.min(Math.max(16, Math.ceil(Math.log2(length + 16))), 22)
  return { params: { [QUALITY]: quality, [WINDOW_BITS]: bits, [SIZE_HINT]: length } }
}
const compressGzip: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(gzip)

/** What zlib gives is a part of 64 KiB, all of which would be kept. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}
