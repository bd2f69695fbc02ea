import type { Client, ClientConfig, PoolClient } from 'pg'
import { serial } from '../../base/promise.ts'
import type { Database, Queries, Row, SqlValue } from './database.ts'
import type { Locks } from './locks.ts'
import { LOCK_KEY, openPostgresLocks } from './postgres-locks.ts'
import { saveToSqlite } from './postgres-save.ts'
import { assertServer } from './postgres-server.ts'
import { postgresSql } from './postgres-sql.ts'
import { NOTIFY, watchPostgres } from './postgres-watch.ts'

/**
 * Opens the catalogue in a Postgres database (14 or newer). Transactions of all processes run one at a time, as in SQLite:
 * each holds an advisory lock until it ends. Reads see what is committed and wait for nobody.
 *
 * @param url as libpq reads it (PostgreSQL 17, §34.1.1.2), with its `sslmode`, `sslrootcert`, `sslcert` and `sslkey`
 */
export async function openPostgres(url: string): Promise<{ database: Database; locks: Locks }> {
  const { default: pg } = await import('pg')
  const config = await configOf(url)
  const connect = async () => {
    const client = new pg.Client(config)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  await assertServer(connect)
  const pool = new pg.Pool({ ...config, max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_MS })
  // A connection that breaks while nobody uses it. The next query takes another one.
  pool.on('error', () => undefined)
  const inTurn = serial()
  const transaction: Database['transaction'] = work => inTurn(async () => transact(await pool.connect(), work))
  const { get, all } = queriesOn(pool)
  const database: Database = {
    get,
    all,
    run: (sql, ...values) => transaction(queries => queries.run(sql, ...values)),
    transaction,
    watch: (changed, reporter) => watchPostgres(() => new pg.Client(config), changed, reporter),
    probe: async () => {
      if (!(await get('SELECT value FROM identity LIMIT 1'))) throw new Error('the database has lost its identity')
    },
    saveTo: async path => saveToSqlite(await pool.connect(), path),
    faults: () => [],
    connections: () => {
      const { totalCount, idleCount, waitingCount } = pool
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    close: async () => {
      await inTurn(() => undefined)
      await pool.end()
    },
  }
  return { database, locks: openPostgresLocks(connect) }
}

/** One for the transaction of the process, and the others for reads. */
const MAX_CONNECTIONS = 5
const IDLE_MS = 60_000
const CONNECT_MS = 5000
/** Longer than any statement of the program takes; a server that hangs is given up then. */
const STATEMENT_MS = 60_000

async function configOf(url: string): Promise<ClientConfig> {
  const { default: pg } = await import('pg')
  const address = new URL(url)
  // The names of `sslmode` mean what they mean to libpq, and not what the library takes them for otherwise.
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true')
  return {
    connectionString: address.href,
    application_name: 'housestyle',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) },
  }
}

/** int8 and numeric, which the library gives as texts. Ours are below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700])

type Connection = Pick<Client, 'query'>

function queriesOn(connection: Connection): Queries & {
  get: (sql: string, ...values: SqlValue[]) => Promise<Row | undefined>
  all: (sql: string, ...values: SqlValue[]) => Promise<Row[]>
} {
  const all = async (sql: string, ...values: SqlValue[]): Promise<Row[]> =>
    (await connection.query(postgresSql(sql), values)).rows
  return {
    all,
    get: async (sql, ...values) => (await all(sql, ...values))[0],
    run: async (sql, ...values) => (await connection.query(postgresSql(sql), values)).rowCount ?? 0,
  }
}

async function transact<Value>(client: PoolClient, work: (queries: Queries) => Value | Promise<Value>): Promise<Value> {
  try {
    await client.query('BEGIN')
    await takeTurn(client)
    const value = await work(queriesOn(client))
    await client.query(NOTIFY)
    await client.query('COMMIT')
    client.release()
    return value
  } catch (error) {
    const isEnded = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    client.release(!isEnded)
    throw error
  }
}

/** Waits until no other transaction of this store is under way, in any process. */
async function takeTurn(client: PoolClient): Promise<void> {
  try {
    await client.query(`SET LOCAL lock_timeout = ${MAX_WAIT_MS}`)
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`, ['writer'])
    await client.query('SET LOCAL lock_timeout = 0')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE)
      throw new Error(BUSY, { cause: error })
    throw error
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
const MAX_WAIT_MS = 30_000
const BUSY = 'another process has been writing to the store for 30 seconds: wait until it is done and try again'
