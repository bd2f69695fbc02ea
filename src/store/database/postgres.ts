import type { Client } from 'pg'
import { errorCode } from '#platform/base/error.ts'
import { serial } from '#platform/base/promise.ts'
import { memoize } from '#platform/base/text.ts'
import { DatabaseOutage } from '../store-error.ts'
import { addRows, selectFrom, tablesOf } from './catalogue-tables.ts'
import { type Database, type Queries, ROWS_AT_ONCE, type Row, type SqlValue } from './database.ts'
import type { Lock, Locks } from './locks.ts'
import { migrate } from './migrate.ts'
import { assertServer, encodingProblem } from './postgres/check-server.ts'
import { type Connection, openServers, type Servers } from './postgres/connect.ts'
import { explainError, isLostConnection } from './postgres/outages.ts'
import { type ConnectionPool, openPool } from './postgres/pool.ts'
import { NOTIFY, watchPostgres } from './postgres/watch.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Opens the catalogue in a Postgres database (14 or newer). As in SQLite, the transactions of all processes run one at
 * a time: each holds an advisory lock until it ends. Reads see only committed data and wait for no lock
 * (decisions/0340).
 *
 * @param url an address as for libpq (PostgreSQL 17, §34.1.1.2), with `sslmode`, `sslrootcert`, `sslcert`, `sslkey`,
 * several hosts, `target_session_attrs` and `connect_timeout`
 */
export async function openPostgres(url: string): Promise<{ database: Database; locks: Locks }> {
  const servers = await openServers(url)
  const pool = openPool(servers, { max: MAX_CONNECTIONS, question: 'SELECT value FROM identity LIMIT 1' })
  try {
    await assertServer(servers, pool)
  } catch (error) {
    await pool.close()
    throw error
  }
  return { database: databaseOn(servers, pool), locks: openPostgresLocks(servers) }
}

function databaseOn(servers: Servers, pool: ConnectionPool): Database {
  const inTurn = serial()
  const listeners: Database['listeners'] = new Set()
  const transaction: Database['transaction'] = (work, options) =>
    inTurn(() => transact({ pool, place: servers.place, listeners, isDurable: options?.durable !== false }, work))
  const all = (sql: string, ...values: SqlValue[]) =>
    pool.use(
      async client => queriesOn(client, listeners).all(sql, ...values),
      () => true,
    )
  return {
    all,
    get: async (sql, ...values) => (await all(sql, ...values))[0],
    run: (sql, ...values) => transaction(queries => queries.run(sql, ...values)),
    listeners,
    transaction,
    watch: (changed, reporter) => watchPostgres(servers, changed, reporter),
    scan: (sql, visit) => pool.use(client => readConsistently(client, scan => scan(sql, visit))),
    probe: pool.probe,
    timeOfDay: async () => Number((await all(TIME_OF_DAY))[0]?.now),
    saveTo: path => pool.use(client => saveToSqlite(client, path)),
    faults: () => [],
    problem: () => encodingProblem(pool),
    connections: pool.usage,
    close: async () => {
      await inTurn(() => undefined)
      await pool.close()
    },
  }
}

/** One connection for the transaction of the process, and the others for reads. */
const MAX_CONNECTIONS = 4

/** The clock of the server, in milliseconds since 1970. */
const TIME_OF_DAY = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now'

function queriesOn(client: Client, listeners: Queries['listeners']): Queries {
  const ask = (sql: string, values: SqlValue[]) => client.query<Row>(postgresSql(sql), values)
  return {
    all: async (sql, ...values) => (await ask(sql, values)).rows,
    get: async (sql, ...values) => (await ask(sql, values)).rows[0],
    run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
    listeners,
  }
}

type Transacting = Pick<Queries, 'listeners'> & { pool: ConnectionPool; place: string; isDurable: boolean }

/**
 * Runs a transaction. If an idle connection is lost before the transaction begins, the pool tries another one; later, the
 * work may have done something already.
 */
