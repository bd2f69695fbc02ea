import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../telemetry/log.ts'
import { makeListenerHolder } from './listener-holder.ts'

/** Keeps a server from taking more connections than there are file descriptors for. */
export type ConnectionCap = {
  /** Whether all are taken, and others may wait: each that has its reply makes room. */
  isReached: () => boolean
  /** To be called before the server stops listening; connections that wait are taken first, as far as that is soon done. */
  end: () => Promise<void>
}

/**
 * How many connections there may be with so many file descriptors: each may have a file open too, and the database, files
 * that are read meanwhile and processes need some.
 */
export function mostConnections(descriptors: number): number {
  return Math.max(4, Math.floor((descriptors - RESERVED) / 2))
}

const RESERVED = 48

/** The limit of this process, if the system tells it. Node has raised it as far as it can. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Caps the connections of a server that is about to listen. Node always accepts, and where descriptors have run out, it
 * accepts and closes at once, so that a request is lost. Only connections of a socket that it does not know wait in the
 * queue of the system: so while the cap is reached another process holds it.
 */
export async function capConnections(server: Server, descriptors: number, log: Log): Promise<ConnectionCap> {
  const most = mostConnections(descriptors)
  const connections = new Set<Socket>()
  let [isEnding, loggedAt] = [false, Number.NEGATIVE_INFINITY]
  let making: NodeJS.Timeout | undefined
  const holder = makeListenerHolder(server)
  const grown = () => {
    if (connections.size >= most - NEAR) holder.hold()
    if (connections.size < most) return
    holder.release()
    if (performance.now() - loggedAt > LOG_AGAIN_MS) log.warn({ connections: most, descriptors }, REACHED)
    loggedAt = performance.now()
  }
  const shrunk = () => {
    if (connections.size < most && !server.listening && !isEnding) holder.takeBack()
  }
  const makeRoom = () => {
    if (!server.listening) closeUnused(server, connections)
    shrunk()
  }
  server.once('listening', () => {
    if (most <= NEAR) holder.hold()
    // It keeps the process alive as well, for which a server that has let go does nothing.
    making = setInterval(makeRoom, ROOM_MS)
  })
  server.on('connection', socket => {
    connections.add(socket)
    grown()
    socket.once('close', () => {
      connections.delete(socket)
      shrunk()
    })
  })
  if (most <= NEAR) await holder.start()
  return {
    isReached: () => !server.listening,
    end: async () => {
      await takeThoseThatWait(server)
      isEnding = true
      clearInterval(making)
      await holder.end()
    },
  }
}

/** Ends when the server listens and goes on to, since no more wait than there is room for, or after a while. */
async function takeThoseThatWait(server: Server): Promise<void> {
  const patience = AbortSignal.timeout(MAX_TAKING_MS)
  while (!server.listening && !patience.aborted) {
    await once(server, 'listening', { signal: patience }).catch(() => undefined)
    await sleep(TAKING_MS)
  }
}

const MAX_TAKING_MS = 3000
const TAKING_MS = 20

/** So many connections before the cap, the process that holds the socket is started. */
const NEAR = 500
const ROOM_MS = 1000
const LOG_AGAIN_MS = 60_000
const REACHED =
  'as many connections are open as there are file descriptors for, and others wait: raise their limit (ulimit -n, LimitNOFILE= of systemd)'

/** Connections on which nothing was asked, or nothing more, make room: whoever still wants something connects again. */
function closeUnused(server: Server, connections: Iterable<Socket>): void {
  server.closeIdleConnections()
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
}
