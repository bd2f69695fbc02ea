import { createHash, hash } from 'node:crypto'
import { forEachOf } from '#platform/base/promise.ts'
import type { Part } from '../files.ts'
import type { Bucket } from './bucket.ts'

/** Writes an object whose bytes are in memory and already match the hash. */
export async function writeWhole(bucket: Bucket, key: string, hash: string, bytes: Uint8Array): Promise<void> {
  await bucket.put(key, bytes, Buffer.from(hash, 'hex').toString('base64'))
  if (bytes.length > SMALL_BYTES) await writeBlockList(bucket, key, hash, hashBlocks(bytes))
}

/**
 * Writes an object from a stream of bytes, in bounded memory. It becomes visible once it is complete and its bytes
 * match the hash.
 *
 * @throws {Error} if the bytes have another hash; then nothing is written.
 */
export async function writeObject(
  bucket: Bucket,
  key: string,
  hash: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const digest = createHash('sha256')
  const parts = partsOf(bytes, digest.update.bind(digest))
  const { value: first = new Uint8Array() } = await parts.next()
  const { value: second } = await parts.next()
  const assertHash = () => {
    if (digest.digest('hex') !== hash) throw new Error(`the bytes of file ${hash} do not have their hash`)
  }
  if (second) return writeInParts(bucket, { key, hash }, [first, second], parts, assertHash)
  assertHash()
  return writeWhole(bucket, key, hash, first)
}

/** Writes an object from its first parts, which were read already, and the others. */
async function writeInParts(
  bucket: Bucket,
  { key, hash }: { key: string; hash: string },
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
  assertHash: () => void,
): Promise<void> {
  const upload = await bucket.begin(key)
  const hashes: Uint8Array[] = []
  const send: SendPart = (number, part, sha256) => {
    hashes[number - 1] = hashBlocks(part)
    return upload.add(number, part, sha256)
  }
  try {
    await sendParts(send, first, rest)
    assertHash()
    await upload.complete()
  } catch (error) {
    await upload.abort().catch(() => undefined) // Leftovers are aborted when incoming files are removed.
    throw error
  }
  await writeBlockList(bucket, key, hash, Buffer.concat(hashes))
}

/** Writes the list after its object, so that no list exists without its object. */
async function writeBlockList(bucket: Bucket, key: string, objectHash: string, hashes: Uint8Array): Promise<void> {
  const list = Buffer.concat([hashes, sealOf(objectHash, hashes)])
  await bucket.put(blockListOf(key), list, hash('sha256', list, 'base64'))
}

/**
 * The limit of parts in an object, and the part size, a multiple of the block size. (Servers accept no part below 5 MiB
 * except the last.)
 */
const MAX_PARTS = 10_000
export const PART_BYTES = 8 << 20

/** The number of parts that are sent concurrently. */
const CONCURRENCY = 3

/** Sends a part by its number, from 1; `sha256` is in base64. */
type SendPart = (number: number, bytes: Uint8Array, sha256: string) => Promise<void>

/** Sends the first parts, which were read already, and the rest while it is read. */
async function sendParts(
  send: SendPart,
  first: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): Promise<void> {
  const parts = async function* () {
    yield* first
    yield* rest
  }
  let number = 0
  await forEachOf(parts(), CONCURRENCY, async bytes => {
    number++
    if (number > MAX_PARTS) throw new Error(`a bucket cannot hold a file of more than ${MAX_PARTS * PART_BYTES} bytes`)
    await send(number, bytes, hash('sha256', bytes, 'base64'))
  })
}

/** Splits bytes into parts of equal size, except the last. `seen` gets each piece as it comes. */
async function* partsOf(
  bytes: AsyncIterable<Uint8Array>,
  seen: (piece: Uint8Array) => void,
): AsyncGenerator<Uint8Array, undefined> {
  let pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    seen(piece)
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + PART_BYTES - length)
      pieces.push(taken)
      at += taken.length
      length += taken.length
      if (length < PART_BYTES) continue
      yield Buffer.concat(pieces)
      pieces = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(pieces)
  return undefined
}

/*
 * A large object has a second object with the SHA-256 of each of its blocks, so that a part can be checked without the
 * rest. The list ends with a SHA-256 of the hash of the object and the list itself, which reveals a damaged list or the
 * list of another object.
 */

/** Objects up to this size are read and checked as a whole, and have no list. */
export const SMALL_BYTES = 1 << 20
export const BLOCK_BYTES = 1 << 18

/** The key, or path, of the list of an object. */
export function blockListOf(key: string): string {
  return `${key}.blocks`
}

/** The hashes of the blocks of these bytes, which begin at a block boundary. */
function hashBlocks(bytes: Uint8Array): Uint8Array {
  const hashes: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) hashes.push(sha256(bytes.subarray(at, at + BLOCK_BYTES)))
  return Buffer.concat(hashes)
}

/** Whether a list is complete, and belongs to this object. */
export function isBlockListOf(list: Uint8Array, objectHash: string): boolean {
  const seal = list.subarray(-HASH_BYTES)
  return Buffer.compare(seal, sealOf(objectHash, list.subarray(0, -HASH_BYTES))) === 0
}

/** Whether a list has the hash of the block at this position. */
export function isInBlockList(list: Uint8Array, start: number, block: Uint8Array): boolean {
  const at = (start / BLOCK_BYTES) * HASH_BYTES
  return Buffer.compare(list.subarray(at, at + HASH_BYTES), sha256(block)) === 0
}

/** The range of blocks that a part touches; it may end beyond the object. */
export function blocksAround({ start, end }: Part): Part {
  return { start: start - (start % BLOCK_BYTES), end: end - (end % BLOCK_BYTES) + BLOCK_BYTES - 1 }
}

const HASH_BYTES = 32

/** The end of a list of blocks: the SHA-256 of the hash of its object and the list. */
function sealOf(objectHash: string, hashes: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.from(objectHash, 'hex'), hashes]))
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
