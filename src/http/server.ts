import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MaybePromise } from '../base/promise.ts'
import { type Refusal, refusalReply, refuse, refuseUnavailable } from '../contract/refusals.ts'
import type { Reply, Request, Streamed } from '../exchange/message.ts'
import type { Log } from '../telemetry/log.ts'
import { answerClientError, answerTunnel, type ClientError, LINGER_MS } from './client-error.ts'
import { type ConnectionCap, capConnections, descriptorLimit } from './connections/connection-cap.ts'
import { drainOf } from './connections/drain.ts'
import { boundPipelines, turnOf } from './connections/pipeline.ts'
import { readRequest } from './read-request.ts'
import type { Service } from './service.ts'
import { writerTo } from './write-body.ts'

/** A server that listens. */
export type Listening = {
  host: string
  port: number
  /** Starts answering; until then every request is told to try again. */
  answerWith: (service: Service, publicUrl: string, reportOutage?: ReportOutage) => void
  /** Takes no new connection, answers what is under way, and ends. */
  stop: () => Promise<void>
}

/** Whether an error that a request failed with is an outage; if so, it is logged. */
type ReportOutage = (error: unknown, requestId: string) => boolean

/** Called for each answered request with its status and duration in milliseconds. */
export type Observe = (status: number, milliseconds: number) => void

/** The most that a request line and header fields may have together, in bytes. */
const MAX_HEAD = 32 << 10

/**
 * How long a client may read nothing of a reply before it is dropped. The system takes some megabytes ahead and asks
 * for more only when a part of them is read, so that a slow reader looks like none for minutes.
 */
const MAX_STALL_MS = 300_000

