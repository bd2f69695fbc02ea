import { createHash } from 'node:crypto'
import type { MaybePromise } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'
import { hashOf, parsedHash } from '../../brand/snapshot.ts'

/** Where what is read goes: each thing is named by the SHA-256 of its bytes. */
export type ContentWriter = {
  /** The text of a page. */
  text: (bytes: Uint8Array) => MaybePromise<Hash>
  /** The bytes of a file, in pieces. What reading a piece throws comes through as it is. */
  file: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
}

/** Keeps nothing: for `check` and dry runs. */
export const hashingWriter: ContentWriter = { text: hashOf, file: hashOfPieces }

async function hashOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<Hash> {
  const digest = createHash('sha256')
  for await (const piece of pieces) digest.update(piece)
  return parsedHash(digest.digest('hex'))
}
