import type { IncomingMessage } from 'node:http'
import type { MaybePromise } from '../../base/promise.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import { type Refusal, refuse } from '../../contract/refusals.ts'
import type { BodyDigest, DigestFor, Request } from '../../exchange/message.ts'
import { splitTarget } from '../../exchange/target.ts'

const MAX_TARGET = 8 << 10
const MAX_FIELDS = 16 << 10
const MAX_BODY = 64 << 10
/** GitHub's limit for webhooks. */
const MAX_DIGESTED_BODY = 25 << 20

/**
 * Reads a request, or refuses it. A body may have up to 64 KiB, or 25 MiB if only its digest is needed; the body of a
 * refused request may remain unread.
 */
export function readRequest(
  incoming: IncomingMessage,
  digestFor: DigestFor = () => undefined,
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
  const isHostRight = hosts === 1 ? isHost(headers.host ?? '') : hosts === 0 && isOld
  const target = splitTarget(url)
  if (!isHostRight || !target || (target.path === '*' && method !== 'OPTIONS')) return failed(refuse('malformed-http'))
  const address = incoming.socket.remoteAddress ?? ''
  const { path, query } = target
  const request: Request = { method, path, query, headers, authorizations, address, ...(assertions && { assertions }) }
  if (headers['content-length'] === undefined && coding === undefined) return ok(request)
  const digest = digestFor(request)
  if (Number(headers['content-length'] ?? 0) > (digest ? MAX_DIGESTED_BODY : MAX_BODY))
    return failed(refuse('body-too-large'))
  return digest ? digestBody(incoming, request, digest) : readBody(incoming, request)
}

/**
 * Whether a string is a valid value of `Host` (RFC 9110 §7.2): a host or an IP address in brackets, with an optional
 * port; it may be empty.
 */
export function isHost(text: string): boolean {
  return HOST.test(text)
}

const HOST = /^([\w.~!$&'()*+,;=%-]*|\[[0-9a-fv.:]+\])(:\d*)?$/i

/** The results of one pass over all fields. */
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

function readBody(incoming: IncomingMessage, request: Request): Promise<Result<Request, Refusal>> {
  const chunks: Buffer[] = []
  const take = (chunk: Buffer) => void chunks.push(chunk)
  const done = () => ({ ...request, body: Buffer.concat(chunks) })
  return receive(incoming, MAX_BODY, take, done)
}

function digestBody(
  incoming: IncomingMessage,
  request: Request,
  { update, digest }: BodyDigest,
): Promise<Result<Request, Refusal>> {
  const done = () => ({ ...request, bodyDigest: digest() })
  return receive(incoming, MAX_DIGESTED_BODY, update, done)
}

function receive(
  incoming: IncomingMessage,
  maxBytes: number,
  take: (chunk: Buffer) => void,
  done: () => Request,
): Promise<Result<Request, Refusal>> {
  return new Promise(resolve => {
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) take(chunk)
      else resolve(failed(refuse('body-too-large')))
    })
    incoming.once('end', () => resolve(size <= maxBytes ? ok(done()) : failed(refuse('body-too-large'))))
    incoming.once('error', () => resolve(failed(refuse('malformed-http'))))
    incoming.once('close', () => resolve(failed(refuse('malformed-http'))))
  })
}
