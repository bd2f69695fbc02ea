import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Connections } from './connections.ts'

/**
 * Ends a server without losing a request that was sent. `http.Server.close` would at once cut connections that look
 * idle, although a request may be on its way. So only the listener is closed, at a moment when nothing waits on it.
 * Then `ending` is called, after which each connection must close with its next reply. Idle connections are cut after a
 * while, and all of them after `drainMs`.
 */
export function drainOf(
  server: Server,
  connections: Connections,
  drainMs: number,
): (ending: () => void) => Promise<void> {
  let opened = 0
  server.on('connection', () => opened++)
  const arrived = () => connections.values().reduce((sum, { socket }) => sum + socket.bytesRead, opened)
  return async ending => {
    await nextTurn()
    for (let turn = 0, before = -1; turn < MAX_TURNS && before !== arrived(); turn++) {
      before = arrived()
      await nextTurn()
    }
    const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()))
    ending()
    const patience = new AbortController()
    const cutting = cutOff(server, connections, { drainMs, signal: patience.signal }).catch(() => undefined)
    await closed
    patience.abort()
    await cutting
  }
}

/** How many turns of the event loop to wait for one in which nothing arrives. */
const MAX_TURNS = 1000
/** How long a connection may be idle while stopping. */
const IDLE_MS = 500

type CutOff = { drainMs: number; signal: AbortSignal }

/**
 * A turn of the event loop reads what has arrived already, so that a connection with a request on it is not idle. Node's
 * `closeAllConnections` leaves out those that asked for a tunnel.
 */
async function cutOff(server: Server, connections: Connections, { drainMs, signal }: CutOff): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < drainMs) {
    await sleep(Math.min(IDLE_MS, drainMs), undefined, { signal })
    await nextTurn()
    server.closeIdleConnections()
    for (const { socket, plain } of connections.values())
      if (socket.bytesRead === 0 || plain === 'waiting') socket.destroy()
  }
  for (const { socket } of connections.values()) socket.destroy()
}
