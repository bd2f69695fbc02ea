import type { MaybePromise } from '../../base/promise.ts'
import type { OutageReporter } from '../../telemetry/outage-log.ts'
import { StoreError } from '../store-error.ts'

/** A value of a column. */
export type SqlValue = string | number | null | Uint8Array

/** A row by column name. */
export type Row = Readonly<Record<string, unknown>>

/** Runs SQL, in the subset that SQLite and Postgres share, with `?` for each parameter. */
export type Queries = {
  get: (sql: string, ...values: SqlValue[]) => MaybePromise<Row | undefined>
  all: (sql: string, ...values: SqlValue[]) => MaybePromise<Row[]>
  /** Runs a statement. Gives how many rows it changed. */
  run: (sql: string, ...values: SqlValue[]) => MaybePromise<number>
}

/** How many rows are read or moved at once: texts of pages have at most a mebibyte each. */
export const ROWS_AT_ONCE = 50

/** The database of the catalogue. Reads see only what is committed, and transactions run one at a time. */
export type Database = Queries & {
  /** Gives all rows of a query as they are at one moment, `ROWS_AT_ONCE` at most at a time, so that any table fits. */
  scan: (sql: string, visit: (rows: Row[]) => MaybePromise<void>) => Promise<void>
  /**
   * Commits all of the work or, if it throws, none of it. If it need not be `durable`, which it is by default, it does not
   * wait for the disk: a machine that loses its power may lose it, and nothing that was committed before.
   */
  transaction: <Value>(
    work: (queries: Queries) => MaybePromise<Value>,
    options?: { durable: boolean },
  ) => Promise<Value>
  /** Calls back soon after any process has committed something. Gives a function that stops it. */
  watch: (changed: () => void, reporter: OutageReporter) => () => void
  /** Reads a row from the disk itself, past the database's own cache. Throws if it cannot. */
  probe: () => MaybePromise<void>
  /** Writes what is committed at one moment into a new SQLite file. Other processes may go on writing. */
  saveTo: (path: string) => MaybePromise<void>
  /** What the database's own check finds wrong. */
  faults: () => MaybePromise<string[]>
  /** The time of day of the database's machine, in milliseconds; absent if that is this one. */
  timeOfDay?: () => Promise<number>
  /** How its connections are used now, and how much work waits for one; absent if it has no pool of them. */
  connections?: () => ConnectionUsage
  close: () => MaybePromise<void>
}

/** The connections of a pool. */
export type ConnectionUsage = { busy: number; idle: number; waiting: number }

/** The text in a column. Throws if it is anything else, as only in a damaged store. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw wrongType(column, 'text', value)
  return value
}

/** The number in a column. */
export function numberOf(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw wrongType(column, 'a number', value)
  return value
}

/** The bytes in a column. */
export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw wrongType(column, 'bytes', value)
  return value
}

/** A column that may be null. */
export function nullable<Value>(
  row: Row,
  column: string,
  read: (row: Row, column: string) => Value,
): Value | undefined {
  return row[column] === null ? undefined : read(row, column)
}

function wrongType(column: string, wanted: string, value: unknown): StoreError {
  const found = `the catalogue has ${typeof value} where column ${column} holds ${wanted}`
  return new StoreError('store_damaged', `${found}; see \`housestyle doctor\``)
}
