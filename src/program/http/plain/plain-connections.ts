import type { Server, Socket } from 'node:net'
import { andThen } from '#platform/base/promise.ts'
import type { Reply } from '#platform/exchange/message.ts'
import type { Connection, ReadyReply } from '../connections.ts'
import { type Edge, nextRequestId, overloadedReply, recordRequest, replyTo, replyToFailure } from '../edge.ts'
import type { Server as HttpServer } from '../node/node-http.ts'
import { withCors } from '../service/cors.ts'
import { isMonitoring } from '../service/routes.ts'
import { isPlain, type PlainReply, plainReply } from './plain-reply.ts'
import { readFirstRequest } from './plain-request.ts'

/**
 * Answers plain requests without node:http, whose requests, replies and streams cost more than twice as much as all our
 * checks. Nearly all requests are plain (decisions/0362). A connection moves to node:http, with its unprocessed bytes,
 * at the first request that is not plain or whose reply is long or streamed, and stays there. With tracing, all
 * connections use node:http.
 */
export function answerPlainRequests(listener: Server, server: HttpServer, edge: Edge): void {
  listener.on('connection', (socket: Socket) => readConnection(server, socket, edge))
}

type Plain = {
  server: HttpServer
  socket: Socket
  connection: Connection
  edge: Edge
  address: string
  /** Whether the client has closed its side (RFC 9112 §9.5). */
  isEnded: boolean
  /** The request whose reply is not sent yet. */
  current: Exchange | undefined
  /** The number of its bytes that were put back, either for node:http or to be discarded. */
  bytesPutBack: number
  /** Stops reading the connection here. */
  leave: () => void
}

/** A request in progress, and its bytes. `of` is its connection. */
type Exchange = Omit<ReadyReply, 'reply'> & { of: Plain; bytes: Buffer }

/** Reads a new connection here, or lets node:http read it. */
function readConnection(server: HttpServer, socket: Socket, edge: Edge): void {
  const connection = edge.connections.get(socket)
  if (socket.destroyed) return // It exceeds a cap.
  if (!connection || connection.isOverCap || edge.tracing) server.emit('connection', socket)
  else readPlain(server, socket, connection, edge)
}

function readPlain(server: HttpServer, socket: Socket, connection: Connection, edge: Edge): void {
  const plain: Plain = {
    server,
    socket,
    connection,
    edge,
    address: socket.remoteAddress ?? '',
    isEnded: false,
    current: undefined,
    bytesPutBack: 0,
    leave: () => {
      connection.plain = undefined
      for (const [event, listener] of listeners) socket.off(event, listener)
    },
  }
  const listeners = [
    ['data', (bytes: Buffer) => read(plain, bytes)],
    ['drain', () => continueReading(plain)],
    ['end', () => end(plain)],
    ['timeout', () => timeOut(plain)],
    ['error', () => socket.destroy()],
  ] as const
  for (const [event, listener] of listeners) socket.on(event, listener)
  connection.plain = 'waiting'
  socket.setTimeout(FIRST_MS)
}

/** The time for the first bytes; afterwards, node:http limits how long a connection may wait for a request. */
const FIRST_MS = 1000

/** Reads the next bytes: answers the first request in them if it is plain, and otherwise hands the connection over. */
function read(plain: Plain, bytes: Buffer): void {
  const { edge, connection, address } = plain
  if (plain.bytesPutBack > 0) return // They are removed after their reply.
  // The next request waits for the reply to this one.
  if (connection.plain === 'answering') {
    putBack(plain, bytes)
    return
  }
  const plainRequest = edge.tracing ? undefined : readFirstRequest(bytes, address)
  if (!plainRequest) {
    handOver(plain, bytes)
    return
  }
  const { first, request } = plainRequest
  if (first.length < bytes.length) putBack(plain, bytes.subarray(first.length))
  connection.plain = 'answering'
  const startedMs = performance.now()
  const exchange: Exchange = { of: plain, bytes: first, request, requestId: nextRequestId(), startedMs }
  plain.current = exchange
  const shed = () => finish(exchange, withCors(edge, request, overloadedReply(edge.publicUrl)))
  if (edge.admission.arrives(startedMs) || isMonitoring(edge.inside(request.path, request.headers.host), edge.base))
    answer(exchange)
  else edge.admission.enqueue({ answer: () => answer(exchange), shed })
  if (plain.current !== exchange) return // It is already answered.
  // A client must not send more while it waits, and node:http may still have to read this request.
  putBack(plain, first)
  plain.bytesPutBack = first.length
}

