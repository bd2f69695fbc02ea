import { createReadStream, existsSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Hash } from '#brand/ids.ts'
import { errorMessage } from '#platform/base/error.ts'
import { once } from '#platform/base/promise.ts'
import { eraseSessions } from '../access/sessions.ts'
import { verifyObjects } from '../catalogue/objects.ts'
import { collectContents, contentsOf, listReadableReferences, mayNeedAllFiles } from '../catalogue/references.ts'
import { type ContentLockOptions, withContentLock } from '../content-lock.ts'
import type { Database } from '../database/database.ts'
import { knownVersion, SCHEMA } from '../database/migrate.ts'
import { openSqlite } from '../database/sqlite.ts'
import type { Files } from '../files/files.ts'
import type { Store } from '../store.ts'
import { asStoreError, contentName, fullDiskError, StoreError } from '../store-error.ts'
import { makeTemporaryFolder, recordBackup, removeKilledBackups, type TemporaryFolder } from '../temporary-folder.ts'
import { type ArchiveWriter, CATALOGUE, FORMAT, MANIFEST, writeArchive } from './archive.ts'
import { inOrder } from './in-order.ts'

/** The contents of a backup, as `housestyle backup --json` prints them. */
export type BackupResult = { file: string; files: number; bytes: number }

export type BackupOptions = Omit<ContentLockOptions, 'command'> & {
  now: () => Date
  progress: (done: number, total: number) => void
}

/**
 * Writes a consistent copy of the whole store, without sessions, into one archive (see archive.ts). Only its owner may
 * read the archive, because it contains the signing keys. Imports and publications continue meanwhile. The file gets its
 * name once it is complete and flushed to disk.
 *
 * @throws {StoreError} if the file exists already, or the store is damaged.
 */
export async function backUp(store: Store, file: string, options: BackupOptions): Promise<BackupResult> {
  if (existsSync(file)) throw new StoreError('backup_exists', `${file} already exists: name another file`)
  return withContentLock(store.locks, 'shared', { ...options, command: 'back up' }, async () => {
    await removeKilledBackups(store.database)
    await using folder = await makeBeside(file)
    const forget = await recordBackup(store.database, folder.path, options.now())
    try {
      const catalogue = join(folder.path, CATALOGUE)
      await store.database.saveTo(catalogue)
      eraseSessions(catalogue, options.now())
      const needed = await neededFiles(store, catalogue, options)
      const unfinished = join(folder.path, 'archive')
      const bytes = await writeAll(store, unfinished, catalogue, needed, options)
      await rename(unfinished, file)
      await syncFolder(dirname(file))
      return { file, files: needed.length, bytes }
    } catch (error) {
      throw asStoreError(error, dirname(file))
    } finally {
      await forget()
    }
  })
}

/** Makes the temporary folder of a backup, on the same disk as its file, so that the archive can be renamed. */
async function makeBeside(file: string): Promise<TemporaryFolder> {
  try {
    return await makeTemporaryFolder(resolve(dirname(file)))
  } catch (error) {
    const reason = errorMessage(error)
    const fix = 'name a file in an existing folder that this user may write to'
    const message = `cannot write ${file}: ${reason}; ${fix}`
    throw fullDiskError(error, dirname(file)) ?? new StoreError('folder_unwritable', message, { cause: error })
  }
}

type NeededFile = { workspace: string; hash: Hash }

/** The files of the saved catalogue; all files of a workspace with a damaged theme or reference. */
async function neededFiles(
  { database: { listeners }, files }: Store,
  catalogue: string,
  { signal }: BackupOptions,
): Promise<NeededFile[]> {
  await using database = await openSqlite(catalogue, listeners)
  await assertObjects(database)
  // In a transaction, SQLite locks the file only once.
  const contents = await database.transaction(async queries =>
    collectContents(queries, await listReadableReferences(queries)),
  )
  if (contents.damaged.length > 0)
    for await (const { workspace, hash } of files.listAll()) {
      signal.throwIfAborted()
      if (mayNeedAllFiles(contents, workspace)) contentsOf(contents.needed, workspace).files.add(hash)
    }
  return [...contents.needed].flatMap(([workspace, { files }]) => [...files].map(hash => ({ workspace, hash })))
}

