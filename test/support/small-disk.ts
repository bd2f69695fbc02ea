import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Mounts a disk of two megabytes on an empty folder, which needs the right to mount; returns its unmount function. */
export function mountDisk(folder: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', folder])
  return () => void spawnSync('umount', ['--lazy', folder])
}

/** Fills the rest of a disk with a file. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
