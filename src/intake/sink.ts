import { createHash } from 'node:crypto'
import type { Hash } from '../brand/ids.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { hashOf, parsedHash } from '../brand/snapshot.ts'
import { openFile } from './open-file.ts'

/** Where what is read goes: each thing is named by the SHA-256 of its bytes. */
export type Sink = {
  /** The text of a page. */
  text: (bytes: Uint8Array) => MaybePromise<Hash>
  /** A file on this machine, by its absolute path, whose bytes have this hash. */
  file: (path: string, hash: Hash) => MaybePromise<void>
}

/** Keeps nothing: for `check` and dry runs. */
export const hashingSink: Sink = { text: hashOf, file: () => undefined }

/** The SHA-256 and the size of a file, read in pieces; never of what a symbolic link or a pipe leads to. */
export async function hashOfFile(path: string): Promise<{ hash: Hash; size: number }> {
  await using file = await openFile(path)
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1 << 18 })) {
    digest.update(chunk)
    size += chunk.length
  }
  return { hash: parsedHash(digest.digest('hex')), size }
}
