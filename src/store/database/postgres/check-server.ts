import type { Client } from 'pg'
import { DatabaseOutage } from '../../store-error.ts'
import type { DatabaseProblem } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { NO_PRIVILEGE, NO_SCHEMA, UTF8_FIX } from './outages.ts'
import type { ConnectionPool } from './pool.ts'

/**
 * Checks that a database can hold a catalogue: it is Postgres 14 or newer, each connection is a separate session, there
 * is a schema for the tables, and a new catalogue can have every character.
 */
export function assertServer(servers: Servers, pool: ConnectionPool): Promise<void> {
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
export async function encodingProblem(pool: ConnectionPool): Promise<DatabaseProblem | undefined> {
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
  const tried: Connection[] = []
  try {
    while (tried.length < MAX_TRIES) {
      const other = await connect()
      tried.push(other)
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
    for (const other of tried) await other.end()
  }
}

const MAX_TRIES = 5
const SERVER_ANSWER_MS = 10_000
const OTHER_SESSION = `SELECT pid = $1 AS is_same, backend_start > $2::timestamptz AS is_new FROM pg_stat_activity
  WHERE pid = pg_backend_pid()`
