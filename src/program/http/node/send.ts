import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MaybePromise } from '#platform/base/promise.ts'
import { headersOf, type MinRate, type Reply, type StreamedBody } from '#platform/exchange/message.ts'
import { type Connection, isLastReply, LINGER_MS, turnOf } from '../connections.ts'
import { type Edge, recordRequest } from '../edge.ts'
import { withCors } from '../service/cors.ts'
import { clientPace } from './client-pace.ts'

export type HttpExchange = {
  edge: Edge
  connection: Connection
  incoming: IncomingMessage
  response: ServerResponse
  requestId: string
  startedMs: number
  /** Undefined until the request is read. */
  path: string | undefined
}

/** Sends a reply: at once, unless its body is streamed. */
export function send(exchange: HttpExchange, reply: Reply): MaybePromise<void> {
  const { status, body } = reply
  const { edge, connection, incoming, response, requestId } = exchange
  connection.bytesRead = incoming.socket.bytesRead
  const fields = [...headersOf(reply), 'X-Request-Id', requestId]
  if (body?.length !== undefined) fields.push('Content-Length', String(body.length))
  const isEnding = edge.isStopping || connection.isOverCap || connection.isLastRequest
  if (!isEnding) connection.closingSince = undefined
  else if (isLastReply(connection, response)) fields.push('Connection', 'close')
  const content = incoming.method === 'HEAD' ? undefined : body
  if (content && !(content instanceof Uint8Array)) return stream(exchange, content, status, fields)
  response.writeHead(status, fields)
  if (!content) response.end()
  else if (content.length > MAX_STRING_BYTES) response.end(content)
  else response.end(latin1(content), 'latin1') // Node sends a string together with the head, and bytes separately.
  recordRequest(edge, status, exchange.startedMs, exchange.path)
}

/** Node copies strings of more than 16 KiB twice. */
const MAX_STRING_BYTES = 14 << 10

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** Streams a body. Reads its first bytes before sending the head, so that a read failure still becomes an error reply. */
async function stream(exchange: HttpExchange, body: StreamedBody, status: number, fields: string[]): Promise<void> {
  const { edge, connection, response } = exchange
  const gone = goneSignal(response)
  await turnOf(response) // Until then, it uses neither a file nor memory.
  const otherReply = await body.admit?.(gone)
  if (gone.aborted) return
  if (otherReply) return send(exchange, otherReply)
  if (body.isEndless) endWithClient(exchange)
  const endStream = edge.connections.beginStream(connection)
  const chunks = body.chunks(gone)
  const record = () => recordRequest(edge, status, exchange.startedMs, exchange.path)
  try {
    const first = await chunks.next()
    if (!response.destroyed) response.writeHead(status, fields)
    if (body.isEndless) record()
    await writeChunks(response, body, first, chunks)
    if (response.destroyed) return
    response.end()
    if (!body.isEndless) record()
  } catch (error) {
    if (!gone.aborted || error !== gone.reason) throw error
  } finally {
    await chunks.return(undefined)
    endStream()
  }
}

/**
 * Writes each chunk before reading the next, because both use the same memory. Fails, so that the reply is cut off, if
 * its length differs from its head; otherwise the client would read later bytes as its end. Therefore it sends the last
 * chunk only when nothing follows it.
 */
async function writeChunks(
  response: ServerResponse,
  { length, minRate = () => MIN_READING_RATE }: StreamedBody,
  first: IteratorResult<Uint8Array, void>,
  chunks: ReturnType<StreamedBody['chunks']>,
): Promise<void> {
  const write = writerTo(response, minRate)
  /** The bytes of the chunks so far, including `last`. Compared with themselves if the length is unknown. */
  let size = 0
  /** The chunk that completes the length: a copy, because reading on to see whether another follows reuses its memory. */
  let last: Uint8Array | undefined
  for (let read = first; !read.done && !response.destroyed; read = await chunks.next()) {
    if (read.value.length === 0) continue
    size += read.value.length
    if (size > (length ?? size)) break // Too long: fails below.
    if (size === length) last = read.value.slice()
    else await write(read.value)
  }
  if (response.destroyed) return
  if (size !== (length ?? size)) throw new Error(`a body of ${length} bytes has ${size}`)
  if (last) await write(last)
}

/** Ends an event stream when its client closes its side: other replies are still sent then (RFC 9112 §9.5). */
function endWithClient({ incoming: { socket }, response }: HttpExchange): void {
  if (socket.readableEnded) response.destroy()
  else socket.once('end', () => response.destroy())
}

/** The system buffers megabytes, so a slow reader reads in bursts, minutes apart. */
const MIN_READING_RATE: MinRate = { bytes: 1 << 20, milliseconds: 300_000 }

/** Refuses a request that is not read yet, and discards its rest for a moment, so that the client gets the reply. */
export function sendAndClose(exchange: HttpExchange, refusal: Reply): void {
  const { edge, connection, incoming, response, requestId } = exchange
  const reply = readable(exchange, refusal)
  const { status, body } = reply
  connection.isLastRequest = true
  connection.refusedMs = exchange.startedMs
  const bytes = body instanceof Uint8Array ? body : new Uint8Array()
  const length = String(bytes.length)
  const fields = ['X-Request-Id', requestId, 'Content-Length', length, 'Connection', 'close']
  response.writeHead(status, [...headersOf(reply), ...fields])
  response.flushHeaders()
  if (incoming.method !== 'HEAD') response.write(bytes)
  recordRequest(edge, status, exchange.startedMs, exchange.path)
  const timer = setTimeout(() => response.end(), LINGER_MS)
  incoming.once('close', () => {
    clearTimeout(timer)
    response.end()
  })
  incoming.resume()
}

/** Refuses a request before reading it, and closes the connection if a body follows. */
export function sendUnread(exchange: HttpExchange, refusal: Reply): void {
  const { 'content-length': length, 'transfer-encoding': coding } = exchange.incoming.headers
  if (length === undefined && coding === undefined) void send(exchange, readable(exchange, refusal))
  else sendAndClose(exchange, refusal)
}

/** A refusal that pages of allowed origins may read. The request is not read, so its path comes from the raw target. */
function readable({ edge, incoming: { url = '', headers } }: HttpExchange, reply: Reply): Reply {
  return withCors(edge, { path: url.split('?', 1)[0] ?? '', headers }, reply)
}

/** Sends a body in pieces. Drops a client that reads more slowly than `minRate`, which may change during sending. */
function writerTo(response: ServerResponse, minRate: () => MinRate): (bytes: Uint8Array) => Promise<void> {
  const pace = clientPace(minRate)
  return async bytes => {
    const beganMs = performance.now()
    const written = new AbortController()
    const patienceMs = () => pace.patienceMs(bytes.length, performance.now() - beganMs)
    const check = () => {
      if (patienceMs() > 0) timer = scheduleCheck()
      else void dropUnless(written.signal, response)
    }
    const scheduleCheck = () => setTimeout(check, Math.min(patienceMs(), CHECK_MS))
    let timer = scheduleCheck()
    await writeChunk(response, bytes)
    written.abort()
    clearTimeout(timer)
    pace.took(bytes.length, performance.now() - beganMs)
  }
}

/** The interval at which the rate is checked while a client reads a piece. */
const CHECK_MS = 500

/** Drops the client unless the next event loop turn shows that it has read: this process may have noticed late. */
async function dropUnless(written: AbortSignal, response: ServerResponse): Promise<void> {
  await nextTurn()
  if (!written.aborted) response.destroy()
}

/** Resolves when the system has taken the bytes, or the client has left. */
function writeChunk(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}

/** Aborts when the client disconnects. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
