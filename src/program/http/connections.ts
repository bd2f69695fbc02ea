import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { addTo } from '#platform/base/object.ts'
import { canonicalAddress, networkOf } from '#platform/exchange/ip-address.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { type Log, onceAMinute } from '#platform/telemetry/log.ts'

/** The state of an open connection. It needs no listener per request (decisions/0008). */
export type Connection = {
  socket: Socket
  /** The reply to the latest request. Replies are sent in order, so it is the last one. */
  latest: ServerResponse | undefined
  /** Since when node:http has waited for the rest of a request, by `performance.now`. */
  arrivingSince: number | undefined
  /** The number of bytes read when the latest reply was made. */
  bytesRead: number
  /** Whether it exceeds a connection cap: it then gets one refusal and is closed. */
  isOverCap: boolean
  /**
   * Whether its latest request is the last one that is read, so that it closes with the reply: a request that is
   * refused before all of it has arrived (RFC 9112 §9.6), or that asks for another protocol (`Upgrade`). Afterwards,
   * Node discards the rest of the same packet, and would parse later bytes as a request, even if they are a body (RFC
   * 9112 §11.2).
   */
  isLastRequest: boolean
  /** Whether its latest request brings a file, which may take longer than other bodies. */
  isUploading: boolean
  /** When a refused request arrived, in milliseconds of `performance.now`: later ones are not processed. */
  refusedMs: number | undefined
  /** The time since which its next reply should be the last one, in milliseconds of `performance.now`. */
  closingSince: number | undefined
  /** The number of streaming replies. Each may have a file open slightly longer than the connection. */
  streams: number
  /** The waiting pipelined requests, and whether they stop further reading. */
  pipeline: { waiting: number; isPaused: boolean } | undefined
  /** The state of its plain requests; undefined once node:http reads it and has a reply in `latest`. */
  plain: 'waiting' | 'answering' | undefined
  /** The finished reply, if any, to the request that node:http reads next. */
  ready: ReadyReply | undefined
}

export type ReadyReply = { reply: Reply; request: Request; requestId: string; startedMs: number }

/** The connections of a server, including closed ones that still have a streaming reply. */
export type Connections = {
  values: () => IteratorObject<Connection>
  get: (socket: Duplex) => Connection | undefined
  count: () => number
  /** Call this when a reply begins to stream, and the returned function when its file is closed. */
  beginStream: (connection: Connection) => () => void
}

export function trackConnections(server: Server): Connections {
  const connections = new Map<Duplex, Connection>()
  server.on('connection', socket => {
    const connection = newConnection(socket)
    connections.set(socket, connection)
    socket.once('close', () => {
      if (connection.streams === 0) connections.delete(socket)
    })
  })
  return {
    values: () => connections.values(),
    get: socket => connections.get(socket),
    count: () => connections.size,
    beginStream: connection => {
      connection.streams++
      return () => {
        connection.streams--
        if (connection.streams === 0 && connection.socket.closed) connections.delete(connection.socket)
      }
    },
  }
}

function newConnection(socket: Socket): Connection {
  return {
    socket,
    latest: undefined,
    arrivingSince: undefined,
    bytesRead: 0,
    isLastRequest: false,
    isUploading: false,
    refusedMs: undefined,
    isOverCap: false,
    closingSince: undefined,
    streams: 0,
    pipeline: undefined,
    plain: undefined,
    ready: undefined,
  }
}

/**
 * Whether a reply is the last one of a connection that should close. It is the reply to the latest request; after
 * `MAX_CLOSING_MS` it is any, because a client that sends requests without waiting always has a later one.
 */
export function isLastReply(connection: Connection, response: ServerResponse): boolean {
  if (connection.latest === response) return true
  if (connection.isLastRequest) return false
  connection.closingSince ??= performance.now()
  return performance.now() - connection.closingSince > MAX_CLOSING_MS
}

const MAX_CLOSING_MS = 2000

/** How long to read after the last reply: closing with unread bytes could lose it (RFC 9112 §9.6). */
export const LINGER_MS = 2000

/**
 * Call this for each pipelined request that waits for earlier replies. Stops reading the connection while many wait, so
 * that further ones stay in the system's buffers. Node only limits the bytes of waiting replies.
 */
