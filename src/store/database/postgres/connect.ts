import type { Client, ClientConfig, types as PgTypes } from 'pg'
import { DatabaseOutage } from '../../store-error.ts'
import { type HostAddress, readPostgresAddress, type SessionTarget } from './address.ts'
import { explainError, mayBeTlsMismatch, silenceError } from './outages.ts'

/** A connection to a server. Callers explain the errors of its client. */
export type Connection = {
  client: Client
  /** Ends the connection, and waits for the server only briefly. */
  end: () => Promise<void>
  /** Closes it at once. */
  drop: () => void
}

export type Servers = {
  /** Their names in messages. */
  place: string
  /** Connects to the first suitable server, starting with the latest one. Throws a `DatabaseOutage`. */
  connect: () => Promise<Connection>
  /** How to connect to the server that accepted the latest connection. */
  latest: () => ClientConfig
  /** Throws if the server of a new client is not suitable. */
  assertFit: (client: Client) => Promise<void>
}

/** Parses an address like `readPostgresAddress`; does not connect yet. */
export async function openServers(address: string): Promise<Servers> {
  const { default: pg } = await import('pg')
  const { hosts, target, connectMs } = readPostgresAddress(address)
  const place = hosts.map(({ name }) => name).join(', ')
  let preferred = 0
  let latest = hosts[0]?.urls[0] ?? address
  const config = (url: string) => configOf(url, connectMs, pg.types)
  const assertFit = (client: Client) =>
    awaitAnswer(connectMs, { drop: () => drop(client) }, assertTarget(client, target))
  const open = async (url: string): Promise<Connection> => {
    const client = new pg.Client(config(url))
    client.on('error', () => undefined) // Its queries fail with it.
    try {
      await client.connect()
      await assertFit(client)
      latest = url
      return { client, drop: () => drop(client), end: () => endSoon(client) }
    } catch (error) {
      drop(client)
      throw error
    }
  }
  const connectTo = async ({ urls: [url = '', ...others], name }: HostAddress): Promise<Connection> => {
    try {
      return await open(url)
    } catch (error) {
      if (others.length > 0 && mayBeTlsMismatch(error)) return connectTo({ urls: others, name })
      throw explainError(error, name)
    }
  }
  const connect = async () => {
    const failures: unknown[] = []
    for (const host of [...hosts.slice(preferred), ...hosts.slice(0, preferred)]) {
      try {
        const connection = await connectTo(host)
        preferred = hosts.indexOf(host)
        return connection
      } catch (error) {
        failures.push(error)
      }
    }
    throw combineFailures(failures)
  }
  return { place, connect, latest: () => config(latest), assertFit }
}

/** Combines the errors of all hosts into one. An error that is not an outage has precedence. */
function combineFailures(failures: readonly unknown[]): unknown {
  const outages = failures.filter(error => error instanceof DatabaseOutage)
  const [first = failures[0], ...others] = failures.length === outages.length ? outages : failures
  if (!(first instanceof DatabaseOutage) || others.length === 0) return first
  const [what, fix] = [outages.map(outage => outage.what).join('; '), outages.at(-1)?.fix ?? first.fix]
  return new DatabaseOutage({ what, fix, mayPass: outages.some(outage => outage.mayPass) }, { cause: first })
}

/** Throws the error of a read-only server if the server is not suitable. */
async function assertTarget(client: Client, target: SessionTarget): Promise<void> {
  if (target === 'any') return
  const { rows } = await client.query(`SELECT ${UNFIT[target]} AS is_unfit`)
  if (rows[0]?.is_unfit === true) throw Object.assign(new Error('a standby'), { code: '25006' })
}

const UNFIT = {
  'read-write': "current_setting('transaction_read_only')::bool",
  primary: 'pg_is_in_recovery()',
} as const satisfies Partial<Record<SessionTarget, string>>

/** A hanging server does not close its side. */
async function endSoon(client: Client): Promise<void> {
  const timer = setTimeout(drop, END_MS, client)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}

const END_MS = 500

/** Closes the connection without waiting for the server. Its pending queries fail. */
export function drop({ connection }: Client): void {
  connection.stream.destroy()
}

function configOf(connectionString: string, connectMs: number, types: typeof PgTypes): ClientConfig {
  return {
    connectionString,
    application_name: 'housestyle',
    connectionTimeoutMillis: connectMs,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + connectMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: (oid, format) => (NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)) },
  }
}

/** Longer than any statement of the program takes. */
const STATEMENT_MS = 60_000
/**
 * Shorter than the time that others wait for their turn to write. So a machine that is cut off in the middle of a
 * transaction does not block them.
 */
const IDLE_IN_TRANSACTION_MS = 20_000
/** The idle time after which the system begins to probe the connection. */
const KEEP_ALIVE_MS = 10_000
/** int8 and numeric, which the library returns as strings. Our values are below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700])

/**
 * Waits for the answer to a query on a connection.
 *
 * @throws the error of `silenceError` if the answer takes too long; then the connection is dropped.
 */
export async function awaitAnswer<Value>(
  milliseconds: number,
  connection: Pick<Connection, 'drop'>,
  answer: Promise<Value>,
): Promise<Value> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.drop()
  }, milliseconds)
  try {
    return await answer
  } catch (error) {
    throw isLate ? silenceError(milliseconds, error) : error
  } finally {
    clearTimeout(timer)
  }
}
