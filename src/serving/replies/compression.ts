import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib'
import { serial } from '../../base/promise.ts'
import type { Encoding } from '../../exchange/encoding.ts'

/** Compresses replies: short ones synchronously, others in libuv's thread pool. */
export type Compression = {
  /** Compresses within milliseconds. */
  encode: (bytes: Uint8Array, encoding: Encoding) => Promise<Encoded>
  /** Compresses with the highest brotli level, one reply after the other; undefined if too many wait. */
  encodeBest: (bytes: Uint8Array) => Promise<Uint8Array> | undefined
}

/** Compressed bytes, and whether `encodeBest` would make them smaller. */
type Encoded = { bytes: Uint8Array; mayBeBetter: boolean }

export function openCompression(): Compression {
  const inTurn = serial()
  let waiting = 0
  return {
    encode: async (bytes, encoding) => {
      const isShort = bytes.length <= SHORT_BYTES
      if (encoding === 'gzip')
        return { bytes: copyBytes(isShort ? gzipSync(bytes) : await compressGzip(bytes)), mayBeBetter: false }
      const quick = isShort ? brotliCompressSync(bytes, brotliOf(bytes, QUICK)) : await compressBrotli(bytes, QUICK)
      return { bytes: copyBytes(quick), mayBeBetter: bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES }
    },
    encodeBest: bytes => {
      if (waiting >= MAX_WAITING) return undefined
      waiting++
      return inTurn(async () => {
        try {
          return copyBytes(await compressBrotli(bytes, BEST))
        } finally {
          waiting--
        }
      })
    },
  }
}

/** Passing a shorter reply to a thread takes as long as compressing it, about 50 µs. */
const SHORT_BYTES = 4 << 10
/** Below the minimum, the best level saves only a few bytes; above the maximum, it takes more than a second. */
const MIN_BYTES = 1000
const MAX_BYTES = 512 << 10
const MAX_WAITING = 256

/** Level 5 takes half a millisecond for a page; level 11 takes ten times as long and saves an eighth. */
const QUICK = 5
const BEST = 11
const brotli = promisify(brotliCompress)
const compressBrotli = (bytes: Uint8Array, quality: number): Promise<Uint8Array> =>
  brotli(bytes, brotliOf(bytes, quality))
/** `BROTLI_PARAM_QUALITY`, `_LGWIN` and `_SIZE_HINT`. Importing `constants` would load zlib at every start. */
const [QUALITY, WINDOW_BITS, SIZE_HINT] = [1, 2, 5]
/** A window as large as the reply (RFC 7932, §9.1), because each thread allocates memory for its window. */
const brotliOf = ({ length }: Uint8Array, quality: number): BrotliOptions => {
  const bits = Math.min(Math.max(16, Math.ceil(Math.log2(length + 16))), 22)
  return { params: { [QUALITY]: quality, [WINDOW_BITS]: bits, [SIZE_HINT]: length } }
}
const compressGzip: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(gzip)

/** Copies the bytes: zlib returns a part of a 64 KiB buffer, which would otherwise stay in memory. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}
