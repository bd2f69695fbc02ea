import { existsSync } from 'node:fs'
import { errorMessage } from '../base/error.ts'
import { areBound, bindFiles } from './binding.ts'
import { refersToFiles } from './catalogue/references.ts'
import { openClock } from './clock.ts'
import { openCatalogue } from './committed-changes.ts'
import type { Database } from './database/database.ts'
import type { Lock, Locks } from './database/locks.ts'
import { openLocks } from './database/locks.ts'
import { migrate, versionOf } from './database/migrate.ts'
import { openPostgres } from './database/postgres.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles } from './files/files-disk.ts'
import { identityOf } from './identity.ts'
import { createInPlaceCheck } from './in-place.ts'
import { placeName, type StorePlace, storePaths } from './paths.ts'
import { makeDataFolder, type OpenedStore, type Opening, type Store } from './store.ts'
import { FilesOutage, LostStore, StoreError } from './store-error.ts'

/**
 * Opens a store whose parts several machines share; the first use creates it.
 *
 * @throws {StoreError} if it cannot be reached, its database is lost, or a newer version has written it.
 */
export async function openSharedStore(place: StorePlace, opening: Opening = {}): Promise<OpenedStore> {
  return explained(place, async () => {
    // Before the database is looked at: a process that creates the store at the same time makes the database first.
    const found = await lookForFiles(place)
    if (lacksDatabase(place)) {
      if (found.absence) throw found.absence
      if (found.hasFiles) throw lost(place)
      await makeDataFolder(storePaths(place.data))
    }
    return openOn(place, found, await openDatabase(place), opening)
  })
}

/** The same for a store that is there, be it damaged; undefined if there is none. */
export async function findSharedStore(place: StorePlace): Promise<OpenedStore | undefined> {
  return explained(place, async () => {
    const found = await lookForFiles(place)
    if (lacksDatabase(place)) {
      if (found.absence) throw found.absence
      if (found.hasFiles) throw lost(place)
      return undefined
    }
    const opened = await openDatabase(place)
    if (found.hasFiles || (await versionOf(opened.database)) > 0) return openOn(place, found, opened, {})
    await opened.database.close()
    if (found.absence) throw found.absence
    return undefined
  })
}

type OpenedDatabase = { database: Database; locks: Locks }

/** Files, whether there are any, and why they cannot be asked if their server is away, which may pass. */
type FoundFiles = { files: Files; hasFiles: boolean; absence?: FilesOutage }

async function lookForFiles(place: StorePlace): Promise<FoundFiles> {
  const files = await openFiles(place)
  try {
    await files.probe?.()
    return { files, hasFiles: !(await files.isEmpty()) }
  } catch (error) {
    if (error instanceof FilesOutage && error.isDown) return { files, hasFiles: false, absence: error }
    throw error
  }
}

/** A store that has been bound to its files is opened without them while they are away. */
async function openOn(
  place: StorePlace,
  found: FoundFiles,
  { database, locks }: OpenedDatabase,
  opening: Opening,
): Promise<OpenedStore> {
  const { files, hasFiles, absence } = found
  let making: Lock | undefined
  try {
    const isNew = (await versionOf(database)) === 0
    if (hasFiles && isNew) throw lost(place)
    if (absence && (isNew || !(await areBound(database)))) throw absence
    if (isNew) making = await lockMaking(place, locks)
    const isMade = (await migrate(database, opening)) === 0
    const identity = await identityOf(database)
    if (!absence) await assertFiles(place, found, { database, identity })
    const isInPlace = place.database === undefined ? createInPlaceCheck(storePaths(place.data)) : () => true
    const close = async () => database.close()
    const clock = await openClock(database)
    return { database, files, locks, identity, clock, isInPlace, close, isMade }
  } catch (error) {
    await database.close()
    throw error
  } finally {
    await making?.release()
  }
}

/** Throws if the files are not those of the store; binds them to it otherwise. */
async function assertFiles(
  place: StorePlace,
  { files, hasFiles }: FoundFiles,
  { database, identity }: Pick<Store, 'database' | 'identity'>,
): Promise<void> {
  const owner = await files.owner()
  if (owner !== undefined && owner !== identity.urn)
    throw new LostStore('store_foreign', placeName(place), 'is of another store than its files', PUT_BACK)
  if (!hasFiles && (await refersToFiles(database)) && (await files.isEmpty()))
    throw new LostStore('files_lost', placeName(place), 'refers to files, and there are none', FILES_BACK)
  await bindFiles(database, files, identity)
}

/** A restore holds it alone. Those that make the store share it: a store is not made where another is being restored. */
export const RESTORE_LOCK = 'restore'

async function lockMaking(place: StorePlace, locks: Locks): Promise<Lock> {
  const lock = await locks.tryAcquire(RESTORE_LOCK, 'shared')
  if (lock) return lock
  throw new StoreError(
    'store_in_use',
    `a backup is being restored into ${placeName(place)}: try again when that is done`,
  )
}

const FILES_BACK = 'name the files that belong to it, or restore a backup into a new database and new files'
const PUT_BACK = 'name the database that belongs to the files, or restore a backup into new ones'

/** The parts of a store that need not be there yet. The signal ends what is asked of files on another machine. */
export async function openParts(
  place: StorePlace,
  signal: AbortSignal,
): Promise<Pick<Store, 'database' | 'locks' | 'files'>> {
  return explained(place, async () => {
    const files = await openFiles(place, signal)
    if (lacksDatabase(place)) await makeDataFolder(storePaths(place.data))
    return { ...(await openDatabase(place)), files }
  })
}

async function openDatabase({ data, database }: StorePlace): Promise<OpenedDatabase> {
  if (database !== undefined) return openPostgres(database)
  const paths = storePaths(data)
  return { database: await openCatalogue(paths), locks: openLocks(paths.locks) }
}

/** The client is loaded only if it is used. */
async function openFiles({ data, files }: StorePlace, signal?: AbortSignal): Promise<Files> {
  if (files === undefined) return openDiskFiles(storePaths(data).files)
  return (await import('./files/files-s3.ts')).openS3Files(files, signal)
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
