import { existsSync } from 'node:fs'
import { errorMessage } from '#platform/base/error.ts'
import { withReason } from '#platform/base/reason.ts'
import { refersToFiles } from './catalogue/references.ts'
import { openClock } from './clock.ts'
import { openCatalogue } from './committed-changes.ts'
import type { Database } from './database/database.ts'
import { type Lock, type Locks, openLocks } from './database/locks.ts'
import { migrate, versionOf } from './database/migrate.ts'
import { openPostgres } from './database/postgres.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles } from './files/files-disk.ts'
import { areBound, bindFiles, identityOf } from './identity.ts'
import { createInPlaceCheck } from './lost-store.ts'
import { placeName, type StorePlace, storePaths } from './paths.ts'
import { makeDataFolder, type OpenedStore, type Opening, type Store, writeProbe } from './store.ts'
import { FilesOutage, LostStore, StoreError } from './store-error.ts'

/**
 * Opens a store whose parts several machines share; the first use creates it.
 *
 * @throws {StoreError} if it cannot be reached, its database is lost, or a newer version has written it.
 */
export async function openSharedStore(place: StorePlace, opening: Opening = {}): Promise<OpenedStore> {
  return explainErrors(place, async () => {
    // Checks the files before the database, because a concurrent process that creates the store creates the database first.
    const state = await lookForFiles(place)
    if (lacksDatabase(place)) {
      assertNoFiles(place, state)
      await makeDataFolder(storePaths(place.data))
    }
    return openOn(place, state, await openDatabase(place), opening)
  })
}

/** Opens an existing shared store, even a damaged one; undefined if there is none. */
export async function findSharedStore(place: StorePlace): Promise<OpenedStore | undefined> {
  return explainErrors(place, async () => {
    const state = await lookForFiles(place)
    if (!lacksDatabase(place)) {
      const opened = await openDatabase(place)
      if (state.hasFiles || (await versionOf(opened.database)) > 0) return openOn(place, state, opened, {})
      await opened.database.close()
    }
    assertNoFiles(place, state)
    return undefined
  })
}

type OpenedDatabase = { database: Database; locks: Locks }

/** Files, whether any exist, and the outage if their server is unavailable. */
type FilesState = { files: Files; hasFiles: boolean; outage?: FilesOutage }

/** Opens the files of a store, and looks whether there are any. */
async function lookForFiles(place: StorePlace): Promise<FilesState> {
  const files = await openFiles(place)
  try {
    await files.probe?.()
    const isEmpty = await files.isEmpty()
    return { files, hasFiles: !isEmpty }
  } catch (error) {
    if (error instanceof FilesOutage && error.isDown) return { files, hasFiles: false, outage: error }
    throw error
  }
}

/** Throws if there are files, or if an outage hides whether there are any: a store with files has a database. */
function assertNoFiles(place: StorePlace, { hasFiles, outage }: FilesState): void {
  if (outage) throw outage
  if (hasFiles) throw lost(place)
}

/** Opens the store. A store that is bound to its files opens without them while they are unavailable. */
async function openOn(
  place: StorePlace,
  state: FilesState,
  { database, locks }: OpenedDatabase,
  opening: Opening,
): Promise<OpenedStore> {
  const { files, hasFiles, outage } = state
  try {
    const isNew = (await versionOf(database)) === 0
    if (hasFiles && isNew) throw lost(place)
    if (outage && (isNew || !(await areBound(database)))) throw outage
    await using _ = isNew ? await lockCreation(place, locks) : undefined
    const isMade = (await migrate(database, opening)) === 0
    const identity = await identityOf(database)
    if (!outage) await assertFiles(place, state, { database, identity })
    const isInPlace = place.database === undefined ? createInPlaceCheck(storePaths(place.data)) : () => true
    const close = async () => database.close()
    const clock = await openClock(database)
    const usesDisk = place.database === undefined || place.files === undefined
    const probeDisk = usesDisk && { probeDisk: () => writeProbe(place.data) }
    return { database, files, locks, identity, clock, ...probeDisk, isInPlace, close, isMade }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Throws if the files belong to another store; binds them to this one otherwise. */
async function assertFiles(
  place: StorePlace,
  { files, hasFiles }: FilesState,
  { database, identity }: Pick<Store, 'database' | 'identity'>,
): Promise<void> {
  const owner = await files.owner()
  if (owner !== undefined && owner !== identity.urn)
    throw new LostStore('store_foreign', placeName(place), 'belongs to another store than its files', PUT_BACK)
  if (!hasFiles && (await refersToFiles(database)) && (await files.isEmpty()))
    throw new LostStore('files_lost', placeName(place), 'refers to files, but there are none', FILES_BACK)
  await bindFiles(database, files, identity)
}

/**
 * The lock of a restore, which holds it exclusively. Creating a store shares it, so that no store is created where
 * another is being restored.
 */
export const RESTORE_LOCK = 'restore'

/** Holds the lock for the creation of a store. Throws while a restore holds it. */
async function lockCreation(place: StorePlace, locks: Locks): Promise<Lock> {
  const lock = await locks.tryAcquire(RESTORE_LOCK, 'shared')
  if (lock) return lock
  throw new StoreError(
    'store_in_use',
    `a backup is being restored into ${placeName(place)}: try again when that is done`,
  )
}

const FILES_BACK = 'name the files that belong to it, or restore a backup into a new database and new files'
const PUT_BACK = 'name the database that belongs to the files, or restore a backup into new ones'

/** Opens the parts of a store that may not exist yet. The signal ends requests for files on another machine. */
export async function openParts(
  place: StorePlace,
  signal: AbortSignal,
): Promise<Pick<Store, 'database' | 'locks' | 'files'>> {
  return explainErrors(place, async () => {
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

/** Loads the S3 client only if it is used. */
async function openFiles({ data, files }: StorePlace, signal?: AbortSignal): Promise<Files> {
  if (files === undefined) return openDiskFiles(storePaths(data).files)
  const { openS3Files } = await import('./files/files-s3.ts')
  return openS3Files(files, signal)
}

/** Whether the database is a file that does not exist; only opening it shows whether one on a server has a store. */
function lacksDatabase({ data, database }: StorePlace): boolean {
  return database === undefined && !existsSync(storePaths(data).database)
}

/** The error for files without the store that they belong to. */
function lost(place: StorePlace): LostStore {
  const what = 'contains no store, but there are files of one'
  const fix = 'restore a backup into a new database and new files, or name files that are empty'
  return new LostStore('store_lost', placeName(place), what, fix)
}

/** Does work on a store; its errors name the store and say what to do. */
async function explainErrors<Value>(place: StorePlace, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreError ? error : cannotOpen(place, error)
  }
}

function cannotOpen(place: StorePlace, cause: unknown): StoreError {
  const fix = 'check that the server runs, and that this user has access'
  const message = `cannot open the store at ${placeName(place)}; ${fix}`
  return new StoreError('store_unreadable', withReason(message, errorMessage(cause)), { cause })
}
