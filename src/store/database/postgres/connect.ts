import { Socket } from 'node:net'
import type * as Pg from 'pg'
import type { Client, ClientConfig } from 'pg'
import { withTimeout } from '#platform/base/promise.ts'
import { ENCODE_PASSWORD, hasRawPassword, urlsOfHosts } from '#platform/base/server-url.ts'
import { DatabaseOutage } from '../../store-error.ts'
import type { Row, SqlValue } from '../database.ts'
import { explainError, silenceError } from './outages.ts'

/** A connection to a server. Callers explain the errors of its client. */
export type Connection = {
  client: Client
  /** Sends a query. If the answer takes longer than `limitMs`, drops the connection and throws `silenceError`. */
  ask: (limitMs: number, sql: string, values?: SqlValue[]) => Promise<Row[]>
  /** Ends the connection, and waits for the server only briefly. */
  end: () => Promise<void>
  /** Closes it without waiting for the server. Its pending queries fail. */
  drop: () => void
}

export type Servers = {
  /** Their names in messages. */
  place: string
  /** Connects to the first suitable server, starting with the latest one. Throws a `DatabaseOutage`. */
  connect: () => Promise<Connection>
}

/** Parses an address like `readPostgresAddress`; does not connect yet. */
export async function openServers(address: string): Promise<Servers> {
  const { default: pg } = await import('pg')
  const { hosts, ...limits } = readPostgresAddress(address)
  const withAdvice = (error: unknown) => (hasRawPassword(address) ? withEncodingAdvice(error) : error)
  /** The index of the host of the latest connection. */
  let latest = 0
  const connect = async () => {
    const failures: unknown[] = []
    for (const host of [...hosts.slice(latest), ...hosts.slice(0, latest)]) {
      try {
        const connection = await connectTo(pg, host.url, limits)
        latest = hosts.indexOf(host)
        return connection
      } catch (error) {
        failures.push(withAdvice(explainError(error, host.name)))
      }
    }
    throw combineFailures(failures)
  }
  return { place: hosts.map(({ name }) => name).join(', '), connect }
}

/** Connects to one host. Drops the connection if the server is not suitable. */
async function connectTo(
  pg: Pick<typeof Pg, 'Client' | 'types'>,
  url: string,
  { target, connectMs }: Pick<PostgresAddress, 'target' | 'connectMs'>,
): Promise<Connection> {
  const socket = new Socket()
  const client = new pg.Client({ ...configOf(url, connectMs, pg.types), stream: () => socket })
  client.on('error', () => undefined) // Its queries fail with it.
  const connection = connectionOf(client, socket)
  try {
    await client.connect()
    await assertTarget(connection, target, connectMs)
    return connection
  } catch (error) {
    connection.drop()
    throw error
  }
}

/** The last `@` of an address ends its password, but another program may end it at the first. */
function withEncodingAdvice(error: unknown): unknown {
  if (!(error instanceof DatabaseOutage)) return error
  const { what, fix, said, mayPass } = error
  return new DatabaseOutage({ what, fix: `${fix}; ${ENCODE_PASSWORD}`, said, mayPass }, { cause: error.cause })
}

function connectionOf(client: Client, socket: Socket): Connection {
  const drop = () => void socket.destroy()
  return {
    client,
    ask: async (limitMs, sql, values) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        drop()
      }, limitMs)
      try {
        return (await client.query<Row>(sql, values)).rows
      } catch (error) {
        throw isLate ? silenceError(limitMs, error) : error
      } finally {
        clearTimeout(timer)
      }
    },
    end: () =>
      withTimeout(
        END_MS,
        client.end().catch(() => undefined),
        drop,
      ),
    drop,
  }
}

/** How long a connection waits for its server to close, too: one that hangs does not. */
const END_MS = 500

/** Combines the errors of all hosts into one. An error that is not an outage has precedence. */
function combineFailures(failures: readonly unknown[]): unknown {
  const outages = failures.filter(error => error instanceof DatabaseOutage)
  if (failures.length === 1 || outages.length < failures.length)
    return failures.find(error => !(error instanceof DatabaseOutage)) ?? failures[0]
  const what = outages.map(outage => outage.what).join('; ')
  const { fix = '', said = '' } = outages.at(-1) ?? {}
  const mayPass = outages.some(outage => outage.mayPass)
  return new DatabaseOutage({ what, fix, said, mayPass }, { cause: outages[0] })
}

/** Throws the error of a read-only server (SQLSTATE 25006) if the server is not suitable. */
async function assertTarget({ ask }: Connection, target: SessionTarget, limitMs: number): Promise<void> {
  if (target === 'any') return
  const [row] = await ask(limitMs, `SELECT ${UNFIT[target]} AS is_unfit`)
  if (row?.is_unfit === true) throw Object.assign(new Error('a standby'), { code: '25006' })
}

/** The conditions for a server that does not suit such a target. */
const UNFIT = {
  'read-write': "current_setting('transaction_read_only')::bool",
  primary: 'pg_is_in_recovery()',
} as const satisfies Partial<Record<SessionTarget, string>>

/** The settings of a client: its limits, which no sound work reaches, and integers as numbers. */
function configOf(connectionString: string, connectMs: number, types: typeof Pg.types): ClientConfig {
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
/** The type numbers of int8 and numeric, which the library returns as strings. Our values are below 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([20, 1700])

type PostgresAddress = {
  /** One address per host, in the order of connection attempts. */
  hosts: readonly HostAddress[]
  /** The kind of server to connect to. */
  target: SessionTarget
  /** The time limit for a host to answer, in milliseconds. */
  connectMs: number
}

/** A host: its name in messages, and its URL for the client. */
type HostAddress = { name: string; url: string }

/** The supported values of `target_session_attrs`. */
type SessionTarget = 'any' | 'read-write' | 'primary'

/**
 * Parses an address as libpq does (PostgreSQL 17, §34.1.1.2 and §34.1.1.3), with several hosts, `target_session_attrs`
 * and `connect_timeout`. With several hosts, the default is to connect only to a writable one.
 */
export function readPostgresAddress(text: string): PostgresAddress {
  const urls = urlsOfHosts(text) ?? [text]
  const { searchParams } = new URL(urls[0] ?? text)
  const named = searchParams.get('target_session_attrs')
  const seconds = Number(searchParams.get('connect_timeout'))
  return {
    hosts: urls.map(url => ({ name: hostName(new URL(url)), url: urlForClient(url) })),
    target: TARGETS.find(each => each === named) ?? (urls.length > 1 ? 'read-write' : 'any'),
    connectMs: seconds > 0 ? seconds * 1000 : CONNECT_MS,
  }
}

const TARGETS: readonly SessionTarget[] = ['any', 'read-write', 'primary']
const CONNECT_MS = 5000

/** The name of a host in messages: `db.example:5432`, or the folder of a socket. */
function hostName({ hostname, port, searchParams }: URL): string {
  const host = searchParams.get('host') ?? (hostname || 'localhost')
  return host.startsWith('/') ? host : `${host}:${searchParams.get('port') ?? (port || '5432')}`
}

/**
 * Gives `sslmode` the meaning it has in libpq (§34.19.3), except that `prefer` and `allow` require TLS. By default, the
 * client means `verify-full` by `require`.
 */
function urlForClient(text: string): string {
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  if (mode === null) return url.href
  url.searchParams.set('sslmode', ANY_CERTIFICATE.has(mode) ? 'prefer' : mode)
  url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/** The modes that accept any certificate of the server. */
const ANY_CERTIFICATE: ReadonlySet<string> = new Set(['prefer', 'allow', 'no-verify'])
