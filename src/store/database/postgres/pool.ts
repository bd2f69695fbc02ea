import { errorCode } from '../../../base/error.ts'
import { DatabaseOutage } from '../../store-error.ts'
import type { ConnectionUsage } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { keepIdle } from './idle.ts'
import { explainedError, isLostConnection } from './outages.ts'
import { openProbe } from './probe.ts'
import { openTurns } from './turns.ts'

/** A few connections that are used again and again. */
export type ConnectionPool = {
  /**
   * Runs work on a connection that is free. The connection is given up if the work throws.
   *
   * @throws {DatabaseOutage} if there is no connection, or the server falls silent.
   */
  use: Use
  /** The same on a new connection: others may have been lost as one was. */
  useNew: Use
  /** Asks the server on a connection of its own. If it is silent, all work fails at once, until it has answered again. */
  probe: () => Promise<void>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

type Use = <Value>(work: (connection: Connection) => Promise<Value>) => Promise<Value>

/** What is asked to find out whether the server answers, and how many connections there may be. */
export type PoolOptions = { max: number; question: (connection: Connection) => Promise<void> }

/** Opens a pool without a connection. */
export function openPool(servers: Servers, { max, question }: PoolOptions): ConnectionPool {
  const { connect, place } = servers
  const busy = new Set<Connection>()
  const idle = keepIdle(() => busy.size)
  const turns = openTurns(max, WAIT_MS, () => noTurn(place))
  const silence = openSilence(outage => {
    for (const connection of busy) connection.drop()
    idle.dropAll()
    turns.refuse(outage)
  })
  const probe = openProbe(servers, { question, heard: silence.heard })
  const probeSoon = () => void probe.ask().catch(() => undefined)
  const acquire = async (): Promise<Connection> => {
    const connecting = connect()
    try {
      return await silence.during(connecting)
    } catch (error) {
      void connecting.then(idle.keep, () => undefined)
      if (!hasNoneLeft(error) || busy.size === 0) throw error
      return idle.next(WAIT_MS, error)
    }
  }
  const run = async <Value>(connection: Connection, work: (connection: Connection) => Promise<Value>) => {
    busy.add(connection)
    const stalled = setInterval(probeSoon, STALL_MS)
    try {
      const value = await work(connection)
      idle.keep(connection)
      return value
    } catch (error) {
      void connection.end()
      throw isLostConnection(error) ? (silence.now() ?? explainedError(error, place)) : explainedError(error, place)
    } finally {
      busy.delete(connection)
      clearInterval(stalled)
    }
  }
  const unlessSilent = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const silent = silence.now()
    if (!silent) return turns.take(work)
    probeSoon()
    return Promise.reject(silent)
  }
  return {
    use: work => unlessSilent(async () => run(idle.take() ?? (await acquire()), work)),
    useNew: work => unlessSilent(async () => run(await acquire(), work)),
    probe: probe.ask,
    usage: () => ({ busy: busy.size, idle: idle.count(), waiting: turns.waiting() }),
    close: async () => void (await Promise.all([idle.close(), probe.close()])),
  }
}

/** How long work waits for a connection, and after how long it is asked whether the server is still there, in milliseconds. */
const WAIT_MS = 5000
const STALL_MS = 5000

function noTurn(place: string): DatabaseOutage {
  const what = `cannot use the database at ${place}: all connections of this process are busy`
  return new DatabaseOutage({ what, fix: 'look for slow queries and load on the server' })
}

type Silence = {
  /** The outage, while the server is silent. */
  now: () => DatabaseOutage | undefined
  /** Waits no longer than until the server falls silent. */
  during: <Value>(waiting: Promise<Value>) => Promise<Value>
  heard: (outage: DatabaseOutage | undefined) => void
}

/** Whether the server is silent. `fell` is called each time that it has not answered. */
function openSilence(fell: (outage: DatabaseOutage) => void): Silence {
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
      fell(outage)
      for (const tell of listeners) tell(outage)
    },
  }
}

/** Whether the server refuses a connection because it has no more of them (`too_many_connections`). */
function hasNoneLeft(error: unknown): boolean {
  return error instanceof DatabaseOutage && errorCode(error.cause) === '53300'
}
