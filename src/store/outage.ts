import { DatabaseOutage, FilesOutage, hasTooManyOpen, StoreError } from './store-error.ts'

/**
 * The problem and its fix, if an error comes from the disk, the database or the system. Such an error may pass.
 * Undefined for a fault of the program.
 */
export function outageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (hasTooManyOpen(error)) return DESCRIPTORS
  if (error instanceof FilesOutage || error instanceof DatabaseOutage) return error.message
  if (error instanceof StoreError && error.code === 'store_damaged') return error.message
  return OUTAGES.get(codeOf(error)) ?? outageOf(error.cause)
}

/** SQLite's primary result code (https://sqlite.org/rescode.html), or the code of the system. */
function codeOf(error: Error): unknown {
  if ('errcode' in error) return error.errcode === SQLITE_IOERR_SHMSIZE ? 'ENOSPC' : Number(error.errcode) & 0xff
  return 'code' in error ? error.code : undefined
}

const SQLITE_IOERR_SHMSIZE = 4874

const BUSY = 'another process is using the store: wait until it is done'
const FULL = 'the disk is full: free some space'
const READ_ONLY = 'the data folder is read-only: mount it so that it can be written'
const RIGHTS =
  'this user may not open it: make the user of the service the owner of the data folder and everything in it'
const DAMAGED = 'the database is damaged: stop the service, run `housestyle doctor`, and restore a backup if it says so'
const DISK_FAILS = 'the disk is failing: check it and the system log'
const MEMORY = 'the machine is out of memory: add memory, or run the service on its own machine'
const DESCRIPTORS = 'the process has no file descriptors left: raise its limit (ulimit -n, LimitNOFILE= of systemd)'

const OUTAGES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [3, RIGHTS], // SQLITE_PERM
  [5, BUSY], // SQLITE_BUSY
  [6, BUSY], // SQLITE_LOCKED
  [7, MEMORY], // SQLITE_NOMEM
  [8, READ_ONLY], // SQLITE_READONLY
  [10, DISK_FAILS], // SQLITE_IOERR
  [11, DAMAGED], // SQLITE_CORRUPT
  [13, FULL], // SQLITE_FULL
  [14, RIGHTS], // SQLITE_CANTOPEN
  [15, BUSY], // SQLITE_PROTOCOL
  [26, DAMAGED], // SQLITE_NOTADB
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EROFS', READ_ONLY],
  ['EACCES', RIGHTS],
  ['EPERM', RIGHTS],
  ['EIO', DISK_FAILS],
  ['ENOMEM', MEMORY],
])
