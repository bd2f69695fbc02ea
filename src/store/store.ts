import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '../base/error.ts'
import { bindFiles } from './binding.ts'
import type { Database } from './database/database.ts'
import { type Locks, openLocks } from './database/locks.ts'
import { migrate } from './database/migrate.ts'
import { openSqlite } from './database/sqlite.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles } from './files/files-disk.ts'
import { clearRestored } from './half-restore.ts'
import { type Identity, identityOf } from './identity.ts'
import { asLost, assertSameStore, type Evidence, findEvidence, hasTraces } from './lost.ts'
import { DATABASE, type StorePaths, storePaths } from './paths.ts'
import { fullDisk, isAccessDenied, RIGHTS_FIX, StoreError, tooManyOpen } from './store-error.ts'

/** What lasts: the catalogue, the bytes of files, and what this store is. */
export type Store = {
  database: Database
  files: Files
  locks: Locks
  identity: Identity
  /** Whether its folder and its database are still the ones that were opened; throws if that cannot be seen. */
  isInPlace: () => boolean
  close: () => Promise<void>
}

/** Whether a data folder has a store, whatever state it is in. */
export function hasStore(folder: string): Promise<boolean> {
  const { database, files, restoring } = storePaths(folder)
  return explaining(
    folder,
    async () => existsSync(database) || existsSync(restoring) || !(await openDiskFiles(files).isEmpty()),
  )
}

/**
 * Opens the store in a data folder, making both on first use: the folder for its owner alone (0700), the catalogue with
 * its keys as well (0600), and a `.gitignore` that keeps it all out of git.
 *
 * @throws {StoreError} if the folder cannot be used, its database is lost, or a newer version has written it.
 */
export function openStore(folder: string): Promise<Store> {
  return explaining(folder, async () => {
    const paths = storePaths(folder)
    const files = openDiskFiles(paths.files)
    if (!existsSync(paths.database) && existsSync(folder) && !(await hasTraces(paths, files)))
      await assertNothingElse(folder)
    const evidence = await findEvidence(paths, files)
    if (!existsSync(paths.database)) await makeDataFolder(paths)
    return openIn(paths, files, evidence)
  })
}

/** Looks whether a store could be made in a folder, and makes none; throws as `openStore` does. */
export function assertFree(folder: string): Promise<void> {
  return explaining(folder, async () => {
    if (existsSync(folder)) await assertNothingElse(folder)
  })
}

async function explaining<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const told = fullDisk(error, folder) ?? tooManyOpen(error, folder) ?? asLost(error, folder)
    throw told instanceof StoreError ? told : cannotOpen(folder, error)
  }
}

function cannotOpen(folder: string, cause: unknown): StoreError {
  const fix = isAccessDenied(cause)
    ? `${RIGHTS_FIX}, or name another folder with --data`
    : 'name a folder with --data that this user may write to, or restore it from a backup'
  const message = `cannot open the store in ${folder}: ${errorMessage(cause)}; ${fix}`
  return new StoreError('store_unreadable', message, { cause })
}

async function openIn(paths: StorePaths, files: Files, evidence: Evidence | undefined): Promise<Store> {
  if (evidence) await assertSameStore(evidence, paths)
  const database = await openSqlite(paths.database)
  try {
    await migrate(database)
    const identity = await identityOf(database)
    await bindFiles(database, files, identity)
    const locks = openLocks(paths.locks)
    await clearRestored(paths, locks)
    const isInPlace = remainInPlace(placesOf(paths))
    return { database, files, locks, identity, isInPlace, close: async () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Without its log and the index of it (https://sqlite.org/wal.html), a database that is open no longer sees what others write. */
function placesOf({ database }: StorePaths): string[] {
  return [dirname(database), database, `${database}-wal`, `${database}-shm`]
}

/**
 * Remembers which folder or file is at each path; gives whether the same still are, by device and inode. What was
 * moved away and back is the same. Throws if that cannot be seen.
 */
function remainInPlace(paths: readonly string[]): () => boolean {
  const inodes = paths.map(inodeAt)
  return () => paths.every((path, at) => inodeAt(path) === inodes[at])
}

function inodeAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : 'none'
}

async function makeDataFolder(paths: StorePaths): Promise<void> {
  const { folder, database } = paths
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertNothingElse(folder)
  await closeToOthers(folder)
  await using file = await open(database, 'a', 0o600)
  await file.chmod(0o600)
}

async function assertNothingElse(folder: string): Promise<void> {
  if ((await readdir(folder)).some(name => !name.startsWith('.') && name !== 'lost+found' && !OURS.includes(name)))
    throw new StoreError(
      'folder_occupied',
      `${folder} has other things in it and no store: name a new or empty folder with --data`,
    )
}

/** Makes a data folder its owner's alone, and keeps what is in it out of git. */
export async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const ignore = join(folder, '.gitignore')
  if (existsSync(ignore) && (await stat(ignore)).size > 0) return
  const temporary = `${ignore}-${randomUUID()}` // It is whole or not there, wherever this ends.
  try {
    await writeFile(temporary, '*\n', { mode: 0o600, flag: 'wx' })
    await rename(temporary, ignore)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** What a process that makes the folder at the same time may have put there. */
const OURS: readonly string[] = ['', '-wal', '-shm', '-journal'].map(end => DATABASE + end).concat('files', 'locks')
