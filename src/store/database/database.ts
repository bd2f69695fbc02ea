import type { MaybePromise } from '#platform/base/promise.ts'
import type { OutageReporter } from '#platform/telemetry/outage-log.ts'
import type { DamagedRow } from '../store-error.ts'

/** A value of a parameter. */
export type SqlValue = string | number | null | Uint8Array

export type Row = Readonly<Record<string, unknown>>

/** Runs SQL, in the subset that SQLite and Postgres share, with `?` for each parameter. */
export type Queries = {
  get: (sql: string, ...values: SqlValue[]) => MaybePromise<Row | undefined>
  all: (sql: string, ...values: SqlValue[]) => MaybePromise<Row[]>
  /** Runs a statement. Returns the number of changed rows. */
  run: (sql: string, ...values: SqlValue[]) => MaybePromise<number>
  /** Receive each row that cannot be read, also in transactions, once it is left out of a result. */
  listeners: Set<(damaged: DamagedRow) => void>
}

/** The number of rows that are read or copied at once. Pages have at most a mebibyte each. */
export const ROWS_AT_ONCE = 50

/** The database of the catalogue. Reads see only committed data, and transactions run one at a time. */
export type Database = Queries & {
  /** Visits all rows of a query as of one moment, at most `ROWS_AT_ONCE` at a time, to bound memory. */
  scan: (sql: string, visit: (rows: Row[]) => MaybePromise<void>) => Promise<void>
  /**
   * Commits all of the work or, if it throws, none of it. By default, a commit is `durable`. One that is not does not
   * wait for the disk: a power failure may lose it, but no earlier durable commit.
   */
  transaction: <Value>(
    work: (queries: Queries) => MaybePromise<Value>,
    options?: { durable: boolean },
  ) => Promise<Value>
  /**
   * Calls `changed` soon after any process has committed something, with `isReplaced` if this may be another database
   * since the last call. Returns a function that stops this.
   */
  watch: (changed: (isReplaced: boolean) => void, reporter: OutageReporter) => () => void
  /** Reads a row directly from the disk, bypassing the cache of the database. Throws if it cannot. */
  probe: () => MaybePromise<void>
  /** Writes a consistent copy into a new SQLite file. Other processes may continue to write. */
  saveTo: (path: string) => MaybePromise<void>
  /** The faults that the built-in check of the database finds. */
  faults: () => MaybePromise<string[]>
  /** The columns of numbers that have other values; absent if the database refuses them. */
  wrongTypes?: () => Promise<Column[]>
  /** A property of the database that will cause errors; absent for SQLite. */
  problem?: () => Promise<DatabaseProblem | undefined>
  /** The time of day on the machine of the database, in milliseconds; absent if that is this machine. */
  timeOfDay?: () => Promise<number>
  /** The use of its connections, and the amount of waiting work; absent if it has no connection pool. */
  connections?: () => ConnectionUsage
  close: () => MaybePromise<void>
}

export type Column = { table: string; column: string }

/** The end of a sentence about the database, and the fix. */
export type DatabaseProblem = { message: string; fix: string }

export type ConnectionUsage = { busy: number; idle: number; waiting: number }
