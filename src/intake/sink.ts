import { createHash } from 'node:crypto'
import type { Hash } from '../brand/ids.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { hashOf, parsedHash } from '../brand/snapshot.ts'

/** Where what is read goes: each thing is named by the SHA-256 of its bytes. */
export type Sink = {
  /** The text of a page. */
  text: (bytes: Uint8Array) => MaybePromise<Hash>
  /** The bytes of a file, in pieces. What reading a piece throws comes through as it is. */
  file: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
}

/** Keeps nothing: for `check` and dry runs. */
export const hashingSink: Sink = { text: hashOf, file: hashOfPieces }

async function hashOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<Hash> {
  const digest = createHash('sha256')
  for await (const piece of pieces) digest.update(piece)
  return parsedHash(digest.digest('hex'))
}
