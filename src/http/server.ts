import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type Refusal, refusalReply, refuse } from '../contract/refusals.ts'
import type { Reply, Request, Streamed } from '../exchange/message.ts'
import type { Log } from '../telemetry/log.ts'
import { answerBrokenConnection, answerTunnel } from './broken.ts'
import { readRequest } from './read-request.ts'
import type { Service } from './service.ts'

/** A server that listens. */
export type Listening = {
  host: string
  port: number
  /** Starts answering; until then every request is told to try again. */
  answerWith: (service: Service, publicUrl: string) => void
  /** Takes no new connection, answers what is under way, and ends. */
  stop: () => Promise<void>
}

/** What each answered request is told to: status and milliseconds. */
export type Observe = (request: IncomingMessage, status: number, milliseconds: number) => void

/** The most that a request line and header fields may have together, in bytes. */
const LARGEST_HEAD = 32 << 10
const LONGEST_DRAIN_MS = 10_000
/** The one refusal that leaves unread bytes on the connection. */
const BODY_TOO_LARGE = 413

/** Listens on a host and port (0: a free one) and answers every request, malformed ones among them, in the API's form. */
export async function listen(host: string, port: number, log: Log, observe: Observe): Promise<Listening> {
  const edge: Edge = { service: undefined, publicUrl: '', isStopping: false, log, observe }
  const server = createServer({ maxHeaderSize: LARGEST_HEAD, requireHostHeader: false, keepAliveTimeout: 65_000 })
  server.on('request', (request, response) => handle(edge, request, response))
  server.on('checkExpectation', (request, response) => handle(edge, request, response))
  server.on('clientError', (error, socket) => answerBrokenConnection(error, socket, edge.publicUrl))
  server.on('connect', (_, socket) => answerTunnel(socket, edge.publicUrl))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no address')
  return {
    host,
    port: address.port,
    answerWith: (service, publicUrl) => Object.assign(edge, { service, publicUrl }),
    stop: () => drain(server, edge),
  }
}

type Edge = { service: Service | undefined; publicUrl: string; isStopping: boolean; log: Log; observe: Observe }

/** What is at hand is sent at once; only a reply that has to be made, or streamed, waits for a promise. */
function handle(edge: Edge, incoming: IncomingMessage, response: ServerResponse): void {
  const exchange = { edge, incoming, response, requestId: nextRequestId(), started: performance.now() }
  try {
    const request = readRequest(incoming)
    const reply = request instanceof Promise ? request.then(each => answer(edge, each)) : answer(edge, request)
    const sent = reply instanceof Promise ? reply.then(each => send(exchange, each)) : send(exchange, reply)
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

function answer(edge: Edge, request: Request | Refusal): MaybePromise<Reply> {
  if ('id' in request) return refusalReply(request, edge.publicUrl)
  return edge.service
    ? edge.service(request)
    : refusalReply(refuse('unavailable', ['Retry-After', '1']), edge.publicUrl)
}

function fail(exchange: Exchange, error: unknown): void {
  const { edge, response, requestId } = exchange
  const isGone = response.destroyed || response.headersSent
  if (!isGone) edge.log.error({ err: error, requestId }, 'a request failed')
  if (isGone) response.destroy()
  else void send(exchange, refusalReply(refuse('server-error'), edge.publicUrl))
}

function send(exchange: Exchange, { status, headers, body }: Reply): Promise<void> | undefined {
  const { edge, incoming, response, requestId, started } = exchange
  const fields = [...headers, 'X-Request-Id', requestId]
  if (body !== undefined) fields.push('Content-Length', String(body.length))
  if (edge.isStopping || status === BODY_TOO_LARGE) fields.push('Connection', 'close')
  const isStreamed = body !== undefined && !(body instanceof Uint8Array) && incoming.method !== 'HEAD'
  if (isStreamed) return stream(exchange, body, status, fields)
  response.writeHead(status, fields)
  response.end(incoming.method === 'HEAD' ? undefined : body)
  edge.observe(incoming, status, performance.now() - started)
  return undefined
}

/** The bytes are opened before the head is sent, so that a failure to open them can still be told. */
async function stream(
  { edge, incoming, response, started }: Exchange,
  body: Streamed,
  status: number,
  fields: string[],
): Promise<void> {
  const source = await body.open()
  response.writeHead(status, fields)
  await pipeline(source, response)
  edge.observe(incoming, status, performance.now() - started)
}

const INSTANCE = randomBytes(6).toString('base64url')
let requests = 0

function nextRequestId(): string {
  requests++
  return `${INSTANCE}-${requests.toString(36)}`
}

/**
 * Ends without losing a request: `http.Server.close` would at once cut connections that look idle, on which a request may
 * already be on its way, so only the listener is closed, and each connection ends with its next reply.
 */
async function drain(server: Server, edge: Edge): Promise<void> {
  edge.isStopping = true
  const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()))
  const patience = new AbortController()
  const cutOff = async () => {
    await sleep(IDLE_MS, undefined, patience)
    server.closeIdleConnections()
    await sleep(LONGEST_DRAIN_MS, undefined, patience)
    server.closeAllConnections()
  }
  const cutting = cutOff().catch(() => undefined)
  await closed
  patience.abort()
  await cutting
}

/** How long a connection may be idle while stopping. */
const IDLE_MS = 500