/** New input waits behind these bytes, and so does the end, after which a socket cannot move to node:http. */
function putBack({ socket }: Plain, bytes: Buffer): void {
  socket.pause()
  socket.unshift(bytes)
}

/** Moves a connection to node:http, with the bytes of the request to read first. */
function handOver(plain: Plain, bytes: Buffer): void {
  const { server, socket } = plain
  plain.leave()
  plain.current = undefined
  socket.setTimeout(0)
  if (plain.bytesPutBack === 0 && bytes.length > 0) socket.unshift(bytes)
  server.emit('connection', socket)
  socket.resume()
}

function answer(exchange: Exchange): void {
  const { of, request, requestId } = exchange
  if (!of.socket.destroyed) void andThen(replyTo(of.edge, request, requestId), reply => finish(exchange, reply))
}

/** Sends a plain reply, and reads on. With any other reply, the connection moves to node:http, which sends it. */
function finish(exchange: Exchange, reply: Reply): void {
  const { of: plain, bytes, request, requestId, startedMs } = exchange
  const { socket, connection, edge } = plain
  if (socket.destroyed) return
  if (!isPlain(reply)) {
    connection.ready = { reply, request, requestId, startedMs }
    handOver(plain, bytes)
    return
  }
  const isLast = socket.readableLength === plain.bytesPutBack && (plain.isEnded || edge.isStopping)
  const serialized = serialize(exchange, reply, isLast)
  if (serialized === undefined) return // `serialize` has sent an error.
  plain.current = undefined
  const isTaken = write(socket, serialized)
  connection.bytesRead = socket.bytesRead
  recordRequest(edge, reply.status, startedMs, edge.inside(request.path, request.headers.host))
  if (isLast) {
    plain.leave()
    socket.destroySoon()
  } else if (isTaken) continueReading(plain)
  else socket.setTimeout(plain.server.timeout)
}

/** Writes a reply at once. Returns whether the system accepted all of it. */
function write(socket: Socket, { head, body = NOTHING }: PlainReply): boolean {
  const length = head.length + body.length
  if (length > PIECE_BYTES) {
    socket.cork()
    socket.write(head, 'latin1')
    const isTaken = socket.write(body)
    socket.uncork()
    return isTaken
  }
  piece.write(head, 'latin1')
  piece.set(body, head.length)
  const isTaken = socket.write(piece.subarray(0, length))
  if (socket.writableLength > 0) piece = Buffer.allocUnsafeSlow(PIECE_BYTES) // The system still reads the rest from the old buffer.
  return isTaken
}

/** Copying a longer body takes longer than sending two pieces. */
const PIECE_BYTES = 32 << 10
/** The shared buffer for replies: a string would be copied three times. */
let piece = Buffer.allocUnsafeSlow(PIECE_BYTES)

/** Serializes a reply. If it has a field that cannot be sent, sends an error and returns undefined. */
function serialize(exchange: Exchange, reply: Reply, isLast: boolean): PlainReply | undefined {
  const { of, request, requestId } = exchange
  const keepAliveSeconds = isLast ? undefined : Math.floor(of.server.keepAliveTimeout / 1000)
  try {
    return plainReply(reply, { method: request.method, requestId, keepAliveSeconds })
  } catch (error) {
    finish(exchange, replyToFailure(of.edge, error, requestId))
    return undefined
  }
}

/** Waits for the next request, or reads it. The connection moves to node:http when the service stops. */
function continueReading(plain: Plain): void {
  const { server, edge, socket, connection } = plain
  connection.plain = 'waiting'
  if (socket.timeout !== server.keepAliveTimeout) socket.setTimeout(server.keepAliveTimeout)
  if (plain.isEnded) socket.end()
  if (!socket.isPaused()) return
  if (plain.bytesPutBack > 0) socket.read(plain.bytesPutBack)
  plain.bytesPutBack = 0
  if (edge.isStopping && socket.readableLength > 0) handOver(plain, NOTHING)
  else socket.resume()
}

const NOTHING = Buffer.alloc(0)

function end(plain: Plain): void {
  plain.isEnded = true
  if (plain.connection.plain === 'waiting') plain.socket.end()
}

/** Ends a connection that is idle or whose client does not read. One without any bytes waits in node:http, which has limits. */
function timeOut(plain: Plain): void {
  const { socket, connection } = plain
  if (socket.bytesRead === 0) handOver(plain, NOTHING)
  else if (connection.plain === 'waiting' || socket.writableLength > 0) socket.destroy()
}