/** Listens on a host and port (0: a free one) and answers every request, malformed ones among them, in the API's form. */
export async function listen(
  host: string,
  port: number,
  log: Log,
  observe: Observe,
  timeout = MAX_STALL_MS,
): Promise<Listening> {
  const server = createServer({ maxHeaderSize: MAX_HEAD, requireHostHeader: false, keepAliveTimeout: 65_000 })
  // All fields are read, and a client that closes its side (RFC 9112 §9.5) still gets its replies.
  Object.assign(server, { maxHeadersCount: 0, httpAllowHalfOpen: true, timeout })
  const drain = drainOf(server)
  boundPipelines(server)
  const cap = await capConnections(server, descriptorLimit(), log)
  const edge: Edge = {
    service: undefined,
    publicUrl: '',
    reportOutage: () => false,
    isStopping: false,
    isFull: cap.isReached,
    latest: new WeakMap(),
    refused: new WeakSet(),
    log,
    observe,
  }
  server.on('request', (request, response) => handle(edge, request, response))
  server.on('checkExpectation', (request, response) => handle(edge, request, response))
  server.on('checkContinue', (request, response) => {
    // Behind another reply, Node would send it in the middle of its own; a client does not wait for it for ever (RFC 9110 §10.1.1).
    if (response.socket) response.writeContinue()
    handle(edge, request, response)
  })
  server.on('clientError', (error, socket) => count(edge, answerClientError(error, broken(edge, socket))))
  server.on('connection', socket => socket.once('end', () => answerCutOff(edge, socket)))
  server.on('connect', (_, socket) => count(edge, answerTunnel(broken(edge, socket))))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  server.on('error', error => log.error({ err: error }, 'the service cannot listen'))
  return {
    host,
    port: portOf(server),
    answerWith: (service, publicUrl, reportOutage = edge.reportOutage) =>
      Object.assign(edge, { service, publicUrl, reportOutage }),
    stop: async () => {
      await cap.end()
      await drain(() => Object.assign(edge, { isStopping: true }))
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no address')
  return address.port
}

type Edge = {
  service: Service | undefined
  publicUrl: string
  reportOutage: ReportOutage
  isStopping: boolean
  isFull: ConnectionCap['isReached']
  /** The reply to the last request of each connection: replies go out in turn, so after it comes nothing. */
  latest: WeakMap<Duplex, ServerResponse>
  /** Connections that close with a refusal: what else they send is no request any more (RFC 9112 §9.6). */
  refused: WeakSet<Duplex>
  log: Log
  observe: Observe
}

function broken({ latest, publicUrl }: Edge, socket: Duplex): ClientError {
  return { socket, latest: latest.get(socket), publicUrl, requestId: nextRequestId() }
}

function count({ observe }: Edge, status: number | undefined): void {
  if (status !== undefined) observe(status, 0)
}

/** Ends a request whose rest will never come. Node itself would go on waiting if the request asks for an upgrade. */
function answerCutOff(edge: Edge, socket: Duplex): void {
  const latest = edge.latest.get(socket)
  if (latest?.req.complete !== false) return
  if (latest.headersSent) latest.end()
  else count(edge, answerClientError(new Error('the request breaks off'), broken(edge, socket)))
}

/** A reply in memory is sent at once; only one that has to be made, or streamed, waits for a promise. */
function handle(edge: Edge, incoming: IncomingMessage, response: ServerResponse): void {
  if (edge.refused.has(incoming.socket)) return
  edge.latest.set(incoming.socket, response)
  const exchange = { edge, incoming, response, requestId: nextRequestId(), started: performance.now() }
  try {
    const request = readRequest(incoming)
    const sent = request instanceof Promise ? request.then(each => answer(exchange, each)) : answer(exchange, request)
    if (sent) sent.catch(error => fail(exchange, error))
  } catch (error) {
    fail(exchange, error)
  }
}

type Exchange = {
  edge: Edge
  incoming: IncomingMessage
  response: ServerResponse
  requestId: string
  started: number
}

function answer(exchange: Exchange, request: Request | Refusal): MaybePromise<void> {
  const { service, publicUrl } = exchange.edge
  if ('id' in request) return sendAndClose(exchange, refusalReply(request, publicUrl))
  const reply = service ? service(request) : refusalReply(refuseUnavailable(), publicUrl)
  return reply instanceof Promise ? reply.then(each => send(exchange, each)) : send(exchange, reply)
}

function fail(exchange: Exchange, error: unknown): void {
  const { edge, response, requestId } = exchange
  const isOutage = edge.reportOutage(error, requestId)
  if (!isOutage) edge.log.error({ err: error, requestId }, 'a request failed')
  if (response.headersSent) response.destroy()
  else if (!response.destroyed) {
    const refusal = isOutage ? refuseUnavailable() : refuse('server-error')
    void send(exchange, refusalReply(refusal, edge.publicUrl))
  }
}

function send(exchange: Exchange, { status, headers, body }: Reply): MaybePromise<void> {
  const { edge, incoming, response, requestId, started } = exchange
  const fields = [...headers, 'X-Request-Id', requestId]
  if (body?.length !== undefined) fields.push('Content-Length', String(body.length))
  if ((edge.isStopping || edge.isFull()) && edge.latest.get(incoming.socket) === response)
    fields.push('Connection', 'close')
  const isStreamed = body !== undefined && !(body instanceof Uint8Array) && incoming.method !== 'HEAD'
  if (isStreamed) return stream(exchange, body, status, fields)
  response.writeHead(status, fields)
  response.end(incoming.method === 'HEAD' ? undefined : body)
  edge.observe(status, performance.now() - started)
}

/**
 * The first bytes are read before the head is sent, so that a failure to read them can still be told. A chunk has to be
 * gone before the next is read, since its memory is used again. A reply that does not become as long as its head says
 * is broken off, or what follows on the connection would be taken for its end.
 */
async function stream(exchange: Exchange, body: Streamed, status: number, fields: string[]): Promise<void> {
  const { edge, response, started } = exchange
  const gone = goneSignal(response)
  await turnOf(response) // Until then it holds no file and no memory.
  const instead = await body.admit?.(gone)
  if (gone.aborted) return
  if (instead) return send(exchange, instead)
  const write = writerTo(response, body.leastRate)
  const chunks = body.chunks(gone)
  try {
    let sent = 0
    let read = await chunks.next()
    if (!response.destroyed) response.writeHead(status, fields)
    for (; !read.done && !response.destroyed; read = await chunks.next()) {
      sent += read.value.length
      if (sent > (body.length ?? sent)) break
      await write(read.value)
    }
    if (response.destroyed) return
    if (sent !== (body.length ?? sent)) throw new Error(`a body of ${body.length} bytes has ${sent}`)
    response.end()
    edge.observe(status, performance.now() - started)
  } finally {
    await chunks.return(undefined)
  }
}

/** Aborts when the reply is sent, or the client has gone. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}

/** Refuses a request whose end was not read. The rest is discarded for a moment, so that the reply is not lost. */
function sendAndClose(
  { edge, incoming, response, requestId, started }: Exchange,
  { status, headers, body }: Reply,
): void {
  edge.refused.add(incoming.socket)
  const bytes = body instanceof Uint8Array ? body : new Uint8Array()
  const length = String(bytes.length)
  response.writeHead(status, [...headers, 'X-Request-Id', requestId, 'Content-Length', length, 'Connection', 'close'])
  response.flushHeaders()
  if (incoming.method !== 'HEAD') response.write(bytes)
  edge.observe(status, performance.now() - started)
  const limit = setTimeout(() => response.end(), LINGER_MS)
  incoming.once('close', () => {
    clearTimeout(limit)
    response.end()
  })
  incoming.resume()
}

const INSTANCE = randomBytes(6).toString('base64url')
let requests = 0

function nextRequestId(): string {
  requests++
  return `${INSTANCE}-${requests.toString(36)}`
}
