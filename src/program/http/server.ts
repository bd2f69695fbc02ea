import { once } from 'node:events'
import { createServer as createListener, type Server as Listener, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { REFUSALS, RETRY_SOON, type Refusal, type RefusalId, refusalReply, refuse } from '#brand/contract/refusals.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import type { Result } from '#platform/base/result.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { basePath } from '#platform/exchange/target.ts'
import { withTrace } from '#platform/telemetry/trace-context.ts'
import {
  boundPipeline,
  type ConnectionLimits,
  capConnections,
  DEFAULT_LIMITS,
  drainOf,
  LINGER_MS,
  trackConnections,
  turnOf,
  watchRequestTimeouts,
} from './connections.ts'
import {
  type Edge,
  type EdgeOptions,
  newEdge,
  nextRequestId,
  type Outages,
  overloadedReply,
  replyTo,
  replyToFailure,
} from './edge.ts'
import { type IncomingMessage, newServer, type Server, type ServerResponse } from './node/node-http.ts'
import { readRequest } from './node/read-request.ts'
import { traceOf } from './node/request-trace.ts'
import { type HttpExchange, send, sendAndClose, sendUnread } from './node/send.ts'
import { answerPlainRequests } from './plain/plain-connections.ts'
import { plainReply } from './plain/plain-reply.ts'
import { isMonitoring, nameInMetrics } from './service/routes.ts'
import type { Service } from './service/service.ts'

export type Listening = {
  host: string
  port: number
  connections: () => number
  /** Starts answering; until then, every request gets 503. */
  answerWith: (service: Service, publicUrl: string, outages?: Outages, inside?: Edge['inside']) => void
  /** Accepts no new connections, answers the requests in progress, and ends. */
  stop: () => Promise<void>
}

/** The address of a server (port 0: any free port), its limits, and what answering requests needs. */
export type ListenOptions = EdgeOptions & { host: string; port: number; limits?: Partial<ConnectionLimits> }

/** Listens, and answers every request in the form of the API, even a malformed one. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, port, log, limits } = options
  const bounds = { ...DEFAULT_LIMITS, ...limits }
  const { stallMs, drainMs } = bounds
  const listener = createListener(LISTENER)
  const server = newServer(stallMs)
  const connections = trackConnections(listener)
  capConnections(listener, connections, bounds, log)
  const drain = drainOf(listener, connections, drainMs)
  const edge = newEdge(connections, options)
  answerPlainRequests(listener, server, edge)
  answerEvents(server, edge, stallMs)
  const boundPort = await beginListening(listener, host, port)
  const endWatch = watchRequestTimeouts(connections, bounds, ({ socket }) =>
    answerClientError(edge, socket, new RequestTimeout()),
  )
  listener.on('error', error => log.error({ err: error }, 'the service cannot accept connections'))
  return {
    host,
    port: boundPort,
    connections: connections.count,
    answerWith: (service, publicUrl, outages, inside = edge.inside) =>
      Object.assign(edge, { service, publicUrl, base: basePath(publicUrl), outages, inside }),
    stop: async () => {
      await drain(() => Object.assign(edge, { isStopping: true }))
      endWatch()
    },
  }
}

/** A client that closes its side (RFC 9112 §9.5) still gets its replies. */
const LISTENER = { allowHalfOpen: true, noDelay: true }

async function beginListening(listener: Listener, host: string, port: number): Promise<number> {
  // Names below `localhost` are not in DNS (RFC 6761 §6.3).
  listener.listen({ host: host.endsWith('.localhost') ? 'localhost' : host, port })
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no address')
  return address.port
}

function answerEvents(server: Server, edge: Edge, stallMs: number): void {
  server.on('request', (request, response) => handle(edge, request, response))
  server.on('checkExpectation', (request, response) => handle(edge, request, response))
  server.on('checkContinue', (request, response) => {
    // Node would send it inside an earlier reply. Clients do not wait for it forever (RFC 9110 §10.1.1).
    if (response.socket) response.writeContinue()
    handle(edge, request, response)
  })
  server.on('clientError', (error, socket) => answerClientError(edge, socket, error))
  server.on('connection', socket => socket.once('end', () => answerCutOff(edge, socket)))
  server.on('connect', (_, socket) => answerTunnel(edge, socket, stallMs))
}

/** Ends an incomplete request after its client closed. Node would keep waiting if the request asks for an upgrade. */
function answerCutOff(edge: Edge, socket: Duplex): void {
  const latest = edge.connections.get(socket)?.latest
  if (latest?.req.complete !== false) return
  if (latest.headersSent) latest.end()
  else answerClientError(edge, socket, new Error('the request is incomplete'))
}

/** Answers a request of node:http. A reply that is already in memory is sent without a promise. */
function handle(edge: Edge, incoming: IncomingMessage, response: ServerResponse): void {
  const connection = edge.connections.get(incoming.socket)
  if (!connection || connection.isLastRequest) return
  connection.latest = response
  connection.arrivingSince = undefined
  connection.isLastRequest = incoming.headers.upgrade !== undefined
  if (!response.socket) boundPipeline(connection, response)
  const { ready } = connection
  connection.ready = undefined
  const exchange: Exchange = {
    edge,
    connection,
    incoming,
    response,
    requestId: ready?.requestId ?? nextRequestId(),
    startedMs: ready?.startedMs ?? performance.now(),
    path: ready && edge.inside(ready.request.path, ready.request.headers.host),
    request: ready?.request,
  }
  if (ready) sendReady(exchange, ready.reply)
  else answerOrEnqueue(exchange)
}

/** Sends a reply that was made before node:http read the request. */
function sendReady(exchange: Exchange, reply: Reply): void {
  const { edge, response } = exchange
  const sendNow = () => {
    if (!response.destroyed) attempt(exchange, () => send(exchange, reply))
  }
  // The last reply of a closing connection has `Connection: close`. To know which one is last, requests that arrived
  // together with this one must be read first. The queue of `answerOrEnqueue` also waits for a turn.
  if (edge.isStopping) setImmediate(sendNow)
  else sendNow()
}

/** Answers a request at once if this process has time, if it is its turn on its connection, or if it is for monitoring. */
function answerOrEnqueue(exchange: Exchange): void {
  const { edge, incoming, response } = exchange
  const trace = traceOf(exchange, edge.tracing)
  const answerUntraced = () => attempt(exchange, () => answer(exchange))
  const answerNow = () => (trace ? withTrace(trace, answerUntraced) : answerUntraced())
  const isFree = edge.admission.arrives(exchange.startedMs) && response.socket !== null && !edge.isStopping
  if (isFree || isForMonitoring(edge, incoming)) answerNow()
  else edge.admission.enqueue({ answer: answerNow, shed: () => shedRequest(exchange) })
}

function isForMonitoring({ inside, base }: Edge, { url = '', headers }: IncomingMessage): boolean {
  return isMonitoring(inside(url, headers.host), base)
}

function shedRequest(exchange: Exchange): void {
  exchange.path = exchange.incoming.url?.split('?', 1)[0]
  sendUnread(exchange, overloadedReply(exchange.edge.publicUrl))
}

/** Runs work, and answers with an error if it throws or rejects. */
function attempt(exchange: Exchange, work: () => MaybePromise<void>): void {
  try {
    const pending = work()
    if (pending) pending.catch(error => fail(exchange, error))
  } catch (error) {
    fail(exchange, error)
  }
}

function answer(exchange: Exchange): MaybePromise<void> {
  const { edge, connection, incoming, response } = exchange
  // Requests after a refused one on the same connection are not processed.
  if (response.destroyed || exchange.startedMs > (connection.refusedMs ?? Number.POSITIVE_INFINITY)) return
  if (connection.isOverCap && !isForMonitoring(edge, incoming)) {
    edge.shed('connections')
    return sendAndClose(exchange, refusalReply(refuse('too-many-connections', RETRY_SOON), edge.publicUrl))
  }
  return andThen(readRequest(incoming, edge), request => answerRead(exchange, request))
}

type Exchange = HttpExchange & { request: Request | undefined }

function answerRead(exchange: Exchange, request: Result<Request, Refusal>): MaybePromise<void> {
  const { edge, requestId } = exchange
  if (!request.ok) return sendAndClose(exchange, refusalReply(request.problem, edge.publicUrl))
  exchange.path = edge.inside(request.value.path, request.value.headers.host)
  exchange.request = withoutBody(request.value)
  exchange.connection.isUploading = request.value.upload !== undefined
  return andThen(replyTo(edge, request.value, requestId), reply => {
    edge.bodyMemory.release(request.value)
    const isUnread = request.value.upload && !exchange.incoming.complete
    return isUnread ? sendAndClose(exchange, reply) : send(exchange, reply)
  })
}

/** A slow client must not keep the body of its request in memory while it reads the reply. */
function withoutBody(request: Request): Request {
  if (!request.body) return request
  const { body: _, ...others } = request
  return others
}

function fail(exchange: Exchange, error: unknown): void {
  const { edge, response, requestId, request } = exchange
  const reply = replyToFailure(edge, error, requestId, request)
  try {
    if (response.headersSent) response.destroy()
    else if (!response.destroyed) void send(exchange, reply)
  } catch {
    response.destroy() // Not even an error can be sent.
  }
}

/** Answers bytes that are not a request, after the replies in progress, and closes. */
function answerClientError(edge: Edge, socket: Duplex, error: Error): void {
  if (closing.has(socket)) return
  closing.add(socket)
  if ('code' in error && error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  /** The reply to the last readable request on this connection. */
  const latest = edge.connections.get(socket)?.latest
  const isBodyBroken = latest?.req.complete === false
  // That reply cannot be replaced.
  if (isBodyBroken && latest.headersSent) return
  const id = refusalOf(error)
  const endNow = () => end(edge, socket, id)
  if (isBodyBroken)
    void turnOf(latest).then(() => {
      if (!latest.headersSent) endNow()
    })
  else if (latest && !latest.closed) latest.once('close', endNow)
  else endNow()
  edge.observe(REFUSALS[id].status, 0, nameInMetrics(undefined))
}

/**
 * Refuses CONNECT (RFC 9110 §9.3.6), because this is not a proxy. Node passes such a connection to us, including its
 * errors and replies in progress. Drops a client that reads nothing for `stallMs` milliseconds.
 */
function answerTunnel(edge: Edge, socket: Duplex, stallMs: number): void {
  socket.on('error', () => socket.destroy())
  if (socket instanceof Socket) socket.setTimeout(stallMs, () => socket.destroy())
  socket.resume()
  answerClientError(edge, socket, new Error('CONNECT'))
}

class RequestTimeout extends Error {}

/** Connections that are closing. Further input from them is discarded. */
const closing = new WeakSet<Duplex>()

function refusalOf(error: Error): RefusalId {
  const code = 'code' in error ? error.code : undefined
  if (error instanceof RequestTimeout) return 'request-timeout'
  if (code === 'HPE_INVALID_URL') return 'malformed-target'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'malformed-http'
  // Node has one code for both: the target is too long if the packet has only a part of the first line, such as `GET /aaa`.
  const packet = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? Buffer.from(error.rawPacket) : ''
  return /^[A-Z]+ [^\r\n]*$/.test(packet.toString('latin1')) ? 'target-too-long' : 'headers-too-large'
}

/** Sends a refusal as the last bytes of a connection. */
function end({ publicUrl }: Edge, socket: Duplex, id: RefusalId): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const exchange = { method: 'GET', requestId: nextRequestId(), keepAliveSeconds: undefined }
  const { head, body } = plainReply(refusalReply(refuse(id), publicUrl), exchange)
  socket.cork()
  socket.write(head, 'latin1')
  socket.end(body)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
