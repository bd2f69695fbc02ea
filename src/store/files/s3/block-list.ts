import { hash } from 'node:crypto'
import type { Part } from '../files.ts'

/*
 * A large object has a list of the SHA-256 of its blocks in an object beside it, so that a part of it can be checked
 * without the rest. The list ends with a SHA-256 over the object's own hash and the list, which tells a list of wrong bytes,
 * and that of another object.
 */

/** Objects up to here are read whole to be checked, and have no list. */
export const SMALL_BYTES = 1 << 20
export const BLOCK_BYTES = 1 << 18

/** The key, or path, of the list of an object. */
export function blockListOf(key: string): string {
  return `${key}.blocks`
}

/** The hashes of the blocks of bytes that begin with a block. */
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

/** Whether a list has the hash of the block that begins there. */
export function isInBlockList(list: Uint8Array, start: number, block: Uint8Array): boolean {
  const at = (start / BLOCK_BYTES) * HASH_BYTES
  return Buffer.compare(list.subarray(at, at + HASH_BYTES), sha256(block)) === 0
}

/** The blocks that a part touches; the last one may end beyond the object. */
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
