import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'

/**
 * Mounts a disk of two megabytes on an empty folder; returns its unmount function, or undefined if only root may mount.
 */
export function mountDisk(folder: string): (() => void) | undefined {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', folder])
  return mounted.status === 0 ? () => void spawnSync('umount', ['--lazy', folder]) : undefined
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
