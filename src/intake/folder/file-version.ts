import type { Stats } from 'node:fs'

/** Which file it is: its device and inode. */
export function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** Which file it is, and in which version: another one as soon as the file is written to. */
export function versionOf(stat: Stats): string {
  return `${identityOf(stat)} ${stat.size} ${stat.mtimeMs}`
}

/**
 * A text that differs once a file was changed: its size, its times, its device and inode. Undefined if the file was
 * changed just now: it may change again without getting other times, so what is read of it must not be cached.
 */
export function fingerprintOf(stat: Stats, now: number): string | undefined {
  const { mtimeMs, ctimeMs } = stat
  const newest = Math.max(mtimeMs, ctimeMs)
  // Round times mean that the file system counts in hundredths of a second or worse; some count in two seconds.
  const tick = ctimeMs % 10 === 0 ? 4000 : 200
  return now - newest > tick ? currentFingerprintOf(stat) : undefined
}

/** The fingerprint, no matter when the file was changed. */
export function currentFingerprintOf({ size, mtimeMs, ctimeMs, ino, dev }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino, dev].join(' ')
}
