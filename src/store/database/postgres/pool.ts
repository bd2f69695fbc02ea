import { once } from 'node:events'
import type { Client } from 'pg'
import { withTimeout } from '#platform/base/promise.ts'
import { DatabaseOutage } from '../../store-error.ts'
import type { ConnectionUsage } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { busyOutage, explainError, isLostConnection, isServerFull, isSilence } from './outages.ts'

export type ConnectionPool = {
  /**
   * Runs work on a free connection, and closes it if the work throws. If an idle connection turns out to be lost and
   * `mayRepeat` allows it, the work runs again on another one.
   *
   * @throws {DatabaseOutage} if there is no connection, or the server does not answer.
   */
  use: <Value>(work: (client: Client) => Promise<Value>, mayRepeat?: () => boolean) => Promise<Value>
  /** Checks the server on a separate connection. Without an answer, all work fails at once until it answers. */
  probe: () => Promise<void>
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** `max` is the maximum number of connections; `question` is a query that any server in use answers with a row. */
export type PoolOptions = { max: number; question: string }

/** Opens a pool, initially without connections. */
export function openPool(servers: Servers, { max, question }: PoolOptions): ConnectionPool {
  const connections = new Connections(servers, max)
  const probe = openProbe(servers, question, () => connections.dropAll())
  const use: ConnectionPool['use'] = async (work, mayRepeat = () => false) => {
    probe.assertAnswering()
    const connection = await connections.acquire(probe.assertAnswering)
    const { isNew } = connection
    connection.isNew = false
    const stallTimer = setInterval(probe.askSoon, STALL_MS)
    try {
      const value = await work(connection.client)
      connections.giveBack(connection, true)
      return value
    } catch (error) {
      connections.giveBack(connection, false)
      const isLost = isLostConnection(error)
      const silence = probe.silence()
      if (isLost && silence) throw silence
      // Only a connection that had been idle may have been lost before the work.
      if (isLost && !isNew && mayRepeat()) return use(work, mayRepeat)
      throw explainError(error, servers.place)
    } finally {
      clearInterval(stallTimer)
    }
  }
  return {
    use,
    probe: probe.ask,
    usage: () => connections.usage(),
    close: async () => void (await Promise.all([connections.close(), probe.close()])),
  }
}

/** How long work may take before the server is probed, in milliseconds. */
const STALL_MS = 5000

/** A connection for work, and whether no work has used it yet. The timer `rest` ends it after an idle minute. */
type WorkConnection = Connection & { isNew: boolean; rest?: NodeJS.Timeout }

/** At most `max` connections: those in use and the idle ones. Work waits in turn for one. */
class Connections {
  readonly #open = new Set<WorkConnection>()
  readonly #idle: WorkConnection[] = []
  readonly #servers: Servers
  readonly #max: number
  readonly #turns: Turns
  #isClosing = false

  constructor(servers: Servers, max: number) {
    this.#servers = servers
    this.#max = max
    this.#turns = openTurns(max, () => busyOutage(servers.place))
  }

  /** Reserves a connection. Calls `opening` before it opens a new one. */
  async acquire(opening: () => void): Promise<WorkConnection> {
    await this.#turns.take()
    const idle = this.#idle.pop()
    clearTimeout(idle?.rest)
    if (idle) return idle
    try {
      opening()
      const connection = { ...(await this.#servers.connect()), isNew: true }
      this.#open.add(connection)
      connection.client.once('end', () => this.#remove(connection))
      return connection
    } catch (error) {
      const mayWait = isServerFull(error) && this.#open.size > 0
      if (!mayWait) {
        this.#turns.giveBack()
        throw error
      }
      // Waits for a connection in use. This turn is withheld, because the server has no connection for it.
      setTimeout(this.#turns.giveBack, WAIT_MS).unref()
      return this.acquire(opening)
    }
  }

  /** Ends the reservation, and closes the connection unless it `isFit` for other work. */
  giveBack(connection: WorkConnection, isFit: boolean): void {
    if (isFit && !this.#isClosing && this.#open.has(connection)) {
      this.#idle.push(connection)
      connection.rest = setTimeout(() => this.#endUnused(connection), IDLE_MS).unref()
    } else void connection.end()
    this.#turns.giveBack()
  }

  /** Keeps one connection, in case the server has none left. */
  #endUnused(connection: WorkConnection): void {
    if (this.#open.size === 1) return
    this.#remove(connection)
    void connection.end()
  }

  #remove(connection: WorkConnection): void {
    this.#open.delete(connection)
    if (this.#idle.includes(connection)) this.#idle.splice(this.#idle.indexOf(connection), 1)
  }

  /** Closes all connections without waiting for the server. */
  dropAll(): void {
    for (const { drop } of this.#open) drop()
  }

  usage(): ConnectionUsage {
    return { busy: this.#max - this.#turns.free(), idle: this.#idle.length, waiting: this.#turns.waiting() }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const closed = Promise.allSettled([...this.#open].map(({ client }) => once(client, 'end')))
    for (const { end } of this.#idle) void end()
    await withTimeout(END_MS, closed, () => this.dropAll())
  }
}

type Turns = ReturnType<typeof openTurns>

const IDLE_MS = 60_000
const END_MS = 500
/** How long work waits for a connection. */
const WAIT_MS = 5000

/** Gives at most this many turns at a time, in the order of the calls. Throws if a caller waits too long for one. */
function openTurns(count: number, lateError: () => Error) {
  let free = count
  /** The functions that give a turn to a caller; the first one has waited longest. */
  const waiting = new Set<() => void>()
  return {
    free: () => free,
    waiting: () => waiting.size,
    take: async () => {
      if (free > 0) return void free--
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.add(resolve)
      const limitTimer = setTimeout(() => {
        waiting.delete(resolve)
        reject(lateError())
      }, WAIT_MS)
      await promise.finally(() => clearTimeout(limitTimer))
    },
    giveBack: () => {
      const [giveTurn] = waiting
      if (!giveTurn) return void free++
      waiting.delete(giveTurn)
      giveTurn()
    },
  }
}

/** Checks on its own connection whether a server answers. */
type Probe = {
  /** Concurrent callers share one check. */
  ask: () => Promise<void>
  askSoon: () => void
  /** The outage if the server did not answer the last check: then, work fails with it at once. */
  silence: () => DatabaseOutage | undefined
  /** Throws that outage, and checks again. */
  assertAnswering: () => void
  close: () => Promise<void>
}

/** Opens a probe. Calls `fellSilent` after each check that the server did not answer. */
function openProbe(servers: Servers, question: string, fellSilent: () => void): Probe {
  const connection = openProbeConnection(servers, question)
  let silence: DatabaseOutage | undefined
  let asking: Promise<void> | undefined
  const check = async () => {
    try {
      await connection.ask()
      silence = undefined
    } catch (error) {
      const explained = explainError(error, servers.place)
      silence = explained instanceof DatabaseOutage && isSilence(explained) ? explained : undefined
      if (silence) fellSilent()
      throw explained
    } finally {
      asking = undefined
    }
  }
  const ask = () => {
    asking ??= check()
    return asking
  }
  const askSoon = () => void ask().catch(() => undefined)
  return {
    ask,
    askSoon,
    silence: () => silence,
    assertAnswering: () => {
      if (!silence) return
      askSoon()
      throw silence
    },
    close: async () => {
      await asking?.catch(() => undefined)
      await connection.close()
    },
  }
}

/** Opens a connection on first use. It asks only this question, and is replaced after a failure. */
function openProbeConnection({ connect }: Servers, question: string) {
  let connection: Connection | undefined
  const ask = async () => {
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
      await ask()
    }
  }
  return { ask, close: async () => connection?.end() }
}

/** How long a sound server takes at most for the question of a probe. */
const PROBE_MS = 3000