export function boundPipeline(connection: Connection, response: ServerResponse): void {
  const { socket } = connection
  const pipeline = connection.pipeline ?? { waiting: 0, isPaused: false }
  const pauseIfFull = () => {
    if (pipeline.waiting < MAX_WAITING) return
    pipeline.isPaused = true
    socket.pause()
  }
  // Node resumes reading for a body, and when the client has read something; Node's listener runs first.
  if (!connection.pipeline) socket.on('resume', pauseIfFull)
  connection.pipeline = pipeline
  pipeline.waiting++
  pauseIfFull()
  response.once('close', () => {
    pipeline.waiting--
    if (!pipeline.isPaused || pipeline.waiting >= MAX_WAITING) return
    pipeline.isPaused = false
    socket.resume()
  })
}

/** Resolves when the earlier replies of the connection are sent, or the client disconnects. */
export function turnOf(response: ServerResponse): Promise<void> {
  if (response.socket || response.destroyed) return Promise.resolve()
  return new Promise(resolve => {
    response.once('socket', () => resolve())
    response.once('close', () => resolve())
  })
}

/** The maximum number of waiting requests per connection; more can wait only if they arrived together. */
const MAX_WAITING = 16

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
  /** Grows with each new connection and each byte that arrives. */
  const arrivals = () => connections.values().reduce((sum, { socket }) => sum + socket.bytesRead, opened)
  return async ending => {
    await nextTurn()
    for (let turn = 0, before = -1; turn < MAX_TURNS && before !== arrivals(); turn++) {
      before = arrivals()
      await nextTurn()
    }
    // Resolves when all connections are closed.
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    ending()
    const patience = new AbortController()
    const cutting = cutOff(connections, drainMs, patience.signal).catch(() => undefined)
    await closed
    patience.abort()
    await cutting
  }
}

/** The maximum number of event loop turns to wait for one in which nothing arrives. */
const MAX_TURNS = 1000
/** The maximum idle time of a connection while stopping. */
const IDLE_MS = 500

/** Closes idle connections every `IDLE_MS`, and all after `drainMs`. First, a turn reads the requests that have arrived. */
async function cutOff(connections: Connections, drainMs: number, signal: AbortSignal): Promise<void> {
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
  /** Counts a connection until it closes. Returns the open ones of its address, or 0 if the address has no cap. */
  const countPerAddress = (socket: Socket): number => {
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (caps.perAddress === Number.POSITIVE_INFINITY || address === '' || caps.isExempt(address)) return 0
    const network = networkOf(address)
    socket.once('close', () => addTo(open, network, -1))
    return addTo(open, network, 1)
  }
  server.on('connection', (socket: Socket) => {
    const total = connections.count()
    const ofAddress = countPerAddress(socket)
    if (total > caps.connections) warn()
    if (total > 2 * caps.connections || ofAddress > 2 * caps.perAddress) socket.destroy()
    else if (total > caps.connections || ofAddress > caps.perAddress) markOverCap(socket, connections)
  })
}

const CAPPED =
  'the open connections have reached --max-connections, and further ones get 503: raise the limit, or run another process'

/** Marks a connection, so that its request is refused, and closes it soon, even if it sends none. */
function markOverCap(socket: Socket, connections: Connections): void {
  const connection = connections.get(socket)
  if (connection) connection.isOverCap = true
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
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
      const bodyMs = connection.isUploading ? MAX_UPLOAD_REQUESTS * requestMs : requestMs
      if (nowMs - connection.arrivingSince > (part === 'head' ? headMs : bodyMs)) expired(connection)
    }
  }
  const timer = setInterval(check, CHECK_MS).unref()
  return () => clearInterval(timer)
}

const CHECK_MS = 1000
/** How many times as long as another request an upload may take: 50 MiB in ten minutes are about 700 kbit/s. */
const MAX_UPLOAD_REQUESTS = 10

/** The part of a request that node:http waits for; undefined if none. */
function arrivingPart({ socket, latest, plain, bytesRead }: Connection): 'head' | 'body' | undefined {
  if (plain !== undefined || socket.destroyed) return undefined
  if (!latest) return 'head'
  if (!latest.req.complete) return 'body'
  return latest.closed && socket.bytesRead > bytesRead ? 'head' : undefined
}
