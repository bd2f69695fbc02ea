import type { PoolClient } from 'pg'
import { DatabaseOutage } from '../../store-error.ts'
import type { ConnectionUsage } from '../database.ts'
import { openClients } from './clients.ts'
import { awaitAnswer, type Connection, drop, type Servers } from './connect.ts'
import { explainError, isLostConnection, isSilence } from './outages.ts'

export type ConnectionPool = {
  /**
   * Runs work on a free connection, and closes it if the work throws. If an idle connection turns out to be lost and
   * `mayRepeat` allows it, the work runs again on another one.
   *
   * @throws {DatabaseOutage} if there is no connection, or the server does not answer.
   */
  use: <Value>(work: (client: PoolClient) => Promise<Value>, mayRepeat?: () => boolean) => Promise<Value>
  /**
   * Checks the server on a separate connection. If it does not answer, all work fails at once until it answers again.
   */
  probe: () => Promise<void>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** `max` is the maximum number of connections; `question` is a query that checks whether the server answers. */
export type PoolOptions = { max: number; question: (connection: Connection) => Promise<void> }

/** Opens a pool, initially without connections. */
export async function openPool(servers: Servers, { max, question }: PoolOptions): Promise<ConnectionPool> {
  const clients = await openClients(servers, max)
  const silence = openSilence(() => clients.all.forEach(drop))
  const probe = openProbe(servers, { question, onAnswer: silence.update })
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

/** How long work may take before the server is probed, in milliseconds. */
const STALL_MS = 5000

type Silence = {
  /** The outage while the server is silent; otherwise undefined. */
  now: () => DatabaseOutage | undefined
  /** Waits until the work ends or the server falls silent. */
  during: <Value>(waiting: Promise<Value>) => Promise<Value>
  update: (outage: DatabaseOutage | undefined) => void
}

/** Tracks whether the server is silent. `onSilence` is called whenever the server has not answered. */
function openSilence(onSilence: () => void): Silence {
  let now: DatabaseOutage | undefined
  const listeners = new Set<(outage: DatabaseOutage) => void>()
  return {
    now: () => now,
    during: waiting =>
      new Promise((resolve, reject) => {
        listeners.add(reject)
        void waiting.then(resolve, reject).finally(() => listeners.delete(reject))
      }),
    update: outage => {
      now = outage
      if (!outage) return
      onSilence()
      for (const reject of listeners) reject(outage)
    },
  }
}

/** Checks on its own connection whether a server answers. */
type Probe = { ask: () => Promise<void>; close: () => Promise<void> }

/** `question` is the query to send; `onAnswer` is called after each check with the outage if the server was silent. */
type ProbeOptions = {
  question: (connection: Connection) => Promise<void>
  onAnswer: (silence: DatabaseOutage | undefined) => void
}

/** Opens a probe. Concurrent callers share one check. */
function openProbe({ connect, place }: Servers, { question, onAnswer }: ProbeOptions): Probe {
  let connection: Connection | undefined
  let asking: Promise<void> | undefined
  const sendQuestion = (target: Connection) => {
    connection = target
    return awaitAnswer(PROBE_MS, target, question(target))
  }
  const ask = async () => {
    try {
      await sendQuestion(connection ?? (await connect())).catch(async error => {
        // The connection was lost after the last check.
        if (!isLostConnection(error)) throw error
        await sendQuestion(await connect())
      })
      onAnswer(undefined)
    } catch (error) {
      connection?.drop()
      connection = undefined
      const explained = explainError(error, place)
      onAnswer(explained instanceof DatabaseOutage && isSilence(explained) ? explained : undefined)
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
