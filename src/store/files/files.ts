import type { Hash } from '#brand/ids.ts'
import type { MaybePromise } from '#platform/base/promise.ts'

/** The bytes of files by workspace and SHA-256. They are written once and never change. */
export type Files = {
  /** Receives files of a workspace, which are committed as a group. */
  receive: (workspace: string) => Incoming
  /** Uncommitted files of running and killed processes. */
  listIncoming: () => MaybePromise<readonly string[]>
  /** Removes all uncommitted files. The caller must hold the exclusive lock on contents. */
  removeIncoming: () => MaybePromise<void>
  /** Copies a file into another workspace and commits it; throws if it is missing. */
  copy: (from: string, to: string, hash: Hash) => Promise<void>
  /**
   * The bytes of a file or a part of it; undefined if the file does not exist. A chunk is valid until the next one is
   * requested: its buffer may be reused, so that a large file takes no more memory than a small one. Ending the
   * generator early closes the file. If the signal aborts while this waits for another machine, throws its reason.
   */
  open: (
    workspace: string,
    hash: Hash,
    part?: Part,
    signal?: AbortSignal,
  ) => Promise<AsyncGenerator<Uint8Array> | undefined>
  /**
   * Reads a file of at most `SMALL_FILE` bytes synchronously: for commands that read many files and have nothing else
   * to do. Undefined if the file is larger or does not exist. Absent if the files are on another machine.
   */
  readSmall?: (workspace: string, hash: Hash) => Uint8Array | undefined
  /**
   * The version of a file, which changes if the file at its path is replaced; undefined if the file does not exist.
   * Absent if the files are on another machine.
   */
  version?: (workspace: string, hash: Hash) => Promise<FileVersion | undefined>
  /** The hashes of all files of a workspace that an import need not upload again. */
  list: (workspace: string) => MaybePromise<ReadonlySet<string>>
  /** Writes a file and commits it; throws if its bytes do not have this hash. */
  put: (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** All files, in any order. */
  listAll: () => AsyncIterable<StoredFile>
  /** Removes a file. Nothing may refer to it. */
  remove: (file: StoredFile) => Promise<void>
  /** The URN of the store that the files belong to; undefined if none is recorded. */
  owner: () => Promise<string | undefined>
  /** Does the same as `owner`, but waits only a few seconds. Absent if the files are on this machine. */
  probe?: () => Promise<string | undefined>
  /** Records which store the files belong to. */
  setOwner: (urn: string) => Promise<void>
  /** Whether there are no files, no owner and no uncommitted files. */
  isEmpty: () => Promise<boolean>
  /** The path of a file, for messages. */
  pathOf: (workspace: string, hash: Hash) => string
}

/** A version of a file: `id` changes with its bytes, its inode and its times. The size is in bytes. */
export type FileVersion = { id: string; size: number }

/** The maximum size at which streaming a file costs more than reading its bytes at once. */
export const SMALL_FILE = 1 << 17

/** Files that are being received. They are durable once committed; a commit waits for the disk only once. */
export type Incoming = {
  /** Writes a file in one pass, and returns its hash. If reading a piece throws, `add` throws the same error. */
  add: (pieces: AsyncIterable<Uint8Array>) => Promise<Hash>
  /** Makes all added files survive a loss of power. */
  commit: () => Promise<void>
  /** Removes uncommitted files. */
  discard: () => void
}

/** A file of the store; the size is in bytes. */
export type StoredFile = { workspace: string; hash: Hash; size: number }

/** A part of a file: its first and its last byte, both included, counted from 0. */
export type Part = { start: number; end: number }

/** Bytes in memory as a file that is read. */
export async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Starts a generator that reads from `source`, and ends the source when the generator ends or its reader leaves. Ending a
 * generator that has not started runs none of its code, so this takes a first, empty chunk.
 */
export async function startChunks(
  source: AsyncGenerator<Uint8Array>,
  read: (source: AsyncGenerator<Uint8Array>) => AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const started = (async function* () {
    try {
      yield new Uint8Array()
      yield* read(source)
    } finally {
      await source.return(undefined)
    }
  })()
  await started.next()
  return started
}
