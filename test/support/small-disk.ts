import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'

/** Mounts a small disk on an empty folder, which needs the right to mount; returns its unmount function. */
export function mountDisk(folder: string, { megabytes = 2 } = {}): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  return () => void spawnSync('umount', ['--lazy', folder])
}

/** Fills the rest of a disk with a file, except the last `leftBytes`. */
export function fillDisk(path: string, leftBytes = 0): void {
  const file = openSync(path, 'w')
  const { bavail, bsize } = statfsSync(path)
  try {
    for (let left = leftBytes > 0 ? bavail * bsize - leftBytes : Infinity; left > 0; left -= 4096)
      writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
