import { DatabaseOutage, FilesOutage, hasTooManyOpen, StoreError } from './store-error.ts'

/**
 * The problem and its fix, if an error comes from the disk, the database or the system. Such an error may be temporary.
 * Undefined for a bug in the program.
 */
export function outageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (hasTooManyOpen(error)) return NO_DESCRIPTORS
  if (error instanceof FilesOutage || error instanceof DatabaseOutage) return error.message
  if (error instanceof StoreError && error.code === 'store_damaged') return error.message
  return OUTAGES.get(codeOf(error)) ?? outageOf(error.cause)
}

/** SQLite's primary result code (https://sqlite.org/rescode.html), or the system error code. */
function codeOf(error: Error): unknown {
  if ('errcode' in error) return error.errcode === SQLITE_IOERR_SHMSIZE ? 'ENOSPC' : Number(error.errcode) & 0xff
  return 'code' in error ? error.code : undefined
}

const SQLITE_IOERR_SHMSIZE = 4874

const BUSY = 'another process is using the store: wait until it is done'
const DISK_FULL = 'the disk is full: free some space'
const READ_ONLY = 'the data folder is read-only: mount it so that it can be written'
const NO_PERMISSION =
  'this user may not open it: make the user of the service the owner of the data folder and everything in it'
const DAMAGED = 'the database is damaged: stop the service, run `housestyle doctor`, and restore a backup if it says so'
const DISK_FAILING = 'the disk is failing: check it and the system log'
const NO_MEMORY = 'the machine is out of memory: add memory, or run the service on its own machine'
const NO_DESCRIPTORS = 'the process has no file descriptors left: raise its limit (ulimit -n, LimitNOFILE= of systemd)'

const OUTAGES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [3, NO_PERMISSION], // SQLITE_PERM
  [5, BUSY], // SQLITE_BUSY
  [6, BUSY], // SQLITE_LOCKED
  [7, NO_MEMORY], // SQLITE_NOMEM
  [8, READ_ONLY], // SQLITE_READONLY
  [10, DISK_FAILING], // SQLITE_IOERR
  [11, DAMAGED], // SQLITE_CORRUPT
  [13, DISK_FULL], // SQLITE_FULL
  [14, NO_PERMISSION], // SQLITE_CANTOPEN
  [15, BUSY], // SQLITE_PROTOCOL
  [26, DAMAGED], // SQLITE_NOTADB
  ['ENOSPC', DISK_FULL],
  ['EDQUOT', DISK_FULL],
  ['EROFS', READ_ONLY],
  ['EACCES', NO_PERMISSION],
  ['EPERM', NO_PERMISSION],
  ['EIO', DISK_FAILING],
  ['ENOMEM', NO_MEMORY],
])
