import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '../base/error.ts'
import type { Database } from './database/database.ts'
import type { Locks } from './database/locks.ts'
import { openLocks } from './database/locks-sqlite.ts'
import { migrate } from './database/migrate.ts'
import { openSqlite } from './database/sqlite.ts'
import type { Files } from './files/files.ts'
import { openDiskFiles } from './files/files-disk.ts'
import { type Identity, identityOf } from './identity.ts'
import { remainInPlace } from './in-place.ts'
import { asLost, assertMeant, type Evidence, findEvidence } from './lost.ts'
import { DATABASE, type Parts, partsOf } from './parts.ts'
import { fullDisk, isBarred, MEND_RIGHTS, StoreError, tooManyOpen } from './store-error.ts'

/** What lasts: the catalogue, the bytes of files, and what this store is. */
export type Store = {
  database: Database
  files: Files
  locks: Locks
  identity: Identity
  /** Whether its folder and its database still stand where it was opened; throws where that cannot be seen. */
  isInPlace: () => boolean
  close: () => Promise<void>
}

/** Whether a data folder has a store, whatever state it is in. */
export function hasStore(folder: string): Promise<boolean> {
  const { database, files, restoring } = partsOf(folder)
  return orInWords(
    folder,
    async () => existsSync(database) || existsSync(restoring) || !(await openDiskFiles(files).isEmpty()),
  )
}

/**
 * Opens the store in a data folder, making both on first use: the folder for its owner alone (0700), the catalogue with
 * its keys as well (0600), and a `.gitignore` that keeps it all out of git.
 *
 * @throws {StoreError} where the folder is of no use, its database is lost, or a newer version has written it.
 */
export function openStore(folder: string): Promise<Store> {
  return orInWords(folder, async () => {
    const parts = partsOf(folder)
    const files = openDiskFiles(parts.files)
    if (!existsSync(parts.database) && existsSync(folder)) await assertNothingElse(folder)
    const evidence = await findEvidence(parts, files)
    if (!existsSync(parts.database)) await makeDataFolder(parts)
    return openIn(parts, files, evidence)
  })
}

/** Looks whether a store could be made in a folder, and makes none; throws as `openStore` does. */
export function assertFree(folder: string): Promise<void> {
  return orInWords(folder, async () => {
    if (existsSync(folder)) await assertNothingElse(folder)
  })
}

async function orInWords<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const told = fullDisk(error, folder) ?? tooManyOpen(error, folder) ?? asLost(error, folder)
    if (told instanceof StoreError) throw told
    const reason = errorMessage(error)
    const fix = isBarred(error)
      ? `${MEND_RIGHTS}, or name another folder with --data`
      : 'name a folder with --data that this user may write to, or restore it from a backup'
    throw new StoreError(`cannot open the store in ${folder}: ${reason}; ${fix}`, { cause: error })
  }
}

async function openIn(parts: Parts, files: Files, evidence: Evidence | undefined): Promise<Store> {
  const database = await openSqlite(parts.database)
  try {
    if (evidence) await assertMeant(database, evidence, parts)
    await migrate(database)
    const identity = await identityOf(database)
    if (evidence?.owner === undefined) await bind(files, identity)
    const locks = openLocks(parts.locks)
    const isInPlace = remainInPlace(placesOf(parts))
    return { database, files, locks, identity, isInPlace, close: async () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Without its log and the index of it (https://sqlite.org/wal.html), a database that is open no longer sees what others write. */
function placesOf({ database }: Parts): string[] {
  return [dirname(database), database, `${database}-wal`, `${database}-shm`]
}

/**
 * Has the files say that they belong to this store. Where the system does not let them be written to now, a later opening
 * does it, doctor tells it, and gc is refused until then.
 */
async function bind(files: Files, { urn }: Identity): Promise<void> {
  try {
    await files.own(urn)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

async function makeDataFolder(parts: Parts): Promise<void> {
  const { folder, database } = parts
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertNothingElse(folder)
  await closeToOthers(folder)
  await using file = await open(database, 'a', 0o600)
  await file.chmod(0o600)
}

async function assertNothingElse(folder: string): Promise<void> {
  if ((await readdir(folder)).some(name => !name.startsWith('.') && name !== 'lost+found' && !OURS.includes(name)))
    throw new StoreError(`${folder} has other things in it and no store: name a new or empty folder with --data`)
}

/** Makes a data folder its owner's alone, and keeps what is in it out of git. */
export async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) await writeFile(ignore, '*\n', { mode: 0o600 })
}

/** What a process that makes the folder at the same time may have put there. */
const OURS: readonly string[] = ['', '-wal', '-shm', '-journal'].map(end => DATABASE + end).concat('files', 'locks')
