/** The store cannot be used as it is: said to whoever started the command, without a stack. */
export class StoreError extends Error {
  readonly code = 'ERR_STORE'
}

/**
 * The database of a store is lost, or is not the one of the files beside it: they are never taken for an empty store.
 * `what` is to be read after the path.
 */
export class LostDatabase extends StoreError {
  readonly path: string
  readonly what: string
  readonly fix: string
  constructor(path: string, what: string, fix: string, options?: ErrorOptions) {
    super(`cannot use the store: ${path} ${what}; ${fix}`, options)
    this.path = path
    this.what = what
    this.fix = fix
  }
}

/** An error as it is, or, where a disk is full, in words: which one, and what to do. */
export function withWords(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error
  const message = `the disk of ${folder} is full, and what was under way is undone: make room and try again`
  return new StoreError(message, { cause: error })
}

function isDiskFull(error: unknown): boolean {
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
  return isDiskFull(error) || (error instanceof Error && 'code' in error && BARRED.has(error.code))
}

const BARRED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])
