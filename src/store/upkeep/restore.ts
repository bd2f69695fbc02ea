import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorMessage } from '#platform/base/error.ts'
import { shellWord } from '#platform/base/text.ts'
import { verifyObjects } from '../catalogue/objects.ts'
import { collectContents, listReadableReferences } from '../catalogue/references.ts'
import type { Database, Queries } from '../database/database.ts'
import { openLocks } from '../database/locks.ts'
import { knownVersion, migrate, versionOf } from '../database/migrate.ts'
import { openSqlite, readImmutable } from '../database/sqlite.ts'
import type { Files, Incoming } from '../files/files.ts'
import { openDiskFiles } from '../files/files-disk.ts'
import { findUrn } from '../identity.ts'
import { isUnfinishedRestore } from '../lost-store.ts'
import { storePaths } from '../paths.ts'
import { makePrivate } from '../store.ts'
import { asStoreError, fullDiskError, isUnwritable, StoreError } from '../store-error.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { CATALOGUE, damagedBackup, newerBackup, readArchive } from './archive.ts'
import { type RestoredAccess, restoredAccess } from './restored-access.ts'
import { type Unpacked, type UnpackOptions, unpack } from './unpack.ts'

/** The restored contents, as `housestyle restore --json` prints them; `complete` if the folder already had all of them. */
export type RestoreResult = {
  data: string
  made: string
  projects: number
  files: number
  access: RestoredAccess
  complete?: true
}

export type RestoreOptions = UnpackOptions & { now: () => Date }

/**
 * Restores a backup into an empty data folder, which it creates if necessary. Everything is unpacked and checked in
 * `.restoring` first, and moves into place at the end.
 *
 * @throws {StoreError} if the folder has something else than this backup, or the archive is damaged, truncated or of a
 *   newer version. Then nothing of the archive stays in the folder.
 */
export async function restore(path: string, data: string, options: RestoreOptions): Promise<RestoreResult> {
  return readArchive(path, async (entries, size) => {
    try {
      const isNew = await makeFolder(data)
      const earlier = existsSync(storePaths(data).database) && (await restoredBefore(path, data, options))
      if (earlier) return earlier
      await assertEmpty(data)
      return await withRestoreLock(data, isNew, async restoring => {
        await removeLeftovers(data)
        const files = openDiskFiles(storePaths(restoring).files)
        const read = await withIncomingFiles(files, put =>
          unpack(path, entries, size, { folder: restoring, put }, options),
        )
        const checked = await checkRestored(path, { catalogue: join(restoring, CATALOGUE), files, read }, options)
        options.signal.throwIfAborted()
        await moveIntoPlace(data)
        return { data, made: read.made, ...checked }
      })
    } catch (error) {
      throw asStoreError(error, data)
    }
  })
}

/** The result if an earlier restore of this backup, perhaps killed in its last step, has left it in the folder unchanged. */
async function restoredBefore(path: string, data: string, options: RestoreOptions): Promise<RestoreResult | undefined> {
  const { database, files, restoring } = storePaths(data)
  const { pathOf } = openDiskFiles(files)
  let isSame = !statSync(`${database}-wal`, { throwIfNoEntry: false })?.size
  // Unpacks into a temporary folder, but only compares each file with the one in the data folder.
  const put: Files['put'] = async (...[workspace, hash]) => {
    isSame &&= (await hashOfFile(pathOf(workspace, hash)).catch(() => '')) === hash
  }
  await using temporary = await makeTemporaryFolder()
  const catalogue = join(temporary.path, CATALOGUE)
  try {
    const read = await readArchive(path, (entries, size) =>
      unpack(path, entries, size, { folder: temporary.path, put }, options),
    )
    const checked = await checkRestored(path, { catalogue, files: { setOwner: async () => undefined }, read }, options)
    if (!isSame || (await hashOfFile(catalogue)) !== (await hashOfFile(database))) return undefined
    await rm(restoring, { recursive: true, force: true })
    return { data, made: read.made, ...checked, complete: true }
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

async function hashOfFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of createReadStream(path)) digest.update(bytes)
  return digest.digest('hex')
}

/** Creates the data folder if it is missing, and checks that it can be read. Returns whether it is new. */
async function makeFolder(data: string): Promise<boolean> {
  const isNew = !existsSync(data)
  try {
    if (isNew) {
      await mkdir(dirname(data), { recursive: true, mode: 0o700 })
      await mkdir(data, { mode: 0o700 })
    }
    await readdir(data)
    return isNew
  } catch (error) {
    const reason = errorMessage(error)
    const message = `cannot restore into ${data}: ${reason}; name a folder with --data that this user may write to`
    throw fullDiskError(error, data) ?? new StoreError('folder_unwritable', message, { cause: error })
  }
}

/** Runs a restore with a lock on the folder. If it fails, it leaves nothing behind. */
async function withRestoreLock<Value>(
  data: string,
  isNew: boolean,
  work: (restoring: string) => Promise<Value>,
): Promise<Value> {
  const paths = storePaths(data)
  const locks = openLocks(paths.locks)
  using lock = locks.tryAcquire('restore', 'exclusive')
  if (!lock) throw new StoreError('store_in_use', `another restore into ${data} is running`)
  try {
    return await work(paths.restoring)
  } catch (error) {
    await rm(paths.restoring, { recursive: true, force: true })
    locks.remove('restore')
    if ((await readdir(paths.locks)).length === 0) await rmdir(paths.locks)
    if (isNew && !existsSync(paths.database)) await rm(data, { recursive: true, force: true })
    throw error
  }
}

