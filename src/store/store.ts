import { existsSync } from 'node:fs'
import { chmod, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { openSqlite } from './database-sqlite.ts'
import type { Files } from './files.ts'
import { openDiskFiles } from './files-disk.ts'
import { type Identity, identityOf } from './identity.ts'
import type { Locks } from './locks.ts'
import { openLocks } from './locks-sqlite.ts'
import { migrate } from './migrate.ts'

/** What lasts: the catalogue, the bytes of files, and what this store is. */
export type Store = { database: Database; files: Files; locks: Locks; identity: Identity; close: () => Promise<void> }

/**
 * Opens the store in a data folder, making both on first use: the folder for its owner alone (0700), the catalogue with
 * its keys as well (0600), and a `.gitignore` that keeps it all out of git.
 *
 * @throws {NewerStoreError} where a newer version has written it.
 */
export async function openStore(folder: string): Promise<Store> {
  const path = join(folder, 'housestyle.db')
  if (!existsSync(path)) await makeDataFolder(folder, path)
  const database = openSqlite(path)
  try {
    await migrate(database)
    const identity = await identityOf(database)
    const files = openDiskFiles(join(folder, 'files'))
    const locks = openLocks(join(folder, 'locks'))
    return { database, files, locks, identity, close: async () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function makeDataFolder(folder: string, database: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) await writeFile(ignore, '*\n', { mode: 0o600 })
  await (await open(database, 'a', 0o600)).close()
}