/** Throws if an object does not match its hash, because a restore would refuse the backup. */
async function assertObjects(database: Database): Promise<void> {
  await verifyObjects(database, objects => {
    const altered = objects.find(({ isSound }) => !isSound)
    if (altered) throw damageError(contentName({ kind: 'object', ...altered }), 'has changed')
  })
}

/** Writes the archive. Returns its size. */
async function writeAll(
  { files }: Store,
  path: string,
  catalogue: string,
  needed: readonly NeededFile[],
  { now, signal, progress }: BackupOptions,
): Promise<number> {
  await using handle = await open(path, 'wx', 0o600)
  const archive = writeArchive(handle, now())
  const manifest = JSON.stringify({ format: FORMAT, schema: SCHEMA, tables: knownVersion(), made: now().toISOString() })
  await archive.add(MANIFEST, manifest.length, [Buffer.from(manifest)])
  await archive.add(CATALOGUE, (await stat(catalogue)).size, createReadStream(catalogue))
  await addFiles(archive, files, needed, { signal, progress })
  return await archive.finish()
}

/** Adds the files in order. Opens the next ones meanwhile, so that slow storage does not delay each file. */
async function addFiles(
  archive: ArchiveWriter,
  files: Files,
  needed: readonly NeededFile[],
  { signal, progress }: Pick<BackupOptions, 'signal' | 'progress'>,
): Promise<void> {
  const sizes = once(() => sizesOf(files, signal))
  /** Open files that are not read yet, to be closed after a failure. */
  const opened = new Set<AsyncGenerator<Uint8Array>>()
  const openAhead = async (file: NeededFile): Promise<Opened> => {
    signal.throwIfAborted()
    const small = files.readSmall?.(file.workspace, file.hash)
    if (small) return { file, size: small.length, bytes: [small] }
    const size = (await sizes()).get(`${file.workspace}/${file.hash}`)
    const bytes = size === undefined ? undefined : await files.open(file.workspace, file.hash, undefined, signal)
    if (bytes) opened.add(bytes)
    return { file, size, bytes }
  }
  let done = 0
  try {
    for await (const { file, size = 0, bytes } of inOrder(needed, openAhead, { slots: CONCURRENT_OPENS })) {
      signal.throwIfAborted()
      await addFile(archive, files, file, size, bytes)
      if (bytes && !Array.isArray(bytes)) opened.delete(bytes)
      progress(++done, needed.length)
    }
  } finally {
    for (const bytes of opened) await bytes.return(undefined)
  }
}

/** A file with its size and bytes; without them if it is missing. */
type Opened = {
  file: NeededFile
  size?: number | undefined
  bytes?: AsyncGenerator<Uint8Array> | Uint8Array[] | undefined
}

/** The sizes of all files, by `workspace/hash`. */
async function sizesOf(files: Files, signal: AbortSignal): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { workspace, hash, size } of files.listAll()) {
    signal.throwIfAborted()
    sizes.set(`${workspace}/${hash}`, size)
  }
  return sizes
}

const CONCURRENT_OPENS = 8

/** Adds a file. Throws if it is missing, or has other bytes than its hash says. */
async function addFile(
  archive: ArchiveWriter,
  files: Pick<Files, 'pathOf'>,
  { workspace, hash }: NeededFile,
  size: number,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
): Promise<void> {
  const sum = bytes && (await archive.add(`files/${workspace}/${hash}`, size, bytes))
  if (sum === hash) return
  throw damageError(files.pathOf(workspace, hash), sum === undefined ? 'is missing' : 'has changed')
}

function damageError(name: string, what: string): StoreError {
  return new StoreError('store_damaged', `cannot back up: ${name} ${what}; see \`housestyle doctor\``)
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}
