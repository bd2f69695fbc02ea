import type { IncomingMessage } from 'node:http'
import { RETRY_SOON, type Refusal, RefusedBody, refuse } from '#brand/contract/refusals.ts'
import { MAX_BODY } from '#brand/contract/route.ts'
import { type MaybePromise, withTimeout } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { BodyDigest, MinRate, Request } from '#platform/exchange/message.ts'
import {
  isOtherField,
  isPlainField,
  type RequestField,
  type RequestHeaders,
} from '#platform/exchange/request-fields.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import type { BodyMemory } from '../body-memory.ts'
import type { Edge } from '../edge.ts'
import { maxBodyAt, readsBodyAt } from '../service/routes.ts'
import { clientPace } from './client-pace.ts'

const MAX_TARGET = 8 << 10
const MAX_FIELDS = 16 << 10

/**
 * Reads a request that node:http has parsed. Its body has at most the bytes of its address, or 25 MiB if only its digest
 * is kept. The body of a refused request may remain unread.
 */
export function readRequest(
  incoming: IncomingMessage,
  { digestFor, base, inside, bodyMemory }: Pick<Edge, 'digestFor' | 'base' | 'inside' | 'bodyMemory'>,
): MaybePromise<Result<Request, Refusal>> {
  const head = readHead(incoming)
  if (!head.ok) return head
  const request = head.value
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers
  if (length === undefined && coding === undefined) return ok(request)
  const digest = digestFor?.(request)
  const path = inside(request.path, request.headers.host)
  const maxBytes = digest ? MAX_DIGESTED_BODY : maxBodyAt(path, base)
  if (Number(length ?? 0) > maxBytes) return failed(refuse('body-too-large'))
  if (readsBodyAt(path, base)) return ok({ ...request, upload: uploadOf(incoming, maxBytes) })
  return digest ? digestBody(incoming, request, digest) : readBody(incoming, request, maxBytes, bodyMemory)
}

/** The request without its body, or the refusal of a head that is too long, malformed or ambiguous. */
function readHead(incoming: IncomingMessage): Result<Request, Refusal> {
  const { method = '', url = '', headers, rawHeaders, httpVersion } = incoming
  if (url.length > MAX_TARGET) return failed(refuse('target-too-long'))
  const { size, authorizations, hosts, assertions } = measureFields(rawHeaders)
  if (size > MAX_FIELDS) return failed(refuse('headers-too-large'))
  const isHttp10 = httpVersion === '1.0'
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 has no chunks, so a proxy that forwarded such a body may disagree about its end.
  if (httpVersion !== '1.1' && (!isHttp10 || coding !== undefined)) return failed(refuse('malformed-http'))
  // RFC 9112 §6.1: chunks may contain a body in another coding, which is not supported here.
  if (coding !== undefined && !/^chunked$/i.test(coding)) return failed(refuse('malformed-http'))
  // RFC 9112 §3.2: a request has one Host, and only one of HTTP/1.0 may have none.
  const isHostRight = hosts === 1 ? isHost(headers.host ?? '') : hosts === 0 && isHttp10
  const target = splitTarget(url)
  if (!isHostRight || !target || !isHost(target.host ?? '')) return failed(refuse('malformed-http'))
  const { path, query, host } = target
  // RFC 9112 §3.2.4: only OPTIONS can be about the whole server.
  if (path === '*' && method !== 'OPTIONS') return failed(refuse('malformed-http'))
  return ok({
    method,
    path,
    query,
    // RFC 9112 §3.2.2: the host of a target such as `http://host/path` replaces Host.
    headers: { ...knownFields(headers), ...(host !== undefined && { host }) },
    authorizations,
    address: incoming.socket.remoteAddress ?? '',
    ...(assertions && { assertions }),
  })
}

/**
 * Reads a body for its handler. The connection stays open when the reader leaves, so that the client gets its reply.
 *
 * @throws RefusedBody if the body is too large, arrives too slowly or is cut off
 */
export async function* uploadOf(incoming: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = incoming.iterator({ destroyOnReturn: false })
  const pace = clientPace(() => MIN_SENDING_RATE)
  try {
    let size = 0
    for (;;) {
      const beganMs = performance.now()
      const nextChunk = chunks.next().catch(() => refuse('malformed-http'))
      const next = await withTimeout(pace.patienceMs(1), nextChunk, () => refuse('request-timeout'))
      // Only a refusal has an id.
      if ('id' in next) throw new RefusedBody(next)
      if (next.done) return
      const chunk = next.value
      pace.took(chunk.length, performance.now() - beganMs)
      size += chunk.length
      if (size > maxBytes) throw new RefusedBody(refuse('body-too-large'))
      yield chunk
    }
  } finally {
    void chunks.return?.()
  }
}

/** 1 KiB per second, measured over 30 s, which is far slower than any connection over which people edit. */
const MIN_SENDING_RATE: MinRate = { bytes: 30 << 10, milliseconds: 30_000 }

/** Keeps the fields that handlers read, as the reader of plain requests does. */
function knownFields(headers: IncomingMessage['headers']): RequestHeaders {
  const fields: { [Field in RequestField]?: string } = {}
  for (const [name, value] of Object.entries(headers))
    if ((isPlainField(name) || isOtherField(name)) && typeof value === 'string') fields[name] = value
  return fields
}

/** Whether a string is a valid `Host` (RFC 9110 §7.2): a host or an IP in brackets, with an optional port; or empty. */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[0-9a-fv.:]+\])(:\d*)?$/i

/** The bytes of all fields, and the fields of which node:http would hide that they are repeated. */
type Measured = { size: number; authorizations: number; hosts: number; assertions?: Map<string, string> }

