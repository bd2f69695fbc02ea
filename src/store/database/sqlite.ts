import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { errorCode } from '#platform/base/error.ts'
import { serial } from '#platform/base/promise.ts'
import { memoize } from '#platform/base/text.ts'
import { isDamage } from '../store-error.ts'
import { type Column, type Database, type Queries, ROWS_AT_ONCE, type Row } from './database.ts'
import { isBusy } from './locks.ts'
import { defineRows, readTexts, text } from './table.ts'

/**
 * Opens the catalogue in a SQLite file. Reads and writes have a connection each, so that a read never sees an uncommitted
 * transaction. Write-ahead logging lets other processes read and write at the same time.
 */
export async function openSqlite(
  path: string,
  listeners: Database['listeners'] = new Set(),
): Promise<Database & AsyncDisposable> {
  const reader = await connect(path, listeners)
  const writer = await connect(path, listeners)
  writer.connection.exec('PRAGMA busy_timeout = 0')
  const inTurn = serial()
  const transaction: Database['transaction'] = (work, options) =>
    inTurn(() => (options?.durable === false ? transactUnflushed(writer, work) : transact(writer, work)))
  const close = async () => {
    await inTurn(() => undefined)
    reader.connection.close()
    writer.connection.close()
  }
  return {
    ...reader.queries,
    run: (sql, ...values) => transaction(queries => queries.run(sql, ...values)),
    transaction,
    scan: (sql, visit) => scan(reader.connection, sql, visit),
    watch: (changed, reporter) => watchVersion(reader.connection, changed, reporter),
    probe: () => readFromDisk(reader.connection),
    saveTo: async path => {
      await reader.queries.run('VACUUM INTO ?', path)
    },
    faults: () => faultsOf(reader.queries),
    wrongTypes: () => wrongTypes(reader.queries),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Visits all rows of a query in batches. Uses its own statement, because a concurrent run of a shared one would restart it. Yields to the event loop between
 * batches, so that a signal can end a scan of a whole table.
 */
async function scan(connection: DatabaseSync, ...[sql, visit]: Parameters<Database['scan']>): Promise<void> {
  let batch: Row[] = []
  for (const row of readingAll(connection.prepare(sql)).iterate()) {
    batch.push(withNumbers(row))
    if (batch.length < ROWS_AT_ONCE) continue
    await visit(batch)
    await nextTurn()
    batch = []
  }
  if (batch.length > 0) await visit(batch)
}

type Connection = { connection: DatabaseSync; queries: Queries }

async function connect(path: string, listeners: Queries['listeners']): Promise<Connection> {
  const connection = new DatabaseSync(path, { timeout: 5000 })
  try {
    // Turning on the log does not wait by itself if several processes create the file at once.
    await whenFree(() => connection.exec('PRAGMA journal_mode = WAL'))
    connection.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  } catch (error) {
    connection.close()
    throw error
  }
  return { connection, queries: queriesOn(connection, listeners) }
}

function queriesOn(connection: DatabaseSync, listeners: Queries['listeners'] = new Set()): Queries {
  const statement = memoize(sql => connection.prepare(sql), STATEMENTS)
  /**
   * Reads rows. Reads them again, in a slower way, if a number is too large for JavaScript, which happens only in a
   * damaged store: `round` makes numbers of the bigints.
   */
  const reading = <Found, Rows>(sql: string, read: (from: StatementSync) => Found, round: (found: Found) => Rows) => {
    try {
      return read(statement(sql))
    } catch (error) {
      if (errorCode(error) !== 'ERR_OUT_OF_RANGE') throw error
      return round(read(readingAll(connection.prepare(sql))))
    }
  }
  const roundAll = (rows: Row[]) => rows.map(withNumbers)
  return {
    get: (sql, ...values) => reading(sql, from => from.get(...values), withNumbers),
    all: (sql, ...values) => reading(sql, from => from.all(...values), roundAll),
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    listeners,
  }
}

/** A statement that reads each integer as a bigint, so that it can read any. */
function readingAll(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true)
  return statement
}

/** Rounds large numbers, as for Postgres: a reader of the row finds that they are invalid. */
function withNumbers<R extends Row | undefined>(row: R): Row | R {
  if (!row) return row
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'bigint' ? Number(value) : value]),
  )
}

/** Without a limit: the program has few statements and writes all of them itself. */
const STATEMENTS = { maxLength: Number.POSITIVE_INFINITY }

