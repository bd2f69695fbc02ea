import { existsSync, mkdtempSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FileLocks, openLocks } from './locks.ts'

/** A folder for its owner alone. It is removed when it is disposed of. */
export type TemporaryFolder = AsyncDisposable & { path: string }

/**
 * Makes a folder for a copy of a catalogue, which holds signing keys, in the temporary folder of the system unless another
 * parent is named. A lock in it tells that its process lives; what killed processes have left in the parent is removed.
 */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<TemporaryFolder> {
  const { path, lock } = lockedFolder(parent)
  await removeAbandonedFolders(parent)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await remove(path)
      lock.release()
    },
  }
}

/** Another process may take a folder that is not locked yet for an abandoned one, and remove it. */
function lockedFolder(parent: string): { path: string; lock: HeldLock } {
  const path = mkdtempSync(join(parent, PREFIX))
  const lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (lock && existsSync(path)) return { path, lock }
  lock?.release()
  return lockedFolder(parent)
}

type HeldLock = NonNullable<ReturnType<FileLocks['tryAcquire']>>

const PREFIX = '.housestyle-catalogue-'
const OWNER = 'owner'

/** Removes the folders of this user whose processes were killed. What cannot be removed stays. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => []))
    if (name.startsWith(PREFIX)) await removeIfAbandoned(join(parent, name)).catch(() => undefined)
}

async function removeIfAbandoned(path: string): Promise<void> {
  const isFolder = (await lstat(path)).isDirectory()
  // A folder without a lock is being made.
  if (!isFolder || !(await readdir(path)).some(name => name.endsWith('.lock'))) return
  const lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (!lock) return
  await remove(path)
  lock.release()
}

/** Two processes may remove the same folder. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}
