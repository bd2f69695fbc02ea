import type { Stats } from 'node:fs'
import type { MaybePromise } from '../../base/promise.ts'

/**
 * What earlier imports read of a workspace's files, so that one that has not changed since is not opened again. It only
 * ever holds what follows from a file's bytes and its name; what follows from other files is worked out each time.
 */
export type ReadCache = {
  /** What was kept of a file: under the same path, while it had the same stamp. */
  find: (path: string, stamp: string) => MaybePromise<string | undefined>
  /** Keeps what was read of a file. */
  keep: (path: string, stamp: string, reading: SeenReading) => MaybePromise<void>
}

/** What was read of a file; the content that it stands for is in the store under this hash. */
type SeenReading = { kind: 'page' | 'file'; content: string; reading: string }

/** Remembers nothing. */
export const noReadCache: ReadCache = { find: () => undefined, keep: () => undefined }

/**
 * What tells whether a file was changed: its size, its times, and which file it is. Undefined where it may be changed
 * once more without getting other times, since it was changed just now: then what is read of it is not to be kept.
 */
export function fingerprintOf(stat: Stats, now: number): string | undefined {
  const { mtimeMs, ctimeMs } = stat
  const newest = Math.max(mtimeMs, ctimeMs)
  // File systems that count in hundredths of a second or worse are told by their round times; some count in two seconds.
  const tick = ctimeMs % 10 === 0 ? 4000 : 200
  return now - newest > tick ? stateOf(stat) : undefined
}

/** What a stamp would be, whenever the file was changed. */
export function stateOf({ size, mtimeMs, ctimeMs, ino, dev }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino, dev].join(' ')
}