/** Runs a transaction at once. A failure undoes it. */
async function transact<Value>(
  { connection, queries }: Connection,
  work: (queries: Queries) => Value | Promise<Value>,
): Promise<Value> {
  try {
    await whenFree(() => connection.exec('BEGIN IMMEDIATE'))
    const value = await work(queries)
    connection.exec('COMMIT')
    return value
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    // Otherwise, the connection keeps the damaged page and fails even after a repair.
    if (isDamage(error)) connection.exec('PRAGMA shrink_memory')
    throw error
  }
}

/**
 * Runs a transaction that need not survive a power failure. SQLite flushes the log with the next durable transaction, or
 * at a checkpoint (PRAGMA synchronous).
 */
async function transactUnflushed<Value>(
  writer: Connection,
  work: (queries: Queries) => Value | Promise<Value>,
): Promise<Value> {
  writer.connection.exec('PRAGMA synchronous = NORMAL')
  try {
    return await transact(writer, work)
  } finally {
    writer.connection.exec('PRAGMA synchronous = FULL')
  }
}

/** The faults of the file of the database. */
async function faultsOf(queries: Queries): Promise<string[]> {
  try {
    return (await readTexts(queries, 'PRAGMA quick_check')).filter(text => text !== 'ok')
  } catch (error) {
    if (isDamage(error)) return [error.message]
    throw error
  }
}

/** The columns of numbers that have other values: SQLite, unlike Postgres, keeps text in them, too. */
async function wrongTypes(queries: Queries): Promise<Column[]> {
  const wrong: Column[] = []
  for (const { table, column } of await COLUMNS.all(queries, "WHERE t.type = 'table' AND c.type = 'INTEGER'")) {
    const sql = `SELECT 1 FROM ${table} WHERE typeof(${column}) NOT IN ('integer', 'null') LIMIT 1`
    if (await queries.get(sql)) wrong.push({ table, column })
  }
  return wrong
}

const COLUMNS = defineRows('sqlite_schema t, pragma_table_info(t.name) c', {
  table: text('t.name AS table_name'),
  column: text('c.name AS column_name'),
})

/** Does work that fails during another process's transaction: tries again until that ends, without blocking the event loop. */
async function whenFree(work: () => void): Promise<void> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waited >= MAX_WAIT_MS) throw new Error(BUSY, { cause: error })
      await sleep(RETRY_MS)
    }
  }
}

const RETRY_MS = 10
const MAX_WAIT_MS = 30_000
const BUSY = 'another process has been writing to the store for 30 seconds: wait until it is done and try again'

/** Frees the page cache of the connection first: with it, a read would not notice that the file is damaged. */
function readFromDisk(connection: DatabaseSync): void {
  connection.exec('PRAGMA shrink_memory')
  const row = connection.prepare('SELECT value FROM identity LIMIT 1').get()
  if (!row) throw new Error('the database has lost its identity')
}

/** Calls `changed` when `PRAGMA data_version` changes: another connection, of any process, has committed. */
function watchVersion(connection: DatabaseSync, ...[changed, reporter]: Parameters<Database['watch']>): () => void {
  const version = connection.prepare('PRAGMA data_version')
  let lastVersion = version.get()?.data_version
  const timer = setInterval(() => {
    try {
      const now = version.get()?.data_version
      reporter.worked()
      if (now === lastVersion) return
      lastVersion = now
    } catch (error) {
      reporter.failed(error)
      return
    }
    changed(false)
  }, POLL_MS).unref()
  return () => clearInterval(timer)
}

const POLL_MS = 100

/** Reads a SQLite file and its write-ahead log, without moving the log into the file as the last connection does. */
export async function readUnchanged<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  if (!statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) return readImmutable(path, work)
  using connection = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  connection.exec('PRAGMA trusted_schema = OFF')
  return await work(queriesOn(connection))
}

/**
 * Reads a SQLite file as immutable (https://sqlite.org/uri.html): SQLite takes no lock, ignores the write-ahead log,
 * and creates no files. Data that is only in the log is not read.
 */
export async function readImmutable<Value>(path: string, work: (queries: Queries) => Promise<Value>): Promise<Value> {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  using connection = new DatabaseSync(url, { readOnly: true })
  connection.exec('PRAGMA trusted_schema = OFF')
  return await work(queriesOn(connection))
}
