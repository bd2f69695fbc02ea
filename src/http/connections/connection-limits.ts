import type { Server, Socket } from 'node:net'
import { canonicalAddress, networkOf } from '../../exchange/ip-address.ts'
import { type Log, onceAMinute } from '../../telemetry/log.ts'
import { type Connection, type Connections, LINGER_MS } from './connections.ts'

export type ConnectionLimits = {
  /** The maximum number of open connections, in total and per address, and the exempt addresses. */
  connections: number
  perAddress: number
  isExempt: (address: string) => boolean
  /** The maximum time for the head of a request, and for the whole request, to arrive, in milliseconds. */
  headMs: number
  requestMs: number
  /**
   * The time after which a client that reads nothing of a reply is dropped, in milliseconds. The system buffers
   * megabytes and requests more only when a part has been read, so a slow reader may appear idle for minutes.
   */
  stallMs: number
  /** The time for replies after the server is stopped, in milliseconds. Most supervisors kill a process after 30 s. */
  drainMs: number
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  connections: Number.POSITIVE_INFINITY,
  perAddress: Number.POSITIVE_INFINITY,
  isExempt: () => false,
  headMs: 30_000,
  requestMs: 60_000,
  stallMs: 300_000,
  drainMs: 25_000,
}

/**
 * Caps the connections of a server, in total and per address; addresses in an IPv6 /64, which belong to one customer,
 * count together. A connection beyond a cap is marked: its request gets 503, and it closes soon. The same number again
 * may be refused at a time; further connections are closed at once, so that refusals do not use all descriptors.
 */
export function capConnections(server: Server, connections: Connections, caps: ConnectionLimits, log: Log): void {
  const warn = onceAMinute(() => log.warn({ connections: caps.connections }, CAPPED))
  const open = new Map<string, number>()
  const countPerAddress = (socket: Socket): number => {
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (caps.perAddress === Number.POSITIVE_INFINITY || address === '' || caps.isExempt(address)) return 0
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    return count
  }
  server.on('connection', (socket: Socket) => {
    const [total, ofAddress] = [connections.count(), countPerAddress(socket)]
    if (total > caps.connections) warn()
    if (total > 2 * caps.connections || ofAddress > 2 * caps.perAddress) socket.destroy()
    else if (total > caps.connections || ofAddress > caps.perAddress) refuse(socket, connections)
  })
}

const CAPPED =
  'the open connections have reached --max-connections, and further ones get 503: raise the limit, or run another process'

function refuse(socket: Socket, connections: Connections): void {
  const connection = connections.get(socket)
  if (connection) connection.isOverCap = true
  const limit = setTimeout(() => socket.destroy(), LINGER_MS)
  limit.unref()
  socket.once('close', () => clearTimeout(limit))
}

/** Calls `expired` for requests that arrive too slowly: node:http checks only connections that it accepts itself. */
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
