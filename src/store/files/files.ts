import type { MaybePromise } from '../../base/promise.ts'
import type { Hash } from '../../brand/ids.ts'

/** The bytes of files, by workspace and SHA-256: written once, never changed. */
export type Files = {
  /** Receives files of a workspace, to be committed together. */
  receive: (workspace: string) => Incoming
  /** Files that are not committed, of running processes and of killed ones. */
  listIncoming: () => MaybePromise<readonly string[]>
  /** Removes these. The caller holds the exclusive lock on contents. */
  removeIncoming: () => MaybePromise<void>
  /** Copies a file of one workspace into another and commits it; throws if it is missing. */
  copy: (from: string, to: string, hash: Hash) => Promise<void>
  /**
   * The bytes, or a part of them; undefined if there is no file of this hash. A chunk is valid until the next is asked
   * for: its buffer may be reused, so that a large file takes no more memory than a small one. Ending the generator early
   * closes the file. If the signal aborts, what waits for another machine throws its reason.
   */
  open: (
    workspace: string,
    hash: Hash,
    part?: Part,
    signal?: AbortSignal,
  ) => Promise<AsyncGenerator<Uint8Array> | undefined>
  /**
   * The bytes of a file of at most `SMALL_FILE` bytes, at once: for commands that read many and that nobody waits for
   * meanwhile. Undefined if it is larger, or there is none. Absent if the files are on another machine.
   */
  readSmall?: (workspace: string, hash: Hash) => Uint8Array | undefined
  /**
   * Tells a file from what was at its place before or is later; undefined if there is none. Absent if the files are on
   * another machine.
   */
  version?: (workspace: string, hash: Hash) => Promise<FileVersion | undefined>
  /** The hashes of all files of a workspace that an import need not bring again. */
  list: (workspace: string) => MaybePromise<ReadonlySet<string>>
  /** Writes a file and commits it; throws if its bytes do not have this hash. */
  put: (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** All files, in any order. */
  listAll: () => AsyncIterable<StoredFile>
  /** The paths of what is in the folder of files but does not belong there, for people. */
  listUnexpected: () => AsyncIterable<string>
  /** Removes a file. Nothing may refer to it. */
  remove: (file: StoredFile) => Promise<void>
  /** The URN of the store that the files belong to; undefined if none is written down. */
  owner: () => Promise<string | undefined>
  /** The same for files on another machine, in a few seconds at most. Absent if they are on this one. */
  probe?: () => Promise<string | undefined>
  /** Writes down which store the files belong to. */
  setOwner: (urn: string) => Promise<void>
  /** Whether there are no files, no owner and nothing incoming. */
  isEmpty: () => Promise<boolean>
  /** The path of a file, for people. */
  pathOf: (workspace: string, hash: Hash) => string
}

/** A version of a file: `id` changes with its bytes, its inode and its times. The size is in bytes. */
export type FileVersion = { id: string; size: number }

/** Reading a file in pieces costs more than its bytes do, up to some such size. */
export const SMALL_FILE = 1 << 17

/** Files that are received. They are safe once they are committed, which waits for the disk only once. */
export type Incoming = {
  /** Writes a file in one pass, and gives its hash. If reading a piece throws, `add` throws the same. */
  add: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
  /** Afterwards, everything that was added survives a loss of power. */
  commit: () => Promise<void>
  /** Removes what is not committed. */
  discard: () => void
}

/** A file of the store; the size is in bytes. */
export type StoredFile = { workspace: string; hash: Hash; size: number }

/** A part of a file: its first and its last byte, both included, counted from 0. */
export type Part = { start: number; end: number }
