import type { ConnectionLimits } from './connection-limits.ts'
import type { Connection, Connections } from './connections.ts'

/**
 * Checks each second for requests that take too long to arrive, and calls `expired` for their connections. node:http
 * has such limits only for connections that it accepts itself. Returns a function that stops the checks.
 */
export function watchRequestTimeouts(
  connections: Connections,
  { headMs, requestMs }: ConnectionLimits,
  expired: (connection: Connection) => void,
): () => void {
  const check = () => {
    const nowMs = performance.now()
    for (const connection of connections.values()) {
      const part = arrivingPart(connection)
      if (part === undefined) {
        connection.arrivingSince = undefined
        continue
      }
      connection.arrivingSince ??= nowMs
      if (nowMs - connection.arrivingSince > (part === 'head' ? headMs : requestMs)) expired(connection)
    }
  }
  const timer = setInterval(check, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const CHECK_MS = 1000

/** The part of a request that node:http waits for; undefined if none. */
function arrivingPart({ socket, latest, plain, bytesRead }: Connection): 'head' | 'body' | undefined {
  if (plain !== undefined || socket.destroyed) return undefined
  if (!latest) return 'head'
  if (!latest.req.complete) return 'body'
  return latest.closed && socket.bytesRead > bytesRead ? 'head' : undefined
}
