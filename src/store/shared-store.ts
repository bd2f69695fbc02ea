import { existsSync } from 'node:fs'
import { errorMessage } from '../base/error.ts'
import { bindFiles } from './binding.ts'
import { refersToFiles } from './catalogue/references.ts'
import type { Database } from './database/database.ts'
import type { Locks } from './database/locks.ts'
import { openLocks } from './database/locks.ts'
import { migrate, versionOf } from './database/migrate.ts'
import { openPostgres } from './database/postgres.ts'
import { openSqlite } from './database/sqlite.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles } from './files/files-disk.ts'
import { identityOf } from './identity.ts'
import { remainInPlace } from './in-place.ts'
import { placeName, type StorePlace, storePaths } from './paths.ts'
import { makeDataFolder, type Store } from './store.ts'
import { LostStore, StoreError } from './store-error.ts'

/** Whether there is a store, even a damaged one. */
export async function hasSharedStore(place: StorePlace): Promise<boolean> {
  return explained(place, async () => {
    const files = await openFiles(place)
    if (lacksDatabase(place)) return !(await files.isEmpty())
    const { database } = await openDatabase(place)
    try {
      return (await versionOf(database)) > 0 || !(await files.isEmpty())
    } finally {
      await database.close()
    }
  })
}

/**
 * Opens a store whose parts several machines share; the first use creates it.
 *
 * @throws {StoreError} if it cannot be reached, its database is lost, or a newer version has written it.
 */
export async function openSharedStore(place: StorePlace): Promise<Store> {
  return explained(place, async () => {
    const files = await openFiles(place)
    // Before the database is looked at: a process that creates the store at the same time makes the database first.
    const hasFiles = !(await files.isEmpty())
    if (lacksDatabase(place)) {
      if (hasFiles) throw lost(place)
      await makeDataFolder(storePaths(place.data))
    }
    const { database, locks } = await openDatabase(place)
    try {
      if (hasFiles && (await versionOf(database)) === 0) throw lost(place)
      await migrate(database)
      const identity = await identityOf(database)
      const owner = await files.owner()
      if (owner !== undefined && owner !== identity.urn)
        throw new LostStore('store_foreign', placeName(place), 'is of another store than its files', PUT_BACK)
      if (!hasFiles && (await refersToFiles(database)) && (await files.isEmpty()))
        throw new LostStore('files_lost', placeName(place), 'refers to files, and there are none', FILES_BACK)
      await bindFiles(database, files, identity)
      const isInPlace = place.database === undefined ? remainInPlace(storePaths(place.data)) : () => true
      return { database, files, locks, identity, isInPlace, close: async () => database.close() }
    } catch (error) {
      await database.close()
      throw error
    }
  })
}

const FILES_BACK = 'name the files that belong to it, or restore a backup into a new database and new files'
const PUT_BACK = 'name the database that belongs to the files, or restore a backup into new ones'

/** The parts of a store that need not be there yet. */
export async function openParts(place: StorePlace): Promise<Pick<Store, 'database' | 'locks' | 'files'>> {
  return explained(place, async () => {
    const files = await openFiles(place)
    if (lacksDatabase(place)) await makeDataFolder(storePaths(place.data))
    return { ...(await openDatabase(place)), files }
  })
}

async function openDatabase({ data, database }: StorePlace): Promise<{ database: Database; locks: Locks }> {
  if (database !== undefined) return openPostgres(database)
  const paths = storePaths(data)
  return { database: await openSqlite(paths.database), locks: openLocks(paths.locks) }
}

/** The client is loaded only if it is used. */
async function openFiles({ data, files }: StorePlace): Promise<Files> {
  if (files === undefined) return openDiskFiles(storePaths(data).files)
  return (await import('./files/files-s3.ts')).openS3Files(files)
}

function lacksDatabase({ data, database }: StorePlace): boolean {
  return database === undefined && !existsSync(storePaths(data).database)
}

function lost(place: StorePlace): LostStore {
  const what = 'has no store in it, and files of a store are beside it'
  const fix = 'restore a backup into a new database and new files, or name files that are empty'
  return new LostStore('store_lost', placeName(place), what, fix)
}

async function explained<Value>(place: StorePlace, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreError ? error : cannotOpen(place, error)
  }
}

function cannotOpen(place: StorePlace, cause: unknown): StoreError {
  const fix = 'see that the server runs, and that this user may use it'
  const message = `cannot open the store at ${placeName(place)}: ${errorMessage(cause)}; ${fix}`
  return new StoreError('store_unreadable', message, { cause })
}
