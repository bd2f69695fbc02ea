import { existsSync, mkdtempSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Queries } from './database/database.ts'
import { type FileLock, openLocks } from './database/locks.ts'
import { readTexts } from './database/table.ts'

/** A folder that only its owner can access. Disposing of it removes it. */
export type TemporaryFolder = AsyncDisposable & { path: string }

/**
 * Creates a folder for a book, or for a copy of a catalogue, which contains signing keys. The default parent is the
 * temporary folder of the system. A lock in the folder shows that its process is running. Folders in the parent whose
 * lock nobody holds are leftovers of killed processes, and are removed.
 */
export async function makeTemporaryFolder(
  parent = tmpdir(),
  kind: keyof typeof PREFIXES = 'catalogue',
): Promise<TemporaryFolder> {
  const { path, lock } = lockedFolder(join(parent, PREFIXES[kind]))
  await removeAbandonedFolders(parent)
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await remove(path)
      lock.release()
    },
  }
}

/**
 * Creates a folder and holds its lock. Between the two, another process may mistake the folder for an abandoned one, and
 * lock or remove it: then this creates another one.
 */
function lockedFolder(start: string): { path: string; lock: FileLock } {
  const path = mkdtempSync(start)
  const lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (lock && existsSync(path)) return { path, lock }
  lock?.release()
  return lockedFolder(start)
}

const PREFIXES = { catalogue: '.housestyle-catalogue-', book: 'housestyle-book-' } as const
const OWNER = 'owner'

/** Removes the folders of this user whose processes were killed, except where removal fails. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => []))
    if (Object.values(PREFIXES).some(prefix => name.startsWith(prefix)))
      await removeIfAbandoned(join(parent, name)).catch(() => undefined)
}

/** Removes a folder whose lock no process holds. */
async function removeIfAbandoned(path: string): Promise<void> {
  const entry = await lstat(path)
  // A folder without a lock is still being created.
  if (!entry.isDirectory() || !(await readdir(path)).some(name => name.endsWith('.lock'))) return
  using lock = openLocks(path).tryAcquire(OWNER, 'exclusive')
  if (lock) await remove(path)
}

/**
 * Removes a folder and its lock, which comes last: while it is there, another process can finish an interrupted removal.
 * Two processes may remove the same folder, so what is already gone is no error.
 */
async function remove(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 5 }
  for (const name of await readdir(path).catch(() => []))
    if (!name.endsWith('.lock')) await rm(join(path, name), options)
  await rm(path, options)
}

/**
 * Records the private folder of a backup, which is next to its archive and may be anywhere, so that it is removed even
 * if the process is killed. Returns a function that forgets it.
 */
export async function recordBackup(queries: Queries, folder: string, now: Date): Promise<() => Promise<void>> {
  await queries.run('INSERT INTO unfinished_backup (folder, began_at) VALUES (?, ?)', folder, now.getTime())
  return () => forget(queries, folder)
}

/**
 * Removes the folders of killed backups, and of other killed processes in the temporary folder of the system. The
 * folder of a backup on another machine waits for a command there.
 */
export async function removeKilledBackups(queries: Queries): Promise<void> {
  await removeAbandonedFolders()
  for (const folder of await readTexts(queries, 'SELECT folder FROM unfinished_backup')) {
    await removeAbandonedFolders(dirname(folder))
    const isOnThisMachine = existsSync(dirname(folder))
    if (isOnThisMachine && !existsSync(folder)) await forget(queries, folder)
  }
}

async function forget(queries: Queries, folder: string): Promise<void> {
  await queries.run('DELETE FROM unfinished_backup WHERE folder = ?', folder)
}
