import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Queries, textsOf } from './database/database.ts'
import { removeAbandonedFolders } from './database/temporary-folder.ts'

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
  const rows = await queries.all('SELECT folder FROM unfinished_backup')
  for (const folder of textsOf(rows, 'folder')) {
    await removeAbandonedFolders(dirname(folder))
    if (existsSync(dirname(folder)) && !existsSync(folder)) await forget(queries, folder)
  }
}

async function forget(queries: Queries, folder: string): Promise<void> {
  await queries.run('DELETE FROM unfinished_backup WHERE folder = ?', folder)
}
