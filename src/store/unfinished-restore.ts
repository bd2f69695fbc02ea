import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Queries } from './database/database.ts'
import type { Locks } from './database/locks.ts'
import { readImmutable } from './database/sqlite.ts'
import { readTexts } from './database/table.ts'
import { removeAbandonedFolders } from './database/temporary-folder.ts'
import type { Files } from './files/files.ts'
import { findUrn } from './identity.ts'
import type { StorePaths } from './paths.ts'

/** The name of the catalogue in a backup, and during a restore. */
export const RESTORED_CATALOGUE = 'catalogue.db'

/** Whether a restore into this data folder is unfinished. If there are files, they must belong to that restore. */
export async function isUnfinishedRestore({ database, restoring }: StorePaths, files: Files): Promise<boolean> {
  if (existsSync(database) || !existsSync(restoring)) return false
  if (await files.isEmpty()) return true
  const owner = await files.owner()
  return owner !== undefined && owner === (await restoredUrn(join(restoring, RESTORED_CATALOGUE)))
}

/** Removes leftovers of a restore that was killed after it had created the store. */
export async function removeRestoreLeftovers({ database, restoring }: StorePaths, locks: Locks): Promise<void> {
  if (!existsSync(restoring)) return
  const lock = await locks.tryAcquire('restore', 'exclusive')
  if (!lock) return
  try {
    if (existsSync(database)) await rm(restoring, { recursive: true, force: true })
  } finally {
    await lock.release()
  }
}

async function restoredUrn(path: string): Promise<string | undefined> {
  try {
    return await readImmutable(path, findUrn)
  } catch {
    return undefined
  }
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
 * Removes the folders of killed backups, and those of other killed processes in the temporary folder of the system. The
 * folder of a backup on another machine waits for a command there.
 */
export async function removeKilledBackups(queries: Queries): Promise<void> {
  await removeAbandonedFolders()
  for (const folder of await readTexts(queries, 'SELECT folder FROM unfinished_backup')) {
    await removeAbandonedFolders(dirname(folder))
    if (existsSync(dirname(folder)) && !existsSync(folder)) await forget(queries, folder)
  }
}

async function forget(queries: Queries, folder: string): Promise<void> {
  await queries.run('DELETE FROM unfinished_backup WHERE folder = ?', folder)
}
