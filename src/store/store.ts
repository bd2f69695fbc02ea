import { existsSync, lstatSync } from 'node:fs'
import { chmod, mkdir, open, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import { openClock, type StoreClock } from './clock.ts'
import { openCatalogue } from './committed-changes.ts'
import type { Database } from './database/database.ts'
import { type Locks, openLocks } from './database/locks.ts'
import { migrate } from './database/migrate.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles, writeInPlace } from './files/files-disk.ts'
import { bindFiles, type Identity, identityOf } from './identity.ts'
import {
  asLostDatabase,
  assertFilesFolder,
  assertFilesThere,
  assertSameStore,
  assertStoreOf,
  createInPlaceCheck,
  type Evidence,
  findEvidence,
  hasStoreFiles,
} from './lost-store.ts'
import { DATABASE, type StorePaths, storePaths } from './paths.ts'
import { ACCESS_FIX, fullDiskError, isAccessDenied, lowDiskError, StoreError, tooManyOpenError } from './store-error.ts'

/** An open store: the catalogue, the bytes of files, the locks between processes, and its identity. */
export type Store = {
  database: Database
  files: Files
  locks: Locks
  identity: Identity
  clock: StoreClock
  /** The data folder; absent if several machines share the store. */
  folder?: string
  /** Writes a file to the disk of the data folder and removes it. Throws if it cannot. */
  probeDisk?: () => Promise<void>
  /** Whether its folder, database and files are still the opened ones. Throws if they cannot be examined. */
  isInPlace: () => boolean
  close: () => Promise<void>
}

/** A store, and whether this call has created it: among concurrent calls, exactly one has. */
export type OpenedStore = Store & { isMade: boolean }

/** Whether a data folder has a store, even a damaged one. */
export function hasStore(folder: string): Promise<boolean> {
  const paths = storePaths(folder)
  return explainErrors(
    folder,
    async () =>
      [paths.database, paths.restoring].some(isFound) || (await hasStoreFiles(paths, openDiskFiles(paths.files))),
  )
}

/** Whether there is something at a path. Throws if this user has no access. */
function isFound(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/**
 * Opens the store in a data folder. The first use creates the folder (0700), the catalogue with its keys (0600), both
 * private to their owner, and a `.gitignore` that excludes everything from git.
 *
 * @throws {StoreError} if the folder cannot be used, its database or files are lost, or a newer version has written it.
 */
export function openStore(folder: string, opening: Opening = {}): Promise<OpenedStore> {
  return explainErrors(folder, async () => {
    const paths = storePaths(folder)
    const files = openDiskFiles(paths.files)
    if (!existsSync(paths.database) && existsSync(folder) && !(await hasStoreFiles(paths, files)))
      await assertNothingElse(folder)
    const evidence = await findEvidence(paths, files)
    assertFilesFolder(paths)
    if (!existsSync(paths.database)) await makeDataFolder(paths)
    return openIn(paths, files, evidence, opening)
  })
}

/** Throws like `openStore` if no store could be created in a folder; creates nothing. */
export function assertFree(folder: string): Promise<void> {
  return explainErrors(folder, async () => {
    if (existsSync(folder)) await assertNothingElse(folder)
  })
}

/** Does work on the store in a folder; its errors name the folder and say what to do. */
async function explainErrors<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const explained = fullDiskError(error, folder) ?? tooManyOpenError(error, folder) ?? asLostDatabase(error, folder)
    throw explained instanceof StoreError ? explained : cannotOpen(folder, error)
  }
}

function cannotOpen(folder: string, cause: unknown): StoreError {
  const fix = isAccessDenied(cause)
    ? `${ACCESS_FIX}, or name another folder with --data`
    : 'name a folder with --data that this user may write to, or restore it from a backup'
  const message = `cannot open the store in ${folder}: ${errorMessage(cause)}; ${fix}`
  return new StoreError('store_unreadable', message, { cause })
}

/** Whether a service opens the store. It may use tables of a newer version that allow this. */
export type Opening = { isService?: boolean }

/** Opens a store of which the files are known. Each check comes before the step that would hide what it looks for. */
async function openIn(
  paths: StorePaths,
  files: Files,
  evidence: Evidence | undefined,
  opening: Opening,
): Promise<OpenedStore> {
  if (evidence) await assertSameStore(evidence, paths)
  const database = await openCatalogue(paths)
  try {
    if (evidence) await assertStoreOf(evidence, database, paths)
    const isMade = (await migrate(database, opening)) === 0
    const identity = await identityOf(database)
    await assertFilesThere(database, paths)
    await bindFiles(database, files, identity)
    const locks = openLocks(paths.locks)
    await removeRestoreLeftovers(paths, locks)
    const clock = await openClock(database)
    const close = async () => database.close()
    const { folder } = paths
    const probeDisk = () => writeProbe(folder)
    const isInPlace = createInPlaceCheck(paths)
    return { database, files, locks, identity, clock, folder, probeDisk, isInPlace, close, isMade }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Removes leftovers of a restore that was killed after it had created the store. */
async function removeRestoreLeftovers({ database, restoring }: StorePaths, locks: Locks): Promise<void> {
  if (!existsSync(restoring)) return
  await using lock = await locks.tryAcquire('restore', 'exclusive')
  if (lock && existsSync(database)) await rm(restoring, { recursive: true, force: true })
}

/**
 * Writes a file into a data folder and removes it. Throws if the disk is read-only or full, or if this disk, or that of
 * temporary files, has less space than a publication may need.
 */
export async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, '.probe')
  try {
    await writeFile(path, new Uint8Array(PROBE_BYTES), { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
  for (const place of [folder, tmpdir()]) {
    const { bavail, bsize } = await statfs(place)
    if (bavail * bsize < PUBLICATION_BYTES) throw lowDiskError(place, bavail * bsize, PUBLICATION_BYTES)
  }
}

const PROBE_BYTES = 1 << 16
/** The files of a guide of usual size, twice, and the changes of the catalogue. */
const PUBLICATION_BYTES = 64 << 20

/** Creates a data folder with an empty database, private to its owner. */
export async function makeDataFolder(paths: StorePaths): Promise<void> {
  const { folder, database, committed } = paths
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertNothingElse(folder)
  await makePrivate(folder)
  await rm(committed, { recursive: true, force: true })
  await using file = await open(database, 'a', 0o600)
  await file.chmod(0o600)
}

/** Throws if a folder has entries that belong to no store. */
async function assertNothingElse(folder: string): Promise<void> {
  const isForeign = (name: string) => !name.startsWith('.') && name !== 'lost+found' && !OWN_ENTRIES.includes(name)
  if ((await readdir(folder)).some(isForeign))
    throw new StoreError(
      'folder_occupied',
      `${folder} contains other files and no store: name a new or empty folder with --data`,
    )
}

/** Makes a data folder private to its owner, and excludes its contents from git. */
export async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const ignore = join(folder, '.gitignore')
  if (existsSync(ignore) && (await stat(ignore)).size > 0) return
  await writeInPlace(ignore, '*\n')
}

/** The entries that a concurrent process may create while it creates the store: its database with SQLite's files, and folders. */
const OWN_ENTRIES: readonly string[] = ['', '-wal', '-shm', '-journal']
  .map(end => DATABASE + end)
  .concat('files', 'locks', 'committed', 'cache')
