import { existsSync, lstatSync, opendirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '#platform/base/error.ts'
import { shellWord } from '#platform/base/text.ts'
import { refersToFiles } from './catalogue/references.ts'
import type { Queries } from './database/database.ts'
import { readImmutable } from './database/sqlite.ts'
import type { Files } from './files/files.ts'
import { ifPresent } from './files/files-disk.ts'
import { findUrn, hasStoredFiles } from './identity.ts'
import { type StorePaths, storePaths } from './paths.ts'
import { isAccessDenied, isDamage, LostStore, StoreError, type StoreProblemCode } from './store-error.ts'

/** Files that prove that a store exists, even if its database is lost. `owner` is the URN of that store, if known. */
export type Evidence = { owner: string | undefined }

/**
 * Looks for the files of a store before its database is opened, because opening a missing database would create it
 * (decisions/0140).
 *
 * @throws {LostStore} if there are files, but no database or an empty one.
 */
export async function findEvidence(paths: StorePaths, files: Files): Promise<Evidence | undefined> {
  // Checks the files before the database, because a concurrent process that creates the store creates the database first.
  const isEmpty = await files.isEmpty()
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size
  if (await isUnfinishedRestore(paths, files)) throw new StoreError('store_unfinished', unfinishedMessage(paths))
  if (isEmpty) return undefined
  const owner = await files.owner()
  if (!size)
    throw lost(
      'store_lost',
      paths,
      `is ${size === 0 ? 'empty' : 'missing'}, but there are files of a store in ${paths.files}`,
    )
  if (size < MIN_PAGE_BYTES) throw lost('store_damaged', paths, 'is damaged (file is not a database)')
  return { owner }
}

/** SQLite mistakes a shorter file for an empty database. */
const MIN_PAGE_BYTES = 512

/** The name of the catalogue in a backup, and during a restore. */
export const RESTORED_CATALOGUE = 'catalogue.db'

/** Whether a restore into this data folder is unfinished. If there are files, they must belong to that restore. */
export async function isUnfinishedRestore({ database, restoring }: StorePaths, files: Files): Promise<boolean> {
  if (existsSync(database) || !existsSync(restoring)) return false
  if (await files.isEmpty()) return true
  const owner = await files.owner()
  const restored = await readImmutable(join(restoring, RESTORED_CATALOGUE), findUrn).catch(() => undefined)
  return owner !== undefined && owner === restored
}

/**
 * Checks that a database does not belong to other files than those next to it. This comes before opening, which writes
 * to the database and removes its write-ahead log.
 *
 * @throws {LostStore} if it belongs to another store, or is damaged.
 */
export async function assertSameStore({ owner }: Evidence, paths: StorePaths): Promise<void> {
  try {
    const urn = await urnWithoutLog(paths)
    if (urn !== undefined && owner !== undefined) assertOwner(urn, owner, paths)
  } catch (error) {
    if (!isAccessDenied(error)) throw error // Opening it reports the missing access.
  }
}

/**
 * The URN in the database file; undefined if only the log may contain it. Repeats a failed attempt, because another
 * process may write to the file meanwhile.
 */
async function urnWithoutLog({ database }: StorePaths): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await readImmutable(database, findUrn)
    } catch (error) {
      if (!isDamage(error) || tries === MAX_TRIES) throw error
      await sleep(RETRY_MS)
    }
  }
}

const MAX_TRIES = 5
const RETRY_MS = 50

/**
 * Checks that an open database, with its log, contains the store of the files next to it.
 *
 * @throws {LostStore} if the database contains no store, or another one.
 */
export async function assertStoreOf({ owner }: Evidence, queries: Queries, paths: StorePaths): Promise<void> {
  const urn = await findUrn(queries)
  if (urn === undefined)
    throw lost('store_lost', paths, `contains no store, but there are files of one in ${paths.files}`)
  if (owner !== undefined) assertOwner(urn, owner, paths)
}

function assertOwner(urn: string, owner: string, paths: StorePaths): void {
  if (urn !== owner) throw lost('store_foreign', paths, `belongs to another store than ${paths.files}`, PUT_BACK)
}

const PUT_BACK = 'put back the one that belongs to them, or '

