import type { Connection } from './connect.ts'

/** Connections that nobody uses now. */
export type IdleConnections = {
  take: () => Connection | undefined
  keep: (connection: Connection) => void
  /** The next that is kept; throws the error if there is none in time. */
  next: (milliseconds: number, error: unknown) => Promise<Connection>
  count: () => number
  dropAll: () => void
  close: () => Promise<void>
}

/** Connections that nobody uses. All but one are ended after a minute; that one is there when a server gives no more. */
export function keepIdle(busy: () => number): IdleConnections {
  let kept: { connection: Connection; since: number }[] = []
  const wanted: ((connection: Connection) => void)[] = []
  let isClosed = false
  const prune = () => {
    kept = kept.filter(({ connection }) => connection.isOpen())
  }
  const sweep = setInterval(() => {
    prune()
    while (kept.length + busy() > 1 && kept[0] && performance.now() - kept[0].since > IDLE_MS)
      void kept.shift()?.connection.end()
  }, IDLE_MS / 4)
  sweep.unref()
  const keep = (connection: Connection) => {
    if (isClosed) return void connection.end()
    if (!connection.isOpen()) return
    const next = wanted.shift()
    if (next) return next(connection)
    kept.push({ connection, since: performance.now() })
  }
  return {
    take: () => {
      prune()
      return kept.pop()?.connection
    },
    keep,
    next: (milliseconds, error) =>
      new Promise((resolve, reject) => {
        const give = (connection: Connection) => {
          clearTimeout(timer)
          resolve(connection)
        }
        const timer = setTimeout(() => {
          wanted.splice(wanted.indexOf(give), 1)
          reject(error)
        }, milliseconds)
        wanted.push(give)
      }),
    count: () => kept.length,
    dropAll: () => {
      for (const { connection } of kept.splice(0)) connection.drop()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      await Promise.all(kept.splice(0).map(({ connection }) => connection.end()))
    },
  }
}

const IDLE_MS = 60_000
