import type { Client } from 'pg'
import { DatabaseOutage } from '../../store-error.ts'
import type { ConnectionUsage } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { openConnections } from './connections.ts'
import { explainError, isLostConnection, isSilence } from './outages.ts'

export type ConnectionPool = {
  /**
   * Runs work on a free connection, and closes it if the work throws. If an idle connection turns out to be lost and
   * `mayRepeat` allows it, the work runs again on another one.
   *
   * @throws {DatabaseOutage} if there is no connection, or the server does not answer.
   */
  use: <Value>(work: (client: Client) => Promise<Value>, mayRepeat?: () => boolean) => Promise<Value>
  /**
   * Checks the server on a separate connection. If it does not answer, all work fails at once until it answers again.
   */
  probe: () => Promise<void>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** `max` is the maximum number of connections; `question` is a query that any server in use answers with a row. */
export type PoolOptions = { max: number; question: string }

/** Opens a pool, initially without connections. */
export function openPool(servers: Servers, { max, question }: PoolOptions): ConnectionPool {
  const connections = openConnections(servers, max)
  const waiting = new Set<(outage: DatabaseOutage) => void>()
  let silence: DatabaseOutage | undefined
  const probe = openProbe(servers, question, outage => {
    silence = outage
    if (!outage) return
    connections.dropAll()
    for (const fail of waiting) fail(outage)
  })
  const probeSoon = () => void probe.ask().catch(() => undefined)
  const acquire = async () => {
    if (silence) {
      probeSoon()
      throw silence
    }
    const acquired = connections.acquire()
    const { promise: silenced, reject } = Promise.withResolvers<never>()
    waiting.add(reject)
    try {
      return await Promise.race([acquired, silenced])
    } catch (error) {
      void acquired.then(connection => connections.giveBack(connection, true)).catch(() => undefined)
      throw error
    } finally {
      waiting.delete(reject)
    }
  }
  const use: ConnectionPool['use'] = async (work, mayRepeat = () => false) => {
    const connection = await acquire()
    const { isNew } = connection
    connection.isNew = false
    const stalled = setInterval(probeSoon, STALL_MS)
    try {
      const value = await work(connection.client)
      connections.giveBack(connection, true)
      return value
    } catch (error) {
      connections.giveBack(connection, false)
      const isLost = isLostConnection(error)
      if (isLost && silence) throw silence
      if (isLost && !isNew && mayRepeat()) return use(work, mayRepeat)
      throw explainError(error, servers.place)
    } finally {
      clearInterval(stalled)
    }
  }
  const close = async () => void (await Promise.all([connections.close(), probe.close()]))
  return { use, probe: probe.ask, usage: connections.usage, close }
}

/** How long work may take before the server is probed, in milliseconds. */
const STALL_MS = 5000

/** Checks on its own connection whether a server answers. */
type Probe = { ask: () => Promise<void>; close: () => Promise<void> }

/**
 * Opens a probe. Concurrent callers share one check. Calls `answered` after each check, with the outage if the server
 * was silent.
 */
function openProbe(
  { connect, place }: Servers,
  question: string,
  answered: (silence: DatabaseOutage | undefined) => void,
): Probe {
  let connection: Connection | undefined
  let asking: Promise<void> | undefined
  const askNow = async () => {
    const isNew = connection === undefined
    connection ??= await connect()
    try {
      const rows = await connection.ask(PROBE_MS, question)
      if (rows.length === 0) throw new Error('the database has lost its identity')
    } catch (error) {
      connection.drop()
      connection = undefined
      // The connection may have been lost after the last check.
      if (isNew || !isLostConnection(error)) throw error
      await askNow()
    }
  }
  const ask = async () => {
    try {
      await askNow()
      answered(undefined)
    } catch (error) {
      const explained = explainError(error, place)
      answered(explained instanceof DatabaseOutage && isSilence(explained) ? explained : undefined)
      throw explained
    } finally {
      asking = undefined
    }
  }
  return {
    ask: () => {
      asking ??= ask()
      return asking
    },
    close: async () => {
      await asking?.catch(() => undefined)
      await connection?.end()
    },
  }
}

const PROBE_MS = 3000
