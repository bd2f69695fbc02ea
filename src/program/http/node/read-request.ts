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

/** A body has at most the bytes of its address, or 25 MiB for only a digest. A refused one may remain unread. */
export function readRequest(
  incoming: IncomingMessage,
  { digestFor, base, inside, bodyMemory }: Pick<Edge, 'digestFor' | 'base' | 'inside' | 'bodyMemory'>,
): MaybePromise<Result<Request, Refusal>> {
  const { method = '', url = '', headers, rawHeaders, httpVersion } = incoming
  if (url.length > MAX_TARGET) return failed(refuse('target-too-long'))
  const { size, authorizations, hosts, assertions } = measureFields(rawHeaders)
  if (size > MAX_FIELDS) return failed(refuse('headers-too-large'))
  const isOld = httpVersion === '1.0'
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 has no chunks, so a proxy that forwarded such a body may disagree about its end.
  if (httpVersion !== '1.1' && (!isOld || coding !== undefined)) return failed(refuse('malformed-http'))
  // RFC 9112 §6.1: chunks may contain a body in another coding, which is not supported here.
  if (coding !== undefined && !/^chunked$/i.test(coding)) return failed(refuse('malformed-http'))
  const target = splitTarget(url)
  const isHostRight = (hosts === 1 ? isHost(headers.host ?? '') : hosts === 0 && isOld) && isHost(target?.host ?? '')
  if (!isHostRight || !target || (target.path === '*' && method !== 'OPTIONS')) return failed(refuse('malformed-http'))
  const address = incoming.socket.remoteAddress ?? ''
  const { path, query, host } = target
  const fields = { ...knownFields(headers), ...(host !== undefined && { host }) }
  const request: Request = {
    method,
    path,
    query,
    headers: fields,
    authorizations,
    address,
    ...(assertions && { assertions }),
  }
  if (headers['content-length'] === undefined && coding === undefined) return ok(request)
  const digest = digestFor?.(request)
  const placed = inside(path, fields.host)
  const maxBytes = digest ? MAX_DIGESTED_BODY : maxBodyAt(placed, base)
  if (Number(headers['content-length'] ?? 0) > maxBytes) return failed(refuse('body-too-large'))
  if (readsBodyAt(placed, base)) return ok({ ...request, upload: uploadOf(incoming, maxBytes) })
  return digest ? digestBody(incoming, request, digest) : readBody(incoming, request, maxBytes, bodyMemory)
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
    for (let size = 0; ; ) {
      const beganMs = performance.now()
      const next = chunks.next().catch(() => refuse('malformed-http'))
      const read = await withTimeout(pace.patienceMs(1), next, () => refuse('request-timeout'))
      if ('id' in read) throw new RefusedBody(read)
      if (read.done) return
      pace.took(read.value.length, performance.now() - beganMs)
      size += read.value.length
      if (size > maxBytes) throw new RefusedBody(refuse('body-too-large'))
      yield read.value
    }
  } finally {
    void chunks.return?.()
  }
}

/** 1 KiB per second, which is far below any line over which people edit. */
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

type Measured = { size: number; authorizations: number; hosts: number; assertions?: Map<string, string> }

function measureFields(rawHeaders: readonly string[]): Measured {
  const measured: Measured = { size: 0, authorizations: 0, hosts: 0 }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    measured.size += name.length + (rawHeaders[at + 1]?.length ?? 0) + 4
    if (name.length === 13 && name.toLowerCase() === 'authorization') measured.authorizations++
    else if (name.length === 4 && name.toLowerCase() === 'host') measured.hosts++
    if (rawHeaders[at + 1]?.startsWith(JWT_START)) addAssertion(measured, name.toLowerCase(), rawHeaders[at + 1] ?? '')
  }
  return measured
}

/** The beginning of `{"` in base64url, and so of each JSON Web Token. */
export const JWT_START = 'eyJ'

/** Empties a repeated field. */
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
  const length = incoming.headers['content-length']
  const mostBytes = length === undefined ? maxBytes : Number(length)
  let taken = 0
  let piece: Buffer = NOTHING
  let [late, limit]: [Refusal | undefined, NodeJS.Timeout | undefined] = [undefined, undefined]
  const isLate = Promise.withResolvers<Result<never, Refusal>>()
  const take = (chunk: Buffer, size: number) => {
    if (late) return late
    if (size > piece.length) {
      const isLarge = size > MAX_BODY
      const length = Math.min(isLarge ? mostBytes : MAX_BODY, Math.max(2 * piece.length, size))
      if (isLarge && !memory.take(request, length - taken)) return refuse('overloaded', RETRY_SOON)
      if (isLarge) taken = length
      piece = grown(piece, length)
    }
    if (taken > 0)
      limit ??= setTimeout(() => {
        late = refuse('request-timeout')
        isLate.resolve(failed(late))
      }, LARGE_BODY_MS)
    chunk.copy(piece, size - chunk.length)
    return undefined
  }
  const read = await Promise.race([receive(incoming, mostBytes, take), isLate.promise])
  clearTimeout(limit)
  const body = piece.subarray(0, read.ok ? read.value : 0)
  piece = NOTHING // The listeners live as long as the connection.
  if (taken > 0) memory.giveBack(request, taken - body.length)
  return read.ok ? ok({ ...request, body }) : read
}

/** Slow clients may not hold the memory of others for long. */
const LARGE_BODY_MS = 15_000

const NOTHING = Buffer.alloc(0)

/** One growing piece, because the chunks of a client may have one byte each, and a hundred more in memory. */
function grown(piece: Buffer, length: number): Buffer {
  const longer = Buffer.allocUnsafeSlow(length)
  piece.copy(longer)
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

/** Passes on each chunk with the size so far, until it is refused. Returns the size of the whole. */
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