/** Measures the fields of a request, given as alternating names and values. */
function measureFields(rawHeaders: readonly string[]): Measured {
  const measured: Measured = { size: 0, authorizations: 0, hosts: 0 }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const value = rawHeaders[at + 1] ?? ''
    measured.size += name.length + value.length + ': \r\n'.length
    // The lengths spare most names the copy in lower case.
    if (name.length === 13 && name.toLowerCase() === 'authorization') measured.authorizations++
    else if (name.length === 4 && name.toLowerCase() === 'host') measured.hosts++
    if (value.startsWith(JWT_START)) addAssertion(measured, name.toLowerCase(), value)
  }
  return measured
}

/** The beginning of `{"` in base64url, and so of each JSON Web Token. */
export const JWT_START = 'eyJ'

/** Adds the value of a field. A repeated field becomes empty, because proxies differ in which of its values they replace. */
function addAssertion(measured: Measured, name: string, value: string): void {
  measured.assertions ??= new Map()
  measured.assertions.set(name, measured.assertions.has(name) ? '' : value)
}

/** GitHub's limit for webhooks. Only the digest of such a body is kept. */
const MAX_DIGESTED_BODY = 25 << 20

/** Reads a body of at most `maxBytes`. Beyond 64 KiB, it takes memory as it arrives, or is refused with 503. */
export async function readBody(
  incoming: IncomingMessage,
  request: Request,
  maxBytes: number,
  memory: BodyMemory,
): Promise<Result<Request, Refusal>> {
  const declaredLength = incoming.headers['content-length']
  const mostBytes = declaredLength === undefined ? maxBytes : Number(declaredLength)
  const bytes = openBodyBuffer(request, mostBytes, memory)
  let expired: Refusal | undefined
  let timer: NodeJS.Timeout | undefined
  const expiry = Promise.withResolvers<Result<never, Refusal>>()
  const expire = () => {
    expired = refuse('request-timeout')
    expiry.resolve(failed(expired))
  }
  const take = (chunk: Buffer, size: number) => {
    if (expired) return expired
    if (!bytes.add(chunk, size)) return refuse('overloaded', RETRY_SOON)
    if (bytes.isLarge()) timer ??= setTimeout(expire, LARGE_BODY_MS)
    return undefined
  }
  const received = await Promise.race([receive(incoming, mostBytes, take), expiry.promise])
  clearTimeout(timer)
  const body = bytes.end(received.ok ? received.value : 0)
  return received.ok ? ok({ ...request, body }) : received
}

/** The time for a large body: slow clients may not hold the shared memory for long. */
const LARGE_BODY_MS = 15_000

const NOTHING = Buffer.alloc(0)

/**
 * The bytes of a body that arrives. They are one growing buffer, because a list of chunks could take a hundred times its
 * memory: a client may send one byte at a time, and each chunk is an object.
 */
function openBodyBuffer(request: Request, mostBytes: number, memory: BodyMemory) {
  /** The bytes that this request has taken of the shared memory: 0 for a small body. */
  let takenBytes = 0
  /** The body so far, and room for more. */
  let buffer: Buffer = NOTHING
  /** Makes room for `size` bytes. Returns false if there is no memory for them. */
  const grow = (size: number): boolean => {
    const isLarge = size > MAX_BODY
    const length = Math.min(isLarge ? mostBytes : MAX_BODY, Math.max(2 * buffer.length, size))
    if (isLarge) {
      if (!memory.take(request, length - takenBytes)) return false
      takenBytes = length
    }
    buffer = copyTo(length, buffer)
    return true
  }
  return {
    isLarge: () => takenBytes > 0,
    /** Adds a chunk, with which the body has `size` bytes. Returns false if there is no memory for it. */
    add: (chunk: Buffer, size: number): boolean => {
      if (size > buffer.length && !grow(size)) return false
      chunk.copy(buffer, size - chunk.length)
      return true
    },
    /** Returns the body of `size` bytes, and gives back the rest of its memory. */
    end: (size: number): Buffer => {
      const body = buffer.subarray(0, size)
      buffer = NOTHING // The listeners, which refer to it, live as long as the connection.
      if (takenBytes > 0) memory.giveBack(request, takenBytes - body.length)
      return body
    },
  }
}

function copyTo(length: number, buffer: Buffer): Buffer {
  const longer = Buffer.allocUnsafeSlow(length)
  buffer.copy(longer)
  return longer
}

async function digestBody(
  incoming: IncomingMessage,
  request: Request,
  { update, digest }: BodyDigest,
): Promise<Result<Request, Refusal>> {
  const read = await receive(incoming, MAX_DIGESTED_BODY, chunk => {
    update(chunk)
    return undefined
  })
  return read.ok ? ok({ ...request, bodyDigest: digest() }) : read
}

/** Passes each chunk to `take`, with the size of the body so far, until one is refused. Returns the size of the body. */
function receive(
  incoming: IncomingMessage,
  maxBytes: number,
  take: (chunk: Buffer, size: number) => Refusal | undefined,
): Promise<Result<number, Refusal>> {
  return new Promise(resolve => {
    let size = 0
    let refusal: Refusal | undefined
    incoming.on('data', (chunk: Buffer) => {
      if (refusal) return
      size += chunk.length
      refusal = size > maxBytes ? refuse('body-too-large') : take(chunk, size)
      if (refusal) resolve(failed(refusal))
    })
    incoming.once('end', () => resolve(ok(size)))
    incoming.once('error', () => resolve(failed(refuse('malformed-http'))))
    incoming.once('close', () => resolve(failed(refuse('malformed-http'))))
  })
}
