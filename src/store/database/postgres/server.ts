import { StoreError } from '../../store-error.ts'
import type { Connection, Servers } from './connect.ts'
import type { ConnectionPool } from './pool.ts'

/** Checks that a server can hold a catalogue: it is Postgres 14 or newer, and each connection is a separate session. */
export function assertServer(servers: Servers, pool: ConnectionPool): Promise<void> {
  return pool.use(async client => {
    const [{ version, pid, now }] = (await client.query(SESSION)).rows
    if (!(version >= MIN_VERSION)) throw new StoreError('store_unreadable', tooOld(version))
    if (await isShared(pid, now, servers)) throw new StoreError('store_unreadable', POOLED)
  })
}

const SESSION = `SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid,
  clock_timestamp()::text AS now`
const MIN_VERSION = 140_000

function tooOld(version: unknown): string {
  return `cannot use the database: it is Postgres ${Math.floor(Number(version) / 10_000)}, and housestyle needs 14 or newer`
}

const POOLED =
  'cannot use the database: a pooler shares its sessions between transactions, as PgBouncer does with pool_mode = transaction, which breaks locks and notifications; name the server itself with --database, or a pool with pool_mode = session'

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
      const canBegin = await other.ask(ANSWER_MS, 'BEGIN').then(
        () => true,
        () => false, // A pooler that shares sessions between statements has no transactions.
      )
      if (!canBegin) return true
      const [session] = await other.ask(ANSWER_MS, OTHER_SESSION, [pid, now])
      if (session?.is_same === true) return true
      if (session?.is_new === true) return false
    }
    return false
  } finally {
    for (const other of others) await other.end()
  }
}

const MAX_TRIES = 5
const ANSWER_MS = 10_000
const OTHER_SESSION = `SELECT pid = $1 AS is_same, backend_start > $2::timestamptz AS is_new FROM pg_stat_activity
  WHERE pid = pg_backend_pid()`
