import type { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Connections } from './connections.ts'

/**
 * Stops a server without losing a sent request. Closes only the listener, when no connection waits on it. Then calls
 * `ending`, after which each connection must close with its next reply. Closes idle connections after a while, because
 * a request may be on its way, and all connections after `drainMs`.
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
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    ending()
    const patience = new AbortController()
    const cutting = cutOff(connections, { drainMs, signal: patience.signal }).catch(() => undefined)
    await closed
    patience.abort()
    await cutting
  }
}

/** The maximum number of event loop turns to wait for one without new input. */
const MAX_TURNS = 1000
/** The maximum idle time of a connection while stopping. */
const IDLE_MS = 500

type CutOff = { drainMs: number; signal: AbortSignal }

/**
 * Waits an event loop turn before each check to read input that has arrived, so that a connection with a request is not
 * idle.
 */
async function cutOff(connections: Connections, { drainMs, signal }: CutOff): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < drainMs) {
    await sleep(Math.min(IDLE_MS, drainMs), undefined, { signal })
    await nextTurn()
    for (const connection of connections.values()) if (isIdle(connection)) connection.socket.destroy()
  }
  for (const { socket } of connections.values()) socket.destroy()
}

/** Whether a connection has had no request, or none after its latest reply. */
function isIdle({ socket, plain, latest, bytesRead }: Connection): boolean {
  if (plain !== undefined) return plain === 'waiting'
  return latest ? latest.closed && latest.req.complete && socket.bytesRead === bytesRead : socket.bytesRead === 0
}
