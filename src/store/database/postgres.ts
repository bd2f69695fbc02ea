import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { errorCode } from '../../base/error.ts'
import { serial } from '../../base/promise.ts'
import { memoize } from '../../base/text.ts'
import type { OutageReporter } from '../../telemetry/outage-log.ts'
import { DatabaseOutage } from '../store-error.ts'
import { addRows, selectFrom, tablesOf } from './catalogue-tables.ts'
import { type Database, type DatabaseProblem, type Queries, ROWS_AT_ONCE, type Row, type SqlValue } from './database.ts'
import type { Lock, Locks } from './locks.ts'
import { migrate } from './migrate.ts'
import { type Connection, openServers, type Servers } from './postgres/connect.ts'
import { explainError, isLostConnection, NO_PRIVILEGE, NO_SCHEMA, UTF8_FIX } from './postgres/outages.ts'
import { type ConnectionPool, openPool } from './postgres/pool.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Opens the catalogue in a Postgres database (14 or newer). As in SQLite, the transactions of all processes run one at
 * a time: each holds an advisory lock until it ends. Reads see only committed data and wait for no lock.
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
  const inTurn = serial()
  const transaction: Database['transaction'] = (work, options) =>
    inTurn(() => transact({ pool, place: servers.place, isDurable: options?.durable !== false }, work))
  const all = (sql: string, ...values: SqlValue[]) =>
    pool.use(
      async client => queriesOn(client).all(sql, ...values),
      () => true,
    )
  const database: Database = {
    all,
    get: async (sql, ...values) => (await all(sql, ...values))[0],
    run: (sql, ...values) => transaction(queries => queries.run(sql, ...values)),
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
  return { database, locks: openPostgresLocks(servers) }
}

/** One connection for the transaction of the process, and the others for reads. */
const MAX_CONNECTIONS = 4

const TIME_OF_DAY = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now'

function queriesOn(client: Client): Queries {
  const ask = (sql: string, values: SqlValue[]) => client.query<Row>(postgresSql(sql), values)
  return {
    all: async (sql, ...values) => (await ask(sql, values)).rows,
    get: async (sql, ...values) => (await ask(sql, values)).rows[0],
    run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
  }
}

/**
 * Runs a transaction. If an idle connection turns out to be lost before the transaction has begun, tries another one.
 */
