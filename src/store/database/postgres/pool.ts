import type { PoolClient } from 'pg'
import type { DatabaseOutage } from '../../store-error.ts'
import type { ConnectionUsage } from '../database.ts'
import { openClients } from './clients.ts'
import { type Connection, drop, type Servers } from './connect.ts'
import { explainError, isLostConnection } from './outages.ts'
import { openProbe } from './probe.ts'

/** A few connections that are used again and again. */
export type ConnectionPool = {
  /**
   * Runs work on a free connection, which is closed if the work throws. If the connection was lost while it was idle, and
   * `mayRepeat` allows it, the work runs again on another one.
   *
   * @throws {DatabaseOutage} if there is no connection, or the server does not answer.
   */
  use: <Value>(work: (client: PoolClient) => Promise<Value>, mayRepeat?: () => boolean) => Promise<Value>
  /** Asks the server on a separate connection. If it does not answer, all work fails at once until it answers again. */
  probe: () => Promise<void>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** The question that shows whether the server answers, and how many connections there may be. */
export type PoolOptions = { max: number; question: (connection: Connection) => Promise<void> }

/** Opens a pool without a connection. */
export async function openPool(servers: Servers, { max, question }: PoolOptions): Promise<ConnectionPool> {
  const clients = await openClients(servers, max)
  const silence = openSilence(() => clients.all.forEach(drop))
  const probe = openProbe(servers, { question, heard: silence.heard })
  const probeSoon = () => void probe.ask().catch(() => undefined)
  const acquire = async () => {
    const silent = silence.now()
    if (silent) probeSoon()
    if (silent) throw silent
    const acquired = clients.connect()
    return silence.during(acquired).catch(error => {
      void acquired.then(client => client.release()).catch(() => undefined)
      throw error
    })
  }
  const use: ConnectionPool['use'] = async (work, mayRepeat = () => false) => {
    const client = await acquire()
    const isNew = clients.unused.delete(client)
    const stalled = setInterval(probeSoon, STALL_MS)
    try {
      const value = await work(client)
      client.release()
      return value
    } catch (error) {
      client.release(true)
      const isLost = isLostConnection(error)
      const silent = silence.now()
      if (isLost && silent) throw silent
      if (isLost && !isNew && mayRepeat()) return use(work, mayRepeat)
      throw explainError(error, servers.place)
    } finally {
      clearInterval(stalled)
    }
  }
  return {
    use,
    probe: probe.ask,
    usage: clients.usage,
    close: async () => void (await Promise.all([clients.close(), probe.close()])),
  }
}

/** How long work may take before the server is asked whether it still answers, in milliseconds. */
const STALL_MS = 5000

type Silence = {
  /** The outage, while the server is silent. */
  now: () => DatabaseOutage | undefined
  /** Waits no longer than until the server falls silent. */
  during: <Value>(waiting: Promise<Value>) => Promise<Value>
  heard: (outage: DatabaseOutage | undefined) => void
}

/** Whether the server is silent. `fell` is called each time that it has not answered. */
function openSilence(fell: () => void): Silence {
  let now: DatabaseOutage | undefined
  const listeners = new Set<(outage: DatabaseOutage) => void>()
  return {
    now: () => now,
    during: waiting =>
      new Promise((resolve, reject) => {
        listeners.add(reject)
        void waiting.then(resolve, reject).finally(() => listeners.delete(reject))
      }),
    heard: outage => {
      now = outage
      if (!outage) return
      fell()
      for (const tell of listeners) tell(outage)
    },
  }
}
