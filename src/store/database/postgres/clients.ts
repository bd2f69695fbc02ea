import { once } from 'node:events'
import type { Client, ClientConfig, Pool, PoolClient } from 'pg'
import { errorCode } from '../../../base/error.ts'
import { withTimeout } from '../../../base/promise.ts'
import type { ConnectionUsage } from '../database.ts'
import { drop, type Servers } from './connect.ts'
import { explainError, isBusyPool } from './outages.ts'

/** The pool of the `pg` library, for several servers. */
export type Clients = {
  /** Reserves a client until it is released. Throws a `DatabaseOutage`. */
  connect: () => Promise<PoolClient>
  /** The connected clients. */
  all: ReadonlySet<Client>
  /** Clients that no work has used yet. */
  unused: WeakSet<Client>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** Opens a pool of the server that accepted the latest connection. Clients are closed after an idle minute, except one. */
export async function openClients(servers: Servers, max: number): Promise<Clients> {
  const pool = await openPgPool(servers, max)
  const [all, unused] = [new Set<Client>(), new WeakSet<Client>()]
  pool.on('error', () => undefined) // The pool removes idle clients that fail.
  pool.on('remove', client => all.delete(client))
  pool.on('connect', client => {
    client.on('error', () => undefined) // Its queries fail with it.
    all.add(client)
    unused.add(client)
  })
  const checkOut = async () => {
    const client = await pool.connect()
    try {
      if (unused.has(client)) await servers.assertFit(client)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let finding: Promise<void> | undefined
  /** Finds a suitable server, which `latest` then names. Concurrent callers share one search, so a server gets few connections. */
  const findServer = () => {
    finding ??= servers
      .connect()
      .then(connection => connection.end())
      .finally(() => {
        finding = undefined
      })
    return finding
  }
  const checkOutElsewhere = async (error: unknown) => {
    if (isBusyPool(error)) throw error
    if (errorCode(error) === TOO_MANY_CONNECTIONS && all.size > 0) {
      // New work waits for a client in use.
      pool.options.max = all.size
      setTimeout(() => Object.assign(pool.options, { max }), WAIT_MS).unref()
    } else await findServer()
    return checkOut()
  }
  return {
    connect: () =>
      checkOut()
        .catch(checkOutElsewhere)
        .catch(error => Promise.reject(explainError(error, servers.place))),
    all,
    unused,
    usage: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => close(pool, all),
  }
}

/** How long work waits for a connection. */
const WAIT_MS = 5000
const IDLE_MS = 60_000
const TOO_MANY_CONNECTIONS = '53300'

async function openPgPool({ latest }: Servers, max: number): Promise<Pool> {
  const { default: pg } = await import('pg')
  // The pool expects constructors to succeed, but one throws if it cannot read a file that the address names.
  const readable = (config: ClientConfig) => {
    try {
      new pg.Client(config)
      return config
    } catch {
      return NOWHERE
    }
  }
  class LatestClient extends pg.Client {
    constructor() {
      super(readable(latest()))
    }
  }
  const connectionTimeoutMillis = Math.max(WAIT_MS, latest().connectionTimeoutMillis ?? 0)
  return new pg.Pool({ Client: LatestClient, max, min: 1, idleTimeoutMillis: IDLE_MS, connectionTimeoutMillis })
}

/** No server can be here. */
const NOWHERE: ClientConfig = { host: '/dev/null' }

/** A server that does not answer does not close its side either. */
async function close(pool: Pool, clients: ReadonlySet<Client>): Promise<void> {
  if (!pool.ending) void pool.end()
  const closed = Promise.allSettled([...clients].map(client => once(client, 'end')))
  await withTimeout(END_MS, closed, () => clients.forEach(drop))
}

const END_MS = 500