/** Whether a folder contains files of a store, rather than merely having the right name. */
export async function hasStoreFiles({ folder }: StorePaths, files: Files): Promise<boolean> {
  return existsSync(folder) && ((await files.owner()) !== undefined || (await hasStoredFiles(files)))
}

/** A `LostStore` if SQLite finds the database of a data folder damaged; otherwise the error itself. */
export function asLostDatabase(error: unknown, folder: string): unknown {
  return isDamage(error)
    ? lost('store_damaged', storePaths(folder), `is damaged (${error.message})`, '', { cause: error })
    : error
}

/** The error for a lost database. `firstFix` is what to try before a backup is restored. */
function lost(
  code: StoreProblemCode,
  { folder, database }: StorePaths,
  what: string,
  firstFix = '',
  options?: ErrorOptions,
): LostStore {
  return new LostStore(code, database, what, firstFix + restoreFix(folder), options)
}

/** The fix if a part of the store in a data folder is lost. */
export function restoreFix(folder: string): string {
  return `restore a backup into a new folder, with ${restoreInto(`${folder}-restored`)}, and use that one`
}

function restoreInto(folder: string): string {
  return `\`housestyle restore <backup> --data ${shellWord(folder)}\``
}

function unfinishedMessage({ folder }: StorePaths): string {
  return `a restore into ${folder} is unfinished: wait for it or, if it was killed, run it again, with ${restoreInto(folder)}`
}

/**
 * Checks that the files of a store are in a folder, or do not exist yet. This comes before anything is created.
 *
 * @throws {LostStore} if it is something else, such as a symbolic link to an unavailable disk.
 */
export function assertFilesFolder(paths: StorePaths): void {
  // In this order, because another process may create the folder in between.
  const exists = ifPresent(() => lstatSync(paths.files)) !== undefined
  if (exists && !isFolder(paths.files))
    throw lostFiles(paths, 'is not a folder, but the files of the store belong there')
}

/**
 * Checks that the folder of files exists if the catalogue refers to files, because an import would create a new one.
 *
 * @throws {LostStore} if it is missing.
 */
export async function assertFilesThere(queries: Queries, paths: StorePaths): Promise<void> {
  if (!isFolder(paths.files) && (await refersToFiles(queries)))
    throw lostFiles(paths, 'is missing, but the store refers to files in it')
}

function isFolder(path: string): boolean {
  return ifPresent(() => statSync(path))?.isDirectory() === true
}

function lostFiles({ folder, files }: StorePaths, what: string): LostStore {
  return new LostStore('files_lost', files, what, `put that folder back, or ${restoreFix(folder)}`)
}

/**
 * Records the folders and files that a store was opened on. Returns a function that tells whether they are still the
 * same by device and inode, so a folder that was moved away and back is the same. It also returns false if a folder of
 * files has become empty, and throws if it cannot examine them.
 */
export function createInPlaceCheck({ database, files }: StorePaths): () => boolean {
  // An open database without its log and its index (https://sqlite.org/wal.html) no longer sees the writes of other
  // processes.
  const paths = [dirname(database), database, `${database}-wal`, `${database}-shm`, files]
  const inodes = paths.map(inodeAt)
  let hadFiles = hasFiles(files)
  return () => {
    if (paths.some((path, at) => inodeAt(path) !== inodes[at])) return false
    const hasSome = hasFiles(files)
    const isEmptied = hadFiles && !hasSome
    hadFiles ||= hasSome
    return !isEmptied
  }
}

/** The device and inode at a path, as text to compare. */
function inodeAt(path: string): string {
  const stat = undefinedIfGone(() => statSync(path, { bigint: true }))
  return stat ? `${stat.dev} ${stat.ino}` : 'none'
}

/** Whether there is a workspace folder. These are never removed, even when they are empty. */
function hasFiles(folder: string): boolean {
  using entries = undefinedIfGone(() => opendirSync(folder))
  for (let entry = entries?.readSync(); entry; entry = entries?.readSync()) if (!entry.name.startsWith('.')) return true
  return false
}

/** Undefined if a path does not exist, or this user may not examine it. */
function undefinedIfGone<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch (error) {
    if (GONE.has(errorCode(error))) return undefined
    throw error
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'])
