import type { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Connections } from './connections.ts'

/**
 * Ends a server without losing a request that was sent. Only the listener is closed, at a moment when nothing waits on it.
 * Then `ending` is called, after which each connection must close with its next reply. Idle connections are cut after a
 * while, because a request may be on its way, and all of them after `drainMs`.
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

/** How many turns of the event loop to wait for one in which nothing arrives. */
const MAX_TURNS = 1000
/** How long a connection may be idle while stopping. */
const IDLE_MS = 500

type CutOff = { drainMs: number; signal: AbortSignal }

/** A turn of the event loop reads what has arrived already, so that a connection with a request on it is not idle. */
async function cutOff(connections: Connections, { drainMs, signal }: CutOff): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < drainMs) {
    await sleep(Math.min(IDLE_MS, drainMs), undefined, { signal })
    await nextTurn()
    for (const connection of connections.values()) if (isIdle(connection)) connection.socket.destroy()
  }
  for (const { socket } of connections.values()) socket.destroy()
}

/** Whether nothing was asked on a connection, or nothing more after its latest reply. */
function isIdle({ socket, plain, latest, bytesRead }: Connection): boolean {
  if (plain !== undefined) return plain === 'waiting'
  return latest ? latest.closed && latest.req.complete && socket.bytesRead === bytesRead : socket.bytesRead === 0
}
