import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../telemetry/log.ts'
import { onceAMinute } from '../../telemetry/once-a-minute.ts'
import { makeListenerHolder } from '../listening/listener-holder.ts'
import type { ListeningSocket } from '../listening/listening-socket.ts'
import type { Connections } from './connections.ts'
import { roomMaker } from './make-room.ts'

/** Keeps a server from taking more connections than it may, or than there are file descriptors for. */
export type ConnectionCap = {
  /** Whether there are as many as allowed. Others may wait, so each connection is closed after its reply. */
  isReached: () => boolean
  /** Call this before the server stops listening. It first accepts the connections that wait, for three seconds. */
  end: () => Promise<void>
}

/**
 * How many connections a number of file descriptors allows. Each connection may need a second one for a file; the
 * database, other files and processes need some too.
 */
export function maxConnections(descriptors: number): number {
  return Math.max(4, Math.floor((descriptors - RESERVED) / 2))
}

const RESERVED = 48

/** The limit of this process, if the system reports one. Node has raised it as far as it can. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export type CapOptions = {
  connections: Connections
  /** How many connections there may be. */
  most: number
  /** How many file descriptors there may be. */
  descriptors: number
  /** While the cap is reached: how long a request may take to come, and a client may read too slowly, in milliseconds. */
  fullRequestMs: number
  socket: ListeningSocket
  log: Log
}

/**
 * Caps the connections of a server that is about to listen. Node always accepts; without a descriptor it closes the
 * connection at once, and a request is lost. Connections wait in the system's queue only if this process has closed the
 * listening socket, so another process keeps it open while the cap is reached. Meanwhile idle connections and
 * those of slow readers are closed, and slow requests have less time.
 */
export async function capConnections(
  server: Server,
  { connections, most, descriptors, fullRequestMs, socket, log }: CapOptions,
): Promise<ConnectionCap> {
  const max = Math.min(most, maxConnections(descriptors))
  const reached = max < maxConnections(descriptors) ? REACHED_SETTING : REACHED_DESCRIPTORS
  const makeRoom = roomMaker(connections, fullRequestMs)
  const slowness = boundSlowRequests(server, fullRequestMs)
  const warn = onceAMinute(() => log.warn({ connections: max, descriptors }, reached))
  let isEnding = false
  let checking: NodeJS.Timeout | undefined
  const holder = makeListenerHolder(server, socket, () => grown())
  const grown = () => {
    if (isEnding) return // Another process would go on holding the socket.
    if (connections.count() >= max - NEAR) holder.handOver()
    if (connections.count() < max) return
    holder.release()
    slowness.tighten()
    warn()
  }
  const shrunk = () => {
    if (connections.count() < max && !server.listening && !isEnding) holder.takeBack()
  }
  const check = () => {
    if (server.listening) slowness.relax()
    else makeRoom()
    if (connections.count() < max) shrunk()
    else holder.renew()
  }
  server.once('listening', () => {
    if (max <= NEAR) holder.handOver()
    // The timer also keeps the process alive, which a server does only while it listens.
    checking = setInterval(check, ROOM_MS)
  })
  server.on('connection', socket => {
    grown()
    socket.once('close', shrunk)
  })
  if (max <= NEAR) await holder.start()
  return {
    isReached: () => !server.listening && !isEnding,
    end: async () => {
      await acceptWaiting(server)
      isEnding = true
      clearInterval(checking)
      await holder.end()
    },
  }
}

/** Resolves when the server listens and has room for all connections that waited, or after `MAX_ACCEPTING_MS`. */
async function acceptWaiting(server: Server): Promise<void> {
  const patience = AbortSignal.timeout(MAX_ACCEPTING_MS)
  while (!server.listening && !patience.aborted) {
    await once(server, 'listening', { signal: patience }).catch(() => undefined)
    await sleep(ACCEPTING_MS)
  }
}

const MAX_ACCEPTING_MS = 3000
const ACCEPTING_MS = 20

/** The process that holds the socket is started when so many more connections would reach the cap. */
const NEAR = 500
const ROOM_MS = 250
const REACHED_SETTING =
  'as many connections are open as --max-connections allows, and others wait: raise it, or run another process beside this one'
const REACHED_DESCRIPTORS =
  'as many connections are open as there are file descriptors for, and others wait: raise their limit (ulimit -n, LimitNOFILE= of systemd)'

/**
 * Gives requests less time to arrive while the cap is reached, and for a while after it, since connections that come
 * and go reach it again and again. Node looks for slow requests once a second, and answers them with 408.
 */
function boundSlowRequests(server: Server, fullRequestMs: number) {
  const { headersTimeout, requestTimeout } = server
  let tightenedAt = Number.NEGATIVE_INFINITY
  checkFromFirstListening(server)
  return {
    tighten: () => {
      tightenedAt = performance.now()
      Object.assign(server, { headersTimeout: fullRequestMs, requestTimeout: fullRequestMs })
    },
    relax: () => {
      if (performance.now() - tightenedAt > RELAX_MS) Object.assign(server, { headersTimeout, requestTimeout })
    },
  }
}

const RELAX_MS = 2000

/** Node restarts its timer for slow requests whenever it listens. If that is often, the timer would never fire. */
function checkFromFirstListening(server: Server): void {
  const begin = server.listeners('listening')
  server.removeAllListeners('listening')
  server.once('listening', () => {
    for (const each of begin) Reflect.apply(each, server, [])
  })
}
