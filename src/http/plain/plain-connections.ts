import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import type { Admission } from '../admission/admission.ts'
import type { Connection, Connections, ReadyReply } from '../connections/connections.ts'
import { nextRequestId } from '../request-id.ts'
import { isPlain, plainReply } from './plain-reply.ts'
import { readPlain } from './plain-request.ts'

/** What plain requests are answered with. */
export type PlainEdge = {
  connections: Connections
  admission: Admission
  /** Whether plain requests are read at all. */
  isOn: () => boolean
  /** Answers a request; what goes wrong becomes a reply. */
  answer: (request: Request, requestId: string) => MaybePromise<Reply>
  /** Whether a request is answered whatever waits. */
  isUrgent: (path: string) => boolean
  /** The reply to a request that failed. */
  failed: (error: unknown, requestId: string) => Reply
  /** Refuses a request before anything is done for it. */
  shed: () => Reply
  /** Whether connections end with their next reply. */
  isClosing: () => boolean
  sent: (status: number, startedMs: number, path: string) => void
}

/** Hands a connection to node:http. */
type ToNode = (socket: Socket) => void

/**
 * Has plain requests, which nearly all are, read and answered without node:http, whose requests, replies and streams
 * cost more than twice what all our checks do. A connection is handed to node:http, with what was read of it, at the
 * first request that is not plain, or whose reply is long or streamed; it stays there.
 */
export function answerPlainRequests(server: Server, edge: PlainEdge): void {
  const [ofNode, ...others] = server.rawListeners('connection') // It listened first, when the server was made.
  if (!ofNode) throw new Error('node:http does not listen to its connections')
  const toNode: ToNode = socket => Reflect.apply(ofNode, server, [socket])
  server.removeAllListeners('connection')
  for (const each of others) server.on('connection', socket => Reflect.apply(each, server, [socket]))
  server.on('connection', (socket: Socket) => readConnection(server, socket, edge, toNode))
}

/** A connection whose requests are read here. */
type Plain = {
  server: Server
  socket: Socket
  connection: Connection
  edge: PlainEdge
  address: string
  /** Whether the client sends nothing more (RFC 9112 §9.5). */
  isEnded: boolean
  /** What came while a request was answered. Nothing more is read until then. */
  held: Buffer | undefined
  /** Hands the connection to node:http, with bytes that it is to read first. */
  handOver: (bytes: Buffer) => void
  /** Reads nothing more. */
  leave: () => void
}

/** A request that is being answered, and the bytes that it was read from. */
type Exchange = Omit<ReadyReply, 'reply'> & { of: Plain; bytes: Buffer }

function readConnection(server: Server, socket: Socket, edge: PlainEdge, toNode: ToNode): void {
  const connection = edge.connections.get(socket)
  if (!connection || connection.isOverShare || !edge.isOn()) {
    toNode(socket)
    return
  }
  const plain: Plain = {
    server,
    socket,
    connection,
    edge,
    address: socket.remoteAddress ?? '',
    isEnded: false,
    held: undefined,
    leave: () => {
      connection.plain = undefined
      for (const [event, listener] of listeners) socket.off(event, listener)
    },
    handOver: bytes => {
      plain.leave()
      socket.setTimeout(0)
      for (const each of [plain.held, bytes]) if (each?.length) socket.unshift(each)
      toNode(socket)
      socket.resume()
    },
  }
  const listeners = [
    ['data', (bytes: Buffer) => read(plain, bytes)],
    ['drain', () => goOn(plain)],
    ['end', () => end(plain)],
    ['timeout', () => timeOut(plain)],
    ['error', () => socket.destroy()],
  ] as const
  for (const [event, listener] of listeners) socket.on(event, listener)
  connection.plain = 'waiting'
  socket.setTimeout(FIRST_MS)
}

/** Until its first bytes come, node:http bounds how long a connection may wait for a request. */
const FIRST_MS = 1000

function read(plain: Plain, bytes: Buffer): void {
  const { edge, socket, connection, address } = plain
  if (connection.plain === 'answering') {
    plain.held = plain.held ? Buffer.concat([plain.held, bytes]) : bytes
    socket.pause()
    return
  }
  const request = edge.isOn() ? readPlain(bytes, address) : undefined
  if (!request) {
    plain.handOver(bytes)
    return
  }
  connection.plain = 'answering'
  const [requestId, startedMs] = [nextRequestId(), performance.now()]
  const exchange: Exchange = { of: plain, bytes, request, requestId, startedMs }
  const shed = () => finish(exchange, edge.shed())
  if (edge.admission.arrives(startedMs) || edge.isUrgent(request.path)) answer(exchange)
  else edge.admission.enqueue(connection, { answer: () => answer(exchange), shed })
}

function answer(exchange: Exchange): void {
  const { of, request, requestId } = exchange
  if (!of.socket.destroyed) void andThen(of.edge.answer(request, requestId), reply => finish(exchange, reply))
}

function finish(exchange: Exchange, reply: Reply): void {
  const { of: plain, bytes, request, requestId, startedMs } = exchange
  const { socket, connection, edge } = plain
  if (socket.destroyed) return
  if (!isPlain(reply)) {
    connection.ready = { reply, request, requestId, startedMs }
    plain.handOver(bytes)
    return
  }
  const isLast = plain.held === undefined && (plain.isEnded || edge.isClosing())
  const text = textOf(exchange, reply, isLast)
  if (text === undefined) return
  const isTaken = socket.write(text, 'latin1')
  connection.bytesRead = socket.bytesRead
  edge.sent(reply.status, startedMs, request.path)
  if (isLast) {
    plain.leave()
    socket.destroySoon()
  } else if (isTaken) goOn(plain)
}

/** The reply as it is sent; undefined if it cannot be sent, and the request has failed instead. */
function textOf(exchange: Exchange, reply: Reply, isLast: boolean): string | undefined {
  const { of, request, requestId } = exchange
  const keepAliveSeconds = Math.floor(of.server.keepAliveTimeout / 1000)
  try {
    return plainReply(reply, { method: request.method, requestId, isLast, keepAliveSeconds })
  } catch (error) {
    finish(exchange, of.edge.failed(error, requestId))
    return undefined
  }
}

/** Waits for the next request, or reads it if it has come. A connection that ends goes to node:http with the rest. */
function goOn(plain: Plain): void {
  const { server, edge, socket, connection, held } = plain
  connection.plain = 'waiting'
  if (socket.timeout === FIRST_MS) socket.setTimeout(server.keepAliveTimeout)
  if (held === undefined) return
  plain.held = undefined
  socket.resume()
  if (edge.isClosing()) plain.handOver(held)
  else read(plain, held)
}

function end(plain: Plain): void {
  plain.isEnded = true
  if (plain.connection.plain === 'waiting') plain.socket.end()
}

function timeOut(plain: Plain): void {
  const { socket, connection } = plain
  if (socket.bytesRead === 0) plain.handOver(Buffer.alloc(0))
  else if (connection.plain === 'waiting' || socket.writableLength > 0) socket.destroy()
}
