import { once } from 'node:events'
import { withTimeout } from '../../../base/promise.ts'
import type { ConnectionUsage } from '../database.ts'
import type { Connection, Servers } from './connect.ts'
import { busyOutage, isServerFull } from './outages.ts'

/** A connection for work, and whether no work has used it yet. */
type WorkConnection = Connection & { isNew: boolean }

export type Connections = {
  /** Reserves a connection until it is given back. Throws a `DatabaseOutage`. */
  acquire: () => Promise<WorkConnection>
  /** Ends the reservation, and closes the connection unless it `isFit` for other work. */
  giveBack: (connection: WorkConnection, isFit: boolean) => void
  /** Closes all connections without waiting for the server. */
  dropAll: () => void
  usage: () => ConnectionUsage
  close: () => Promise<void>
}

/** Keeps at most `max` connections. They are closed after an idle minute, except one. Opens none yet. */
export function openConnections({ connect, place }: Servers, max: number): Connections {
  const open = new Set<WorkConnection>()
  const idle = new Set<WorkConnection>()
  const closing = closeUnused(open, idle)
  const turns = openTurns(max, () => busyOutage(place))
  let isClosing = false
  const acquire = async (): Promise<WorkConnection> => {
    await turns.take()
    const rested = [...idle].at(-1)
    if (rested) {
      idle.delete(rested)
      return rested
    }
    try {
      const connection = { ...(await connect()), isNew: true }
      open.add(connection)
      connection.client.once('end', () => {
        open.delete(connection)
        idle.delete(connection)
      })
      return connection
    } catch (error) {
      const mayWait = isServerFull(error) && open.size > 0
      if (mayWait) setTimeout(turns.giveBack, WAIT_MS).unref()
      else turns.giveBack()
      if (!mayWait) throw error
      return acquire() // Waits for a connection in use.
    }
  }
  const giveBack = (connection: WorkConnection, isFit: boolean) => {
    if (isFit && !isClosing && open.has(connection)) idle.add(connection)
    else void connection.end()
    turns.giveBack()
  }
  const dropAll = () => {
    for (const { drop } of open) drop()
  }
  const close = async () => {
    isClosing = true
    clearInterval(closing)
    const closed = Promise.allSettled([...open].map(({ client }) => once(client, 'end')))
    for (const connection of idle) void connection.end()
    await withTimeout(END_MS, closed, dropAll)
  }
  const usage = () => ({ busy: max - turns.free(), idle: idle.size, waiting: turns.waiting() })
  return { acquire, giveBack, dropAll, usage, close }
}

const END_MS = 500

/** Closes the connection that has been idle the longest if it was idle for a minute, unless it is the only one. */
function closeUnused(open: ReadonlySet<Connection>, idle: Set<Connection>): NodeJS.Timeout {
  let earlier: Connection | undefined
  const check = () => {
    const [longest] = idle
    const isUnused = longest === earlier
    earlier = longest
    if (!longest || !isUnused || open.size === 1) return
    idle.delete(longest)
    void longest.end()
  }
  return setInterval(check, IDLE_MS).unref()
}

const IDLE_MS = 60_000

/** Gives at most this many turns at a time, in the order of the calls. Throws if a turn takes too long. */
function openTurns(count: number, lateError: () => Error) {
  let free = count
  const waiting = new Set<() => void>()
  return {
    free: () => free,
    waiting: () => waiting.size,
    take: () =>
      new Promise<void>((resolve, reject) => {
        if (free > 0) {
          free--
          return resolve()
        }
        const begin = () => {
          clearTimeout(timer)
          waiting.delete(begin)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(begin)
          reject(lateError())
        }, WAIT_MS)
        waiting.add(begin)
      }),
    giveBack: () => {
      const [next] = waiting
      if (next) next()
      else free++
    },
  }
}

/** How long work waits for a connection. */
const WAIT_MS = 5000
