import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from './database.ts'
import { openSqlite } from './database-sqlite.ts'
import type { Files } from './files.ts'
import { openDiskFiles } from './files-disk.ts'
import { type Identity, identityOf } from './identity.ts'
import { remainInPlace } from './in-place.ts'
import type { Locks } from './locks.ts'
import { openLocks } from './locks-sqlite.ts'
import { migrate } from './migrate.ts'
import { StoreError, withWords } from './store-error.ts'

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
export function hasStore(folder: string): boolean {
  return existsSync(partsOf(folder).database)
}

/** Where the parts of a store stand in its data folder. */
export function partsOf(folder: string): { database: string; files: string; locks: string } {
  return { database: join(folder, DATABASE), files: join(folder, 'files'), locks: join(folder, 'locks') }
}

const DATABASE = 'housestyle.db'

/**
 * Opens the store in a data folder, making both on first use: the folder for its owner alone (0700), the catalogue with
 * its keys as well (0600), and a `.gitignore` that keeps it all out of git.
 *
 * @throws {StoreError} where the folder is of no use, or a newer version has written it.
 */
export function openStore(folder: string): Promise<Store> {
  return orInWords(folder, async () => {
    if (!hasStore(folder)) await makeDataFolder(folder)
    return openIn(partsOf(folder))
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
    const told = withWords(error, folder)
    if (told instanceof StoreError) throw told
    const reason = error instanceof Error ? error.message : String(error)
    const fix = 'name a folder with --data that this user may write to, or restore it from a backup'
    throw new StoreError(`cannot open the store in ${folder}: ${reason}; ${fix}`, { cause: error })
  }
}

async function openIn(parts: ReturnType<typeof partsOf>): Promise<Store> {
  const database = await openSqlite(parts.database)
  try {
    await migrate(database)
    const identity = await identityOf(database)
    const files = openDiskFiles(parts.files)
    const locks = openLocks(parts.locks)
    const isInPlace = remainInPlace([dirname(parts.database), parts.database])
    return { database, files, locks, identity, isInPlace, close: async () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function makeDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await assertNothingElse(folder)
  await closeToOthers(folder)
  await using file = await open(partsOf(folder).database, 'a', 0o600)
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
