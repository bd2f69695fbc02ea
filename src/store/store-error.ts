import { closeSync, openSync } from 'node:fs'
import { OperationalError } from '../base/error.ts'

/** Why a store or a backup cannot be used as it is, by its stable code. */
export const STORE_PROBLEMS = {
  store_missing: 'there is no store in the data folder',
  store_lost: 'the database is missing or empty, and the files of a store are beside it',
  store_foreign: 'the database and the files beside it are of two stores',
  store_damaged: 'the database or the content of the store is damaged',
  store_newer: 'a newer housestyle has written the store',
  store_in_use: 'another command has the store to itself for now',
  store_full: 'the disk is full',
  store_unreadable: 'the store cannot be opened or read, as when rights are missing',
  store_unfinished: 'a restore into the data folder has not ended',
  store_moved: 'the data folder was moved or replaced while a command used it',
  folder_occupied: 'the data folder has other things in it',
  folder_unwritable: 'a store or a backup cannot be written there',
  descriptors_exhausted: 'no more files may be open at a time',
  backup_exists: 'a file of this name is there already',
  backup_damaged: 'the backup is damaged, cut or not one of housestyle',
  backup_newer: 'a newer housestyle made the backup',
  backup_unreadable: 'the backup cannot be read',
} as const

export type StoreProblemCode = keyof typeof STORE_PROBLEMS

/** The store, or a backup of it, cannot be used as it is. */
export class StoreError extends OperationalError {
  constructor(code: StoreProblemCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

/**
 * The database of a store is lost, or is not the one of the files beside it: they are never taken for an empty store.
 * `what` is to be read after the path.
 */
export class LostDatabase extends StoreError {
  readonly path: string
  readonly what: string
  readonly fix: string
  constructor(code: StoreProblemCode, path: string, what: string, fix: string, options?: ErrorOptions) {
    super(code, `cannot use the store: ${path} ${what}; ${fix}`, options)
    this.path = path
    this.what = what
    this.fix = fix
  }
}

/** An error as it is, or in words if a disk is full, rights are missing or too many files are open: what to do. */
export function explained(error: unknown, folder: string): unknown {
  return fullDisk(error, folder) ?? tooManyOpen(error, folder) ?? missingRights(error, folder) ?? error
}

/** That a disk is full, in words. */
export function fullDisk(error: unknown, folder: string): StoreError | undefined {
  if (!isDiskFull(error)) return undefined
  const message = `the disk of ${folder} is full, and what was under way is undone: make room and try again`
  return new StoreError('store_full', message, { cause: error })
}

function missingRights(error: unknown, folder: string): StoreError | undefined {
  if (!isAccessDenied(error)) return undefined
  const what = 'path' in error && typeof error.path === 'string' ? error.path : `what is in ${folder}`
  const message = `${what} cannot be used (${error.message}): ${RIGHTS_FIX}`
  return new StoreError('store_unreadable', message, { cause: error })
}

/** What to do about rights that are missing. */
export const RIGHTS_FIX = 'have its owner run this, or let this user read and write it with chown, chmod or mount'

/** That no more files may be open, in words. */
export function tooManyOpen(error: unknown, folder: string): StoreError | undefined {
  if (!hasTooManyOpen(error)) return undefined
  const fix = 'raise that limit, as with ulimit -n 1024, and try again'
  const message = `cannot use the store in ${folder}: no more files may be open at a time; ${fix}`
  return new StoreError('descriptors_exhausted', message, { cause: error })
}

function hasTooManyOpen(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return true
  // SQLite does not say why it cannot open a file; it opens some more at a time.
  return 'errcode' in error && error.errcode === SQLITE_CANTOPEN && !canOpen(4)
}

function canOpen(more: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < more) opened.push(openSync(import.meta.filename, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

const SQLITE_CANTOPEN = 14

/** Whether a disk has no room left. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && (error.errcode === SQLITE_FULL || error.errcode === SQLITE_IOERR_SHMSIZE)) return true
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

const SQLITE_FULL = 13
/** Even readers share a file of memory, which has to be made. */
const SQLITE_IOERR_SHMSIZE = 4874

/** Whether SQLite finds a database damaged, or none. */
export function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error && 'errcode' in error)) return false
  const code = Number(error.errcode) & 0xff
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** Whether something could not be written, for want of rights or of room. */
export function isUnwritable(error: unknown): boolean {
  return isDiskFull(error) || isAccessDenied(error)
}

/** Whether this user may not use something, or its disk is read-only. */
export function isAccessDenied(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if ('errcode' in error) return SQLITE_BARRED.includes(Number(error.errcode) & 0xff)
  return 'code' in error && 'path' in error && BARRED.has(error.code)
}

const BARRED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])
/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN. */
const SQLITE_BARRED = [3, 8, 14]