/** Throws if the folder is not empty, apart from leftovers of a killed restore. Returns the names of those leftovers. */
async function assertEmpty(data: string): Promise<readonly string[]> {
  const names = await readdir(data)
  const paths = storePaths(data)
  const restoring = (await isUnfinishedRestore(paths, openDiskFiles(paths.files))) ? ['.restoring', 'files'] : []
  const leftovers = [...restoring, 'committed']
  const harmless = [...leftovers, 'locks', 'cache', 'lost+found', '.gitignore']
  if (names.every(name => harmless.includes(name) || name.startsWith('.gitignore-'))) return leftovers
  throw new StoreError(
    'folder_occupied',
    `${data} is not empty: restore into a new folder, for example with --data ${shellWord(`${data}-restored`)}`,
  )
}

/** Removes what a killed restore has left, and makes the folder of this one. */
async function removeLeftovers(data: string): Promise<void> {
  for (const name of await assertEmpty(data)) await rm(join(data, name), { recursive: true, force: true })
  await mkdir(storePaths(data).restoring, { mode: 0o700 })
}

/** Receives files and commits them in batches, the last at the end: nothing refers to them before. */
async function withIncomingFiles<Value>(files: Files, work: (put: Files['put']) => Promise<Value>): Promise<Value> {
  const incoming = new Map<string, Incoming>()
  try {
    const value = await work(async (workspace, hash, bytes) => {
      const receiving = incoming.get(workspace) ?? files.receive(workspace)
      incoming.set(workspace, receiving)
      if ((await receiving.add(bytes)) !== hash) throw new Error(`the bytes of file ${hash} do not match their hash`)
    })
    for (const receiving of incoming.values()) await receiving.commit()
    return value
  } finally {
    for (const receiving of incoming.values()) receiving.discard()
  }
}

/** What a restore has: the file of its catalogue, the owner's mark of its files, and what was unpacked. */
type Restored = { catalogue: string; files: Pick<Files, 'setOwner'>; read: Unpacked }

type Checked = Pick<RestoreResult, 'projects' | 'files' | 'access'>

/** Migrates the catalogue and checks that all content it refers to exists. */
export async function checkRestored(
  path: string,
  restored: Restored,
  { now }: Pick<RestoreOptions, 'now'>,
): Promise<Checked> {
  const { catalogue } = restored
  if (!existsSync(catalogue)) throw damagedBackup(path, 'it has no catalogue')
  try {
    await readImmutable(catalogue, queries => assertVersion(path, queries))
    await using database = await openSqlite(catalogue)
    const projects = await checkCatalogue(path, database, restored)
    return { projects, files: restored.read.files.size, access: await restoredAccess(database, now()) }
  } catch (error) {
    if (error instanceof StoreError || isUnwritable(error)) throw error
    throw damagedBackup(path, `its catalogue cannot be used (${errorMessage(error)})`)
  }
}

/** Throws if a catalogue has no tables of a store, or those of a newer version. Call before it is opened for writing. */
export async function assertVersion(path: string, queries: Queries): Promise<void> {
  const version = await versionOf(queries)
  if (version === 0) throw damagedBackup(path, 'its catalogue contains no store')
  if (version > knownVersion()) throw newerBackup(path)
}

/** Checks a catalogue, migrates it, and names its store as the owner of the files. Returns the number of projects. */
async function checkCatalogue(path: string, database: Database, { files, read }: Restored): Promise<number> {
  const [fault] = await database.faults()
  if (fault !== undefined) throw damagedBackup(path, `its catalogue is damaged (${fault})`)
  const urn = await findUrn(database)
  if (urn === undefined || !URN.test(urn)) throw damagedBackup(path, 'its catalogue contains no store')
  await verifyObjects(database, objects => {
    const altered = objects.find(({ isSound }) => !isSound)
    if (altered) throw damagedBackup(path, `object ${altered.hash} of ${altered.workspace} does not match its hash`)
  })
  await migrate(database)
  await files.setOwner(urn)
  // In a transaction, SQLite locks the file only once.
  const { references, contents } = await database.transaction(async queries => {
    const references = await listReadableReferences(queries)
    return { references, contents: await collectContents(queries, references) }
  })
  for (const [workspace, needed] of contents.needed)
    for (const hash of needed.files)
      if (!read.files.has(`${workspace}/${hash}`)) throw damagedBackup(path, `files/${workspace}/${hash} is missing`)
  return references.records.filter(({ from }) => from === 'draft').length
}

const URN = /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Moves the files first: the store exists once its catalogue has its name. */
async function moveIntoPlace(data: string): Promise<void> {
  const { database, files, restoring } = storePaths(data)
  await makePrivate(data)
  await rename(storePaths(restoring).files, files)
  try {
    await link(join(restoring, CATALOGUE), database)
  } catch (error) {
    await rm(files, { recursive: true, force: true })
    throw error
  }
  await rm(restoring, { recursive: true })
  await using folder = await open(data)
  await folder.sync()
}
