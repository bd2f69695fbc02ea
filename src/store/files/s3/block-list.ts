import { hash } from 'node:crypto'
import type { Part } from '../files.ts'

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
export function hashBlocks(bytes: Uint8Array): Uint8Array {
  const hashes: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) hashes.push(sha256(bytes.subarray(at, at + BLOCK_BYTES)))
  return Buffer.concat(hashes)
}

/** The list of an object, from the hashes of its blocks. */
export function blockList(objectHash: string, hashes: Uint8Array): Uint8Array {
  return Buffer.concat([hashes, sealOf(objectHash, hashes)])
}

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

function sealOf(objectHash: string, hashes: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.from(objectHash, 'hex'), hashes]))
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
