import { closeSync, openSync } from 'node:fs'
import type codes from '#brand/failure-codes.json'
import { errorMessage, OperationalError } from '#platform/base/error.ts'
import { withReason } from '#platform/base/reason.ts'

/** docs/commands.md explains the codes of problems with a store or a backup. */
export type StoreProblemCode = keyof typeof codes

/** The store, or a backup of it, cannot be used. */
export class StoreError extends OperationalError {
  constructor(code: StoreProblemCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

/**
 * The database or the folder of files of a store is lost, or the two belong to different stores. The remaining part is
 * never treated as an empty store. `what` states the problem, and follows the path in a sentence.
 */
export class LostStore extends StoreError {
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

/** There is no store at a place. `fix` says what to do. */
export class MissingStore extends StoreError {
  readonly place: string
  readonly fix: string
  constructor(place: string, fix: string) {
    super('store_missing', `there is no store in ${place}: ${fix}`)
    this.place = place
    this.fix = fix
  }
}

/** A part of the store that a server keeps cannot be used now. The message states the problem, the fix and what it said. */
export class Outage extends StoreError {
  readonly what: string
  readonly fix: string
  /** The words of the server or its client; empty if there are none. */
  readonly said: string
  constructor(code: StoreProblemCode, { what, fix, said }: Trouble, options?: ErrorOptions) {
    super(code, withReason(`${what}; ${fix}`, said), options)
    this.what = what
    this.fix = fix
    this.said = said
  }
}

/** Shared files cannot be read or written now. The outage may pass. */
export class FilesOutage extends Outage {
  /** Whether the server is unreachable or failing, as opposed to rejecting requests. */
  readonly isDown: boolean
  constructor(what: string, fix: string, options: ErrorOptions & { isDown?: boolean; said?: string } = {}) {
    const { isDown = false, said = '', ...rest } = options
    super('store_unreadable', { what, fix, said }, rest)
    this.isDown = isDown
  }
}

/** The place of content: the path of a file, for messages, a part of the catalogue, or SQLite's file itself. */
export type ContentPlace =
  | ({ kind: 'row' } & RowDamage)
  | { kind: 'file'; path: string }
  | { kind: 'object'; workspace: string; hash: string }
  | { kind: 'key'; kid: string }
  | { kind: 'database' }

/** Stored content whose bytes do not have its hash, or are missing; or an unusable signing key. */
export class DamagedContent extends StoreError {
  readonly place: ContentPlace
  readonly isMissing: boolean
  constructor(place: ContentPlace, options: ErrorOptions & { isMissing?: boolean } = {}) {
    const { isMissing = false, ...rest } = options
    super(
      'store_damaged',
      isMissing ? `the store has lost ${contentName(place)}: restore it from a backup` : damagedText(place),
      rest,
    )
    this.place = place
    this.isMissing = isMissing
  }

  /** Whether it is a row, which fails what needs it, rather than content that the service cannot send now. */
  get isRow(): boolean {
    return this.place.kind === 'row' || this.place.kind === 'key'
  }
}

/** A row by its table and the columns that identify it, and the problem of one of its columns. */
type RowDamage = { table: string; key: Readonly<Record<string, unknown>>; problem: string; column?: string | undefined }

/** A column has a value that its definition refuses. */
export class DamagedColumn extends StoreError {
  readonly column: string
  constructor(problem: string, { column, ...options }: ErrorOptions & { column: string }) {
    super('store_damaged', problem, options)
    this.column = column
  }
}

/** A row of which a column has a value that its table's definition refuses. It fails what needs the row. */
export class DamagedRow extends DamagedContent {
  readonly table: string
  readonly key: RowDamage['key']
  readonly problem: string
  readonly column: string | undefined
  constructor({ table, key, problem, column }: RowDamage, options?: ErrorOptions) {
    super({ kind: 'row', table, key, problem }, options)
    this.table = table
    this.key = key
    this.problem = problem
    this.column = column
  }
}

/** The message for damaged content, with its fix. */
function damagedText(place: ContentPlace): string {
  if (place.kind === 'database') return DAMAGED
  if (place.kind === 'key') return `${contentName(place)} is damaged: ${replaceKeyFix(place.kid)}`
  if (place.kind === 'row') return `${contentName(place)} cannot be read: ${place.problem}; see \`housestyle doctor\``
  return `${contentName(place)} is damaged: its bytes do not have its hash; see \`housestyle doctor\``
}

/** The fix for a damaged signing key. */
export function replaceKeyFix(kid: string): string {
  return `make another with \`housestyle keys rotate\` and retire this one, with all its tokens, with \`housestyle keys retire ${kid}\`; or restore the store from a backup`
}

/** The unique name of content in messages. */
export function contentName(place: ContentPlace): string {
  if (place.kind === 'database') return 'the database'
  if (place.kind === 'key') return `the signing key ${place.kid}`
  if (place.kind === 'row') return `the row ${Object.values(place.key).join(' ')} of the table ${place.table}`
  return place.kind === 'file' ? place.path : `object ${place.hash} of workspace ${place.workspace}`
}

/** The damaged content that an error or one of its causes reports. */
export function damageIn(error: unknown): DamagedContent | undefined {
  if (error instanceof DamagedContent) return error
  if (isDamage(error)) return new DamagedContent({ kind: 'database' }, { cause: error })
  return error instanceof Error ? damageIn(error.cause) : undefined
}

/** The shared database cannot be used now. `mayPass` says whether it may recover without a change of settings. */
export class DatabaseOutage extends Outage {
  readonly mayPass: boolean
  constructor(trouble: DatabaseTrouble, options?: ErrorOptions) {
    const { what, fix, said = errorMessage(options?.cause ?? ''), mayPass = true, code = 'store_unreadable' } = trouble
    super(code, { what, fix, said }, options)
    this.mayPass = mayPass
  }
}

type Trouble = Pick<Outage, 'what' | 'fix' | 'said'>
/** `said` is by default the message of the cause. */
type DatabaseTrouble = Partial<Trouble> &
  Omit<Trouble, 'said'> & { mayPass?: boolean; code?: 'store_unreadable' | 'store_full' }

/**
 * Turns an error about a full disk, missing permissions or too many open files into one that says what to do; returns
 * any other error unchanged.
 */
export function asStoreError(error: unknown, folder: string): unknown {
  return fullDiskError(error, folder) ?? tooManyOpenError(error, folder) ?? missingRights(error, folder) ?? error
}

/** An error that says what to do, if the cause is a full disk; otherwise undefined. */
export function fullDiskError(error: unknown, folder: string): StoreError | undefined {
  if (!isDiskFull(error)) return undefined
  const message = `the disk of ${folder} is full, so the operation was undone: free some space and try again`
  return new StoreError('store_full', message, { cause: error })
}

/** The outage of a disk that is nearly full. */
export function lowDiskError(place: string, freeBytes: number, neededBytes: number): Outage {
  const mebibytes = (bytes: number) => Math.floor(bytes / 2 ** 20)
  const what = `the disk of ${place} has ${mebibytes(freeBytes)} MiB left, and a publication may need ${mebibytes(neededBytes)} MiB`
  return new Outage('store_full', { what, fix: 'free some space', said: '' })
}

/** An error that says what to do, if this user lacks access to a file; otherwise undefined. */
function missingRights(error: unknown, folder: string): StoreError | undefined {
  if (!isAccessDenied(error)) return undefined
  const what = 'path' in error && typeof error.path === 'string' ? error.path : `a file in ${folder}`
  const message = `${what} cannot be used (${error.message}): ${ACCESS_FIX}`
  return new StoreError('store_unreadable', message, { cause: error })
}

/** The fix if this user may not read or write something. */
export const ACCESS_FIX = 'have its owner run this, or let this user read and write it with chown, chmod or mount'

/** An error that says what to do, if too many files are open; otherwise undefined. */
export function tooManyOpenError(error: unknown, folder: string): StoreError | undefined {
  if (!hasTooManyOpen(error)) return undefined
  const fix = 'raise that limit, for example with ulimit -n 1024, and try again'
  const message = `cannot use the store in ${folder}: the limit of open files is reached; ${fix}`
  return new StoreError('descriptors_exhausted', message, { cause: error })
}

/** Whether an error comes from a lack of file descriptors. */
export function hasTooManyOpen(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) return true
  // Node, for the package.json of a library.
  if (error.message.endsWith('too many open files.')) return true
  // SQLite does not say why it cannot open a file. It may open several at a time, so this tries four.
  return 'errcode' in error && error.errcode === SQLITE_CANTOPEN && !canOpen(4)
}

/** Whether the process can open this many more files now. */
function canOpen(count: number): boolean {
  const opened: number[] = []
  try {
    while (opened.length < count) opened.push(openSync(import.meta.filename, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

const SQLITE_CANTOPEN = 14

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && OUTAGES.get(codeOf(error)) === DISK_FULL
}

/** Whether SQLite finds that a file is damaged or is not a database. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && OUTAGES.get(codeOf(error)) === DAMAGED
}

/** Whether a write failed, or would fail, because of missing permissions or a full disk. */
export function isUnwritable(error: unknown): boolean {
  return isDiskFull(error) || isAccessDenied(error) || (error instanceof Outage && error.code === 'store_full')
}

/** Whether this user lacks access to something, or its disk is read-only. */
export function isAccessDenied(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  // `opendirSync` names no path.
  const isOfFiles = 'errcode' in error || 'path' in error || ('syscall' in error && error.syscall === 'opendir')
  const problem = OUTAGES.get(codeOf(error))
  return isOfFiles && (problem === NO_PERMISSION || problem === READ_ONLY)
}

/**
 * The problem and its fix, if an error comes from the disk, the database or the system. Such an error may be temporary.
 * Undefined for a bug in the program.
 */
export function outageOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (hasTooManyOpen(error)) return NO_DESCRIPTORS
  if (error instanceof Outage) return error.message
  if (error instanceof DamagedContent && error.isRow) return undefined
  if (error instanceof StoreError && error.code === 'store_damaged') return error.message
  return OUTAGES.get(codeOf(error)) ?? outageOf(error.cause)
}

/** The explanation of an error in a line of the log, which also has the error as a field. */
export function explanationOf(error: unknown): string {
  return outageOf(error) ?? 'see the error'
}

/** SQLite's primary result code (https://sqlite.org/rescode.html), or the system error code. */
function codeOf(error: Error): unknown {
  if ('errcode' in error) return error.errcode === SQLITE_IOERR_SHMSIZE ? 'ENOSPC' : Number(error.errcode) & 0xff
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Even a reader must create the `-shm` file that connections share (https://sqlite.org/wal.html). */
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