function transact<Value>(
  { pool, place, isDurable }: { pool: ConnectionPool; place: string; isDurable: boolean },
  work: (queries: Queries) => Value | Promise<Value>,
): Promise<Value> {
  let hasBegun = false
  const attempt = async (client: Client) => {
    try {
      await begin(client, place)
      hasBegun = true
      if (!isDurable) await client.query('SET LOCAL synchronous_commit = off')
      const value = await work(queriesOn(client))
      await commit(client, place)
      return value
    } catch (error) {
      if (!isLostConnection(error)) await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
  return pool.use(attempt, () => !hasBegun)
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
 * would be granted a lock that it already holds.
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

function heldBy({ ask, end }: Connection, place: string): Lock {
  const inTurn = serial() // The client accepts only one query at a time.
  const askServer = async () => {
    try {
      await ask(ANSWER_MS, 'SELECT 1')
    } catch (error) {
      throw explainError(error, place)
    }
  }
  return { assertHeld: () => inTurn(askServer), release: end }
}

/** An SQL expression that turns the name of a lock into its number. Stores in different schemas of one database have separate locks. */
function lockKey(name: string): string {
  return `hashtextextended('housestyle ' || current_schema() || ' ' || ${name}, 0)`
}

/**
 * Several statements in one round trip. Each statement of the transaction must see the data of previous transactions,
 * even if the default isolation of the database differs.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 30000; SELECT pg_advisory_xact_lock(${lockKey("'writer'")}); SET LOCAL lock_timeout = 0`

const LOCK_NOT_AVAILABLE = '55P03'

/** Commits. If the connection is lost at this point, the result is unknown. */
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
  const saved = await openSqlite(path)
  try {
    await migrate(saved)
    const tables = await tablesOf(saved)
    await readConsistently(client, async scan => {
      for (const table of tables)
        await scan(selectFrom(table), rows => saved.transaction(queries => addRows(queries, table, rows)))
    })
  } finally {
    await saved.close()
  }
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
    let number = 0
    const numbered = sql.replace(/--.*$/gm, '').replace(/\?/g, () => `$${++number}`)
    return /^\s*(?:CREATE|ALTER) TABLE/i.test(numbered) ? withTypes(numbered) : numbered
  },
  { maxLength: Number.POSITIVE_INFINITY },
)

function withTypes(sql: string): string {
  return sql
    .replace(/\bINTEGER\b/g, 'BIGINT')
    .replace(/\bBLOB\b/g, 'BYTEA')
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
}

const CHANNEL = 'housestyle'

/**
 * Notifies all listeners when a transaction that has recorded a change is committed. Leases, which nodes renew
 * constantly, would otherwise wake every node.
 */
const NOTIFY = `SELECT pg_notify('${CHANNEL}', '') FROM change
  WHERE number = (SELECT MAX(number) FROM change) AND xmin = pg_current_xact_id_if_assigned()::xid`

/**
 * Listens for commits of any process, and also queries the latest change twice a second, because a lost connection
 * loses notifications. Reconnects if a connection ends or does not answer.
 */
function watchPostgres(
  { connect, place }: Servers,
  changed: (isReplaced: boolean) => void,
  reporter: OutageReporter,
): () => void {
  const stopped = new AbortController()
  const follow = async (connection: Connection, answered: () => void) => {
    let wake = new AbortController()
    for (const event of ['notification', 'end', 'error'] as const) connection.client.on(event, () => wake.abort())
    await connection.ask(WATCH_ANSWER_MS, `LISTEN ${CHANNEL}`)
    while (!stopped.signal.aborted) {
      wake = new AbortController()
      const [now] = await connection.ask(WATCH_ANSWER_MS, LATEST)
      answered()
      const isReplaced = latest !== undefined && now?.server !== latest.server
      // Also the first time: something may have been committed since the caller read the database.
      if (isReplaced || now?.number !== latest?.number) changed(isReplaced)
      latest = now
      await pause(wake.signal)
    }
  }
  let latest: Record<string, unknown> | undefined
  const pause = (...signals: AbortSignal[]) =>
    sleep(POLL_MS, undefined, { ref: false, signal: AbortSignal.any([stopped.signal, ...signals]) }).catch(
      () => undefined,
    )
  const loop = async () => {
    while (!stopped.signal.aborted) {
      let hasAnswered = false
      try {
        const connection = await connect()
        await follow(connection, () => {
          hasAnswered = true
          reporter.worked()
        }).finally(connection.end)
      } catch (error) {
        // Reconnects at once after a lost connection; only a failure of that is an outage.
        if (hasAnswered && isLostConnection(error)) continue
        if (!stopped.signal.aborted) reporter.failed(explainError(error, place))
      }
      await pause()
    }
  }
  void loop()
  return () => stopped.abort()
}

/** After a failover or a restored backup, new changes may have the numbers of lost ones, but the server is another one. */
const LATEST = `SELECT COALESCE(MAX(number), 0) AS number,
  pg_postmaster_start_time()::text || 'change'::regclass::oid AS server FROM change`
const POLL_MS = 500
const WATCH_ANSWER_MS = 3000

/**
 * Checks that a database can hold a catalogue: it is Postgres 14 or newer, each connection is a separate session, there
 * is a schema for the tables, and a new catalogue can have every character.
 */
function assertServer(servers: Servers, pool: ConnectionPool): Promise<void> {
  return pool.use(async client => {
    const [{ version, pid, now, schema, encoding, is_new: isNew }] = (await client.query(SESSION)).rows
    if (!(version >= MIN_VERSION)) throw unusable(tooOld(version), 'install a newer one')
    if (await isShared(pid, now, servers)) throw unusable(POOLED, NO_POOLER)
    if (schema === null) await throwSchemaError(client)
    if (isNew && !hasEveryCharacter(encoding)) throw unusable(notUtf8(encoding), MAKE_UTF8)
  })
}

const SESSION = `SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid,
  clock_timestamp()::text AS now, current_schema() AS schema, current_setting('server_encoding') AS encoding,
  to_regclass('migration') IS NULL AS is_new`
const MIN_VERSION = 140_000

/** Lets the server say which schema of `search_path` is missing, or that this user may use none of them. */
async function throwSchemaError(client: Client): Promise<never> {
  const { rows } = await client.query(SCHEMAS)
  if (rows.length === 0) throw Object.assign(new Error('search_path names no schema'), { code: NO_SCHEMA })
  throw Object.assign(new Error(`permission denied for schema ${rows[0].name}`), { code: NO_PRIVILEGE })
}

const SCHEMAS = `SELECT name::regnamespace::text AS name
  FROM unnest(string_to_array(current_setting('search_path'), ',')) AS name WHERE name NOT LIKE '%"$user"%'`

/** Whether a database of this encoding accepts any text. Without an encoding (`SQL_ASCII`), it keeps the bytes. */
function hasEveryCharacter(encoding: unknown): boolean {
  return encoding === 'UTF8' || encoding === 'SQL_ASCII'
}

function notUtf8(encoding: unknown): string {
  return `the database must be UTF8, and its encoding is ${encoding}`
}

const MAKE_UTF8 = "create it with ENCODING 'UTF8' TEMPLATE template0"

/** The problem of a database whose encoding lacks characters; undefined if it has all. */
async function encodingProblem(pool: ConnectionPool): Promise<DatabaseProblem | undefined> {
  const [{ encoding }] = (
    await pool.use(client => client.query("SELECT current_setting('server_encoding') AS encoding"))
  ).rows
  if (hasEveryCharacter(encoding)) return undefined
  return { message: `has the encoding ${encoding}, which lacks characters: it must be UTF8`, fix: UTF8_FIX }
}

function tooOld(version: unknown): string {
  return `it is Postgres ${Math.floor(Number(version) / 10_000)}, and housestyle needs 14 or newer`
}

function unusable(why: string, fix: string): DatabaseOutage {
  return new DatabaseOutage({ what: `cannot use the database: ${why}`, fix, mayPass: false })
}

const POOLED =
  'a pooler shares its sessions between transactions, as PgBouncer does with pool_mode = transaction, which breaks locks and notifications'
const NO_POOLER = 'name the server itself with --database, or a pool with pool_mode = session'

/**
 * Whether another connection gets the session of a connection that is still in use, by its process id. A session that
 * begins only now belongs to its connection. Otherwise, several connections are tried in transactions, because a pooler
 * may have several free sessions.
 */
async function isShared(pid: number, now: string, { connect }: Servers): Promise<boolean> {
  const others: Connection[] = []
  try {
    while (others.length < MAX_TRIES) {
      const other = await connect()
      others.push(other)
      const canBegin = await other.ask(SERVER_ANSWER_MS, 'BEGIN').then(
        () => true,
        () => false, // A pooler that shares sessions between statements has no transactions.
      )
      if (!canBegin) return true
      const [session] = await other.ask(SERVER_ANSWER_MS, OTHER_SESSION, [pid, now])
      if (session?.is_same === true) return true
      if (session?.is_new === true) return false
    }
    return false
  } finally {
    for (const other of others) await other.end()
  }
}

const MAX_TRIES = 5
const SERVER_ANSWER_MS = 10_000
const OTHER_SESSION = `SELECT pid = $1 AS is_same, backend_start > $2::timestamptz AS is_new FROM pg_stat_activity
  WHERE pid = pg_backend_pid()`
