import type { Stats } from 'node:fs'
import type { MaybePromise } from '../../base/promise.ts'

/**
 * What earlier imports read of a workspace's files, so that one that has not changed since is not opened again. It only
 * ever holds what follows from a file's bytes and its name; what follows from other files is worked out each time.
 */
export type ReadCache = {
  /** What was read of the file at this path when it had this fingerprint. */
  find: (path: string, fingerprint: string) => MaybePromise<string | undefined>
  /** Keeps what was read of a file. */
  keep: (path: string, fingerprint: string, reading: FileReading) => MaybePromise<void>
}

/** What was read of a file; the content that it stands for is in the store under this hash. */
type FileReading = { kind: 'page' | 'file'; content: string; reading: string }

/** Keeps nothing. */
export const noReadCache: ReadCache = { find: () => undefined, keep: () => undefined }

/**
 * Differs if a file was changed: its size, its times, and which file it is. Undefined if the file was changed just now:
 * it may change once more without getting other times, so what is read of it must not be kept.
 */
export function fingerprintOf(stat: Stats, now: number): string | undefined {
  const { mtimeMs, ctimeMs } = stat
  const newest = Math.max(mtimeMs, ctimeMs)
  // Round times mean that the file system counts in hundredths of a second or worse; some count in two seconds.
  const tick = ctimeMs % 10 === 0 ? 4000 : 200
  return now - newest > tick ? stateOf(stat) : undefined
}

/** The fingerprint, whenever the file was changed. */
export function stateOf({ size, mtimeMs, ctimeMs, ino, dev }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino, dev].join(' ')
}