function transact<Value>(
  { pool, place, listeners, isDurable }: Transacting,
  work: (queries: Queries) => Value | Promise<Value>,
): Promise<Value> {
  let hasBegun = false
  const runOn = async (client: Client) => {
    try {
      await begin(client, place)
      hasBegun = true
      if (!isDurable) await client.query('SET LOCAL synchronous_commit = off')
      const value = await work(queriesOn(client, listeners))
      await commit(client, place)
      return value
    } catch (error) {
      if (!isLostConnection(error)) await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
  return pool.use(runOn, () => !hasBegun)
}

/** Begins a transaction once no other transaction of this store is under way, in any process. */
async function begin(client: Client, place: string): Promise<void> {
  try {
    await client.query(BEGIN)
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    const what = `cannot write to the database at ${place}: another process has been writing to the store for 30 seconds`
    throw new DatabaseOutage({ what, fix: 'wait until it is done and try again' }, { cause: error })
  }
}

/**
 * Uses Postgres advisory locks, each on its own connection: the lock ends with its connection. A shared connection
 * would be granted a lock that it already holds. A lock that another process holds is `undefined`.
 */
function openPostgresLocks({ connect, place }: Servers): Locks {
  return {
    tryAcquire: async (name, mode) => {
      const connection = await connect()
      try {
        await connection.ask(ANSWER_MS, NOTICE_LOSS)
        const acquire = mode === 'exclusive' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
        const [row] = await connection.ask(ANSWER_MS, `SELECT ${acquire}(${lockKey('$1')}) AS acquired`, [name])
        if (row?.acquired === true) return heldBy(connection, place)
        await connection.end()
        return undefined
      } catch (error) {
        connection.drop()
        throw explainError(error, place)
      }
    },
  }
}

/**
 * After a power or network failure of a machine, Postgres keeps its locks until it notices, by default after two hours;
 * with this setting, after 25 seconds.
 */
const NOTICE_LOSS = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** The time limit for statements that wait for no lock. */
const ANSWER_MS = 10_000

/** The lock that a connection holds, as long as the server answers on it. */
function heldBy({ ask, end }: Connection, place: string): Lock {
  const inTurn = serial() // The client accepts only one query at a time.
  const askServer = async () => {
    try {
      await ask(ANSWER_MS, 'SELECT 1')
    } catch (error) {
      throw explainError(error, place)
    }
  }
  return { assertHeld: () => inTurn(askServer), release: end, [Symbol.asyncDispose]: end }
}

/** An SQL expression that turns the name of a lock into its number. Stores in different schemas of one database have separate locks. */
function lockKey(name: string): string {
  return `hashtextextended('housestyle ' || current_schema() || ' ' || ${name}, 0)`
}

/**
 * Several statements in one round trip: the transaction waits at most 30 seconds for its turn, but its own statements
 * wait without a limit. Each of them must see the data of previous transactions, even if the default isolation of the
 * database differs.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 30000; SELECT pg_advisory_xact_lock(${lockKey("'writer'")}); SET LOCAL lock_timeout = 0`

const LOCK_NOT_AVAILABLE = '55P03'

/** Commits, and tells all processes. If the connection is lost at this point, the result is unknown. */
async function commit(client: Client, place: string): Promise<void> {
  try {
    await client.query(`${NOTIFY}; COMMIT`)
  } catch (error) {
    if (!isLostConnection(error)) throw error
    const what = `the connection to the database at ${place} was lost during a commit, so the change may or may not have been made`
    throw new DatabaseOutage(
      { what, fix: 'check `housestyle status`, and run the command again if necessary' },
      { cause: error },
    )
  }
}

/** Writes a consistent copy of the database into a new SQLite file, table by table, in batches of rows. */
async function saveToSqlite(client: Client, path: string): Promise<void> {
  await using saved = await openSqlite(path)
  await migrate(saved)
  const tables = await tablesOf(saved)
  await readConsistently(client, async scan => {
    for (const table of tables)
      await scan(selectFrom(table), rows => saved.transaction(queries => addRows(queries, table, rows)))
  })
}

/** Runs work that reads rows as of one moment, with a cursor for each query. */
async function readConsistently(client: Client, work: (scan: Database['scan']) => Promise<void>): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await work(async (sql, visit) => {
    await client.query(`DECLARE scanned CURSOR FOR ${postgresSql(sql)}`)
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${ROWS_AT_ONCE} FROM scanned`)
      if (rows.length === 0) break
      await visit(rows)
    }
    await client.query('CLOSE scanned')
  })
  await client.query('COMMIT')
}

/**
 * Translates a statement of the shared subset for Postgres: `?` becomes `$1`, `$2` …, and column types become the
 * equivalents of the SQLite types. Text sorts by its bytes, as in SQLite, so that lists have the same order on every
 * engine.
 */
const postgresSql = memoize(
  sql => {
    let count = 0
    const withoutComments = sql.replace(/--.*$/gm, '')
    const numbered = withoutComments.replace(/\?/g, () => {
      count += 1
      return `$${count}`
    })
    return /^\s*(?:CREATE|ALTER) TABLE/i.test(numbered) ? withTypes(numbered) : numbered
  },
  { maxLength: Number.POSITIVE_INFINITY },
)

/** A CREATE or ALTER TABLE statement with the column types of Postgres. */
function withTypes(sql: string): string {
  return sql
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bBLOB\b/g, 'BYTEA')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
}
