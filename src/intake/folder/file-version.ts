import type { BigIntStats, Stats } from 'node:fs'

/** Identifies a file by device and inode. */
export function identityOf({ dev, ino }: Pick<Stats | BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

/** Identifies a version of a file: changes whenever the file is written. */
export function versionOf(stat: Stats): string {
  return `${identityOf(stat)} ${stat.size} ${stat.mtimeMs}`
}

/**
 * A string that changes when the file changes: its size, times, device and inode. Undefined if the file has only just
 * changed: it may change again within the same timestamp, so results must not be cached.
 */
export function fingerprintOf(stat: Stats, now: number): string | undefined {
  const { mtimeMs, ctimeMs } = stat
  const newest = Math.max(mtimeMs, ctimeMs)
  // A round time means that the file system has a resolution of 10 ms or worse, down to two seconds.
  const tick = ctimeMs % 10 === 0 ? 4000 : 200
  return now - newest > tick ? currentFingerprintOf(stat) : undefined
}

/** The fingerprint, no matter when the file was changed. */
export function currentFingerprintOf({ size, mtimeMs, ctimeMs, ino, dev }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino, dev].join(' ')
}
