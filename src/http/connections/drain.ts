import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * How a server ends without losing a request that was sent. `http.Server.close` would at once cut connections that look
 * idle, on which a request may already be on its way. So only the listener is closed, at a moment when nothing waits on
 * it; only then `ending` is called, from when on each connection has to end with its next reply: a client that connects
 * again is refused. Connections are cut only after being idle for a while.
 */
export function drainOf(server: Server): (ending: () => void) => Promise<void> {
  const connections = new Set<Socket>()
  let events = 0
  server.on('request', () => events++)
  server.on('connection', socket => {
    events++
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return async ending => {
    await nextTurn()
    for (let turn = 0, before = -1; turn < MAX_TURNS && before !== events; turn++) {
      before = events
      await nextTurn()
    }
    const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()))
    ending()
    const patience = new AbortController()
    const cutting = cutOff(server, connections, patience.signal).catch(() => undefined)
    await closed
    patience.abort()
    await cutting
  }
}

/** How many turns of the event loop to wait for one in which nothing comes. */
const MAX_TURNS = 1000
/** How long a connection may be idle while stopping. */
const IDLE_MS = 500
/** How long replies may take while stopping: less than the 30 seconds after which most supervisors kill. */
const MAX_DRAIN_MS = 25_000

/** A turn of the event loop reads what has arrived already, so that a connection with a request on it is not idle. */
async function cutOff(server: Server, connections: Iterable<Socket>, signal: AbortSignal): Promise<void> {
  await sleep(IDLE_MS, undefined, { signal })
  await nextTurn()
  server.closeIdleConnections()
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
  await sleep(MAX_DRAIN_MS, undefined, { signal })
  server.closeAllConnections()
}
