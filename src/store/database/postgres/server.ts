import { StoreError } from '../../store-error.ts'
import { awaitAnswer, type Connection, type Servers } from './connect.ts'
import { explainError } from './outages.ts'

/** Checks that a server can hold a catalogue: it is Postgres 14 or newer, and each connection is a separate session. */
export async function assertServer(servers: Servers): Promise<void> {
  const connection = await servers.connect()
  try {
    const answer = query(
      connection,
      "SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid",
    )
    const { version, pid } = (await answer)[0] ?? {}
    if (!(version >= MIN_VERSION)) throw new StoreError('store_unreadable', tooOld(version))
    if (pid !== Reflect.get(connection.client, 'processID') && (await isShared(pid, servers)))
      throw new StoreError('store_unreadable', POOLED)
  } catch (error) {
    throw explainError(error, servers.place)
  } finally {
    await connection.end()
  }
}

async function query(connection: Connection, sql: string) {
  return (await awaitAnswer(ANSWER_MS, connection, connection.client.query(sql))).rows
}

const ANSWER_MS = 10_000
const MIN_VERSION = 140_000

function tooOld(version: unknown): string {
  return `cannot use the database: it is Postgres ${Math.floor(Number(version) / 10_000)}, and housestyle needs 14 or newer`
}

const POOLED =
  'cannot use the database: a pooler shares its sessions between transactions, as PgBouncer does with pool_mode = transaction, which breaks locks and notifications; name the server itself with --database, or a pool with pool_mode = session'

/**
 * Whether another connection gets the session of a connection that is still in use, by its process id. Several
 * connections are tried, because a pooler may have several free sessions.
 */
async function isShared(pid: number, { connect }: Servers): Promise<boolean> {
  const others: Connection[] = []
  try {
    while (others.length < MAX_TRIES) {
      const other = await connect()
      others.push(other)
      if (!(await canBegin(other))) return true
      if ((await query(other, 'SELECT pg_backend_pid() AS pid'))[0]?.pid === pid) return true
    }
    return false
  } finally {
    for (const other of others) await other.end()
  }
}

const MAX_TRIES = 5

/** A pooler that shares sessions between statements has no transactions. */
async function canBegin(connection: Connection): Promise<boolean> {
  return query(connection, 'BEGIN').then(
    () => true,
    () => false,
  )
}
