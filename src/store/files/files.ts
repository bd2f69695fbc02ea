import type { MaybePromise } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'

/** Where the bytes of files are kept, by workspace and SHA-256: written once, never changed. */
export type Files = {
  /** Receives files of a workspace, which are committed together. */
  receive: (workspace: string) => Incoming
  /** Files that are not committed: of processes at work now, and of those that were killed. */
  listIncoming: () => MaybePromise<readonly string[]>
  /** Removes them. The caller holds the exclusive lock on contents. */
  removeIncoming: () => MaybePromise<void>
  /** Copies a file of one workspace into another and commits it; throws if it is missing. */
  copy: (from: string, to: string, hash: Hash) => Promise<void>
  /**
   * The bytes, or a part of them; undefined if there is no file of this hash. A chunk is good until the next is asked
   * for: its memory is used again, so that a large file takes no more of it than a small one. Ending the generator, if
   * it has not come to its end, closes the file.
   */
  open: (workspace: string, hash: Hash, part?: Part) => Promise<AsyncGenerator<Uint8Array> | undefined>
  /** The hashes of all files of a workspace. */
  list: (workspace: string) => MaybePromise<ReadonlySet<string>>
  /** Writes a file and commits it; throws if its bytes do not have this hash. */
  put: (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** All files, in no order. */
  listAll: () => AsyncIterable<StoredFile>
  /** What stands among the files and is none of them, for people. */
  listOddities: () => AsyncIterable<string>
  /** Removes a file, which nothing may refer to any more. */
  remove: (workspace: string, hash: Hash) => Promise<void>
  /** The URN of the store that the files belong to, if they say so. */
  owner: () => Promise<string | undefined>
  /** Writes down which store the files belong to. */
  setOwner: (urn: string) => Promise<void>
  /** Whether there is nothing at all: no files, no owner, nothing incoming. */
  isEmpty: () => Promise<boolean>
  /** Where the bytes are, to be shown to people. */
  pathOf: (workspace: string, hash: Hash) => string
}

/** Files that are received, and are safe only once they are committed: one wait for the disk, not one for each. */
export type Incoming = {
  /** Reads and writes a file once, and names it. What reading a piece throws comes through as it is. */
  add: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
  /** When it returns, all that was added is safe: a loss of power takes nothing back. */
  commit: () => Promise<void>
  /** Removes what is not committed. */
  discard: () => void
}

/** A file of the store; the size is in bytes. */
export type StoredFile = { workspace: string; hash: Hash; size: number }

/** A part of a file: its first and its last byte, counted from 0. */
export type Part = { start: number; end: number }
