import type { Readable } from 'node:stream'
import type { Hash } from '../brand/ids.ts'

/** Where the bytes of files are kept, by workspace and SHA-256: written once, never changed. */
export type Files = {
  /**
   * Keeps the bytes of a file on this machine. When it returns they are safe: a loss of power takes nothing back.
   *
   * @throws where the file cannot be read, changes while it is read, or cannot be written.
   */
  put: (workspace: string, source: string, hash: Hash) => Promise<void>
  /** Keeps bytes of one workspace in another as well, as safely; throws where there are none. */
  carry: (from: string, to: string, hash: Hash) => Promise<void>
  /** The bytes, or undefined where there are none of this hash. */
  open: (workspace: string, hash: Hash) => Promise<Readable | undefined>
  /** Keeps bytes that come from elsewhere, as safely; throws where they do not have this hash. */
  keep: (workspace: string, hash: Hash, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** All that is kept, in no order. */
  listAll: () => AsyncIterable<KeptFile>
  /** Keeps bytes no longer; nothing may refer to them any more. */
  remove: (workspace: string, hash: Hash) => Promise<void>
  /** Where the bytes are, for people. */
  where: (workspace: string, hash: Hash) => string
}

/** Bytes that are kept; the size is in bytes. */
export type KeptFile = { workspace: string; hash: Hash; size: number }
