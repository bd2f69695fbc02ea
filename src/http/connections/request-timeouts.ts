import type { Connection, Connections } from './connections.ts'

/** How long the head of a request, and all of the request, may take to arrive, in milliseconds. */
export type RequestTimeouts = { headMs: number; requestMs: number }

/**
 * Looks each second for requests that take too long to arrive, and calls `expired` for their connections. node:http has
 * such limits only for connections that it accepts itself. Returns the function that stops looking.
 */
export function watchRequestTimeouts(
  connections: Connections,
  { headMs, requestMs }: RequestTimeouts,
  expired: (connection: Connection) => void,
): () => void {
  const look = () => {
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
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const LOOK_MS = 1000

/** The part of a request that node:http is waiting for; undefined if it waits for none. */
function arrivingPart({ socket, latest, plain, bytesRead }: Connection): 'head' | 'body' | undefined {
  if (plain !== undefined || socket.destroyed) return undefined
  if (!latest) return 'head'
  if (!latest.req.complete) return 'body'
  return latest.closed && socket.bytesRead > bytesRead ? 'head' : undefined
}
