import type { MaybePromise } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'

/** Where the bytes of files are kept, by workspace and SHA-256: written once, never changed. */
export type Files = {
  /** Takes in files of a workspace, to be kept together. */
  receive: (workspace: string) => Incoming
  /** What was being taken in by processes that were killed; also what others are taking in now. */
  listIncoming: () => MaybePromise<readonly string[]>
  /** Removes it; whoever does is alone with the contents of the store. */
  removeIncoming: () => MaybePromise<void>
  /** Keeps bytes of one workspace in another as well, as safely; throws where there are none. */
  carry: (from: string, to: string, hash: Hash) => Promise<void>
  /**
   * The bytes, or a part of them, or undefined where there are none of this hash. A chunk is good until the next is asked
   * for: its memory is used again, so that a large file takes no more of it than a small one. Ending the generator, if
   * it has not come to its end, closes the file.
   */
  open: (workspace: string, hash: Hash, part?: Part) => Promise<AsyncGenerator<Uint8Array> | undefined>
  /** The hashes of all files of a workspace. */
  list: (workspace: string) => MaybePromise<ReadonlySet<string>>
  /** Keeps bytes that come from elsewhere, as safely; throws where they do not have this hash. */
  keep: (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** All that is kept, in no order. */
  listAll: () => AsyncIterable<KeptFile>
  /** Where something stands among the files that is none of them, for people. */
  listOddities: () => AsyncIterable<string>
  /** Keeps bytes no longer; nothing may refer to them any more. */
  remove: (workspace: string, hash: Hash) => Promise<void>
  /** The URN of the store that the files belong to, if they say so. */
  owner: () => Promise<string | undefined>
  /** Has them say so from now on, as safely. */
  own: (urn: string) => Promise<void>
  /** Whether there is nothing at all: neither files, nor an owner, nor what was being taken in. */
  isEmpty: () => Promise<boolean>
  /** Where the bytes are, for people. */
  where: (workspace: string, hash: Hash) => string
}

/** Files that are taken in, and are safe only once they are settled: one wait for the disk, not one for each. */
export type Incoming = {
  /** Reads and writes a file once, and names it. What reading a piece throws comes through as it is. */
  add: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
  /** When it returns, all that was added is safe: a loss of power takes nothing back. */
  settle: () => Promise<void>
  /** Forgets what is not settled. */
  discard: () => void
}

/** Bytes that are kept; the size is in bytes. */
export type KeptFile = { workspace: string; hash: Hash; size: number }

/** A part of a file: from one byte to another, both among them, counted from 0. */
export type Part = { start: number; end: number }
