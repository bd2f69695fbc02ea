import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { addAbortListener } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { readAll } from '../base/bytes.ts'
import { errorCode, errorMessage, OperationalError } from '../base/error.ts'
import { withoutUndefined } from '../base/object.ts'
import { isThisMachine } from '../base/server-url.ts'
import { withoutBrackets } from '../exchange/ip-address.ts'
import { currentTrace, traceHeaders } from '../telemetry/trace-context.ts'
import { forbiddenTargets, isTrustworthy, type PublicTargets } from './public-targets.ts'

/**
 * The standard `fetch`, for libraries that take one, with these differences: it limits time and size, follows no
 * redirect (fails, or returns it with `redirect: 'manual'`), and has no cookies, proxies, caches or compression.
 *
 * @throws {OutgoingError} with the cause in `code`
 */
export type OutgoingFetch = (address: string | URL, init?: OutgoingInit) => Promise<Response>

/** Options of `fetch` that may be undefined. */
type OutgoingInit = { [Name in keyof RequestInit]: RequestInit[Name] | undefined }

export type OutgoingOptions = {
  /** The limit for the whole exchange, in milliseconds. */
  maxMs?: number
  maxBytes?: number
  /** Whether only the status and the fields of the reply matter. */
  ignoresBody?: boolean
  /** Takes the body of a reply with 2xx while it arrives, without `maxBytes`; throws an `OperationalError` to end it. */
  receive?: (chunks: AsyncIterable<Uint8Array>) => Promise<void>
  resolve?: (hostname: string) => Promise<LookupAddress[]>
  seen?: (headers: Headers) => void
}

/** Makes a `fetch` for addresses that the operator named: https anywhere, or http on this machine. */
export function trustedFetch(options: OutgoingOptions = {}): OutgoingFetch {
  return outgoingFetch({ isUsable: url => isTrustworthy(url.href), isForbidden: () => false }, options)
}

/**
 * Makes a `fetch` for addresses that outsiders named. They must be https, and every IP address of their host must be
 * public or permitted by the operator. The connection uses these addresses, without asking for the name again
 * (decisions/0560).
 */
export function untrustedFetch(targets: PublicTargets, options: OutgoingOptions = {}): OutgoingFetch {
  return outgoingFetch({ isUsable: url => url.protocol === 'https:', isForbidden: forbiddenTargets(targets) }, options)
}

type Policy = {
  isUsable: (url: URL) => boolean
  isForbidden: (hostname: string, address: string) => boolean
}

const MAX_MS = 5000
const MAX_BYTES = 256 << 10

/** Makes a `fetch`: resolves the host, checks its addresses, sends to one of them, and reads the reply, all within `maxMs`. */
function outgoingFetch(policy: Policy, options: OutgoingOptions): OutgoingFetch {
  const { maxMs = MAX_MS, maxBytes = MAX_BYTES, ignoresBody = false, receive, resolve = resolveAll } = options
  return async (address, init = {}) => {
    const url = usableUrl(address, policy)
    const request = new Request(url, withoutUndefined({ ...init, signal: undefined }))
    const deadline = AbortSignal.timeout(maxMs)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    try {
      const exchange = async () => {
        const addresses = await permittedAddresses(url, policy, resolve)
        const reply = await send(request, addresses, signal)
        const response = await readResponse(reply, { url, redirect: request.redirect, maxBytes, ignoresBody, receive })
        options.seen?.(response.headers)
        return response
      }
      return await beforeAbort(signal, exchange)
    } catch (error) {
      throw asOutgoingError(error, url, { isAborted: init.signal?.aborted, isLate: deadline.aborted, maxMs })
    }
  }
}

function usableUrl(address: string | URL, { isUsable }: Policy): URL {
  if (!URL.canParse(`${address}`)) throw new OutgoingError('outgoing_address_invalid', undefined, 'it is not a URL')
  const url = new URL(address)
  url.hash = ''
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('outgoing_address_invalid', url, 'the address contains a user name or password: remove it')
  if (!isUsable(url)) throw new OutgoingError('outgoing_address_invalid', url, 'the address is not https')
  return url
}

/** Names below `localhost` are not in DNS (RFC 6761 §6.3). */
function resolveAll(hostname: string): Promise<LookupAddress[]> {
  return lookup(isThisMachine(hostname) ? 'localhost' : hostname, { all: true })
}

type Resolve = typeof resolveAll

/**
 * Resolves the host and checks each address, so that none of them is asked if one is forbidden.
 *
 * @throws {OutgoingError}
 */
export async function permittedAddresses(
  url: URL,
  { isForbidden }: Pick<Policy, 'isForbidden'>,
  resolve: Resolve = resolveAll,
): Promise<LookupAddress[]> {
  const host = withoutBrackets(url.hostname)
  const addresses = isIP(host) === 0 ? await resolveKnown(url, resolve) : [{ address: host, family: isIP(host) }]
  const forbidden = addresses.find(({ address }) => isForbidden(host, address))
  if (!forbidden) return addresses
  const why =
    'its host is private, special or this service itself; the operator can permit networks with --outgoing-allow'
  const cause = new Error(`${host} is ${forbidden.address}`)
  throw new OutgoingError('outgoing_address_forbidden', url, why, { cause })
}

async function resolveKnown(url: URL, resolve: Resolve): Promise<LookupAddress[]> {
  const unknown = (cause?: unknown) =>
    new OutgoingError('outgoing_name_unknown', url, errorCode(cause) === 'EAI_AGAIN' ? NO_DNS : NO_ADDRESS, { cause })
  const addresses = await resolve(url.hostname).catch(error => {
    throw unknown(error)
  })
  if (addresses.length === 0) throw unknown()
  return addresses
}

const NO_ADDRESS = 'its host name has no address: check its spelling, and the DNS of this machine'
const NO_DNS = 'DNS does not answer for its host name: check the name servers of this machine, and try again'

/** Waits for work until the signal aborts, because name resolution and some faulty servers take no signal. */
async function beforeAbort<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  using _ = addAbortListener(signal, () => reject(signal.reason))
  return await Promise.race([work(), promise])
}

type Ending = { isAborted: boolean | undefined; isLate: boolean; maxMs: number }

function asOutgoingError(cause: unknown, url: URL, { isAborted, isLate, maxMs }: Ending): OperationalError {
  if (cause instanceof OperationalError) return cause
  if (isAborted) return new OutgoingError('outgoing_aborted', url, 'the request was cancelled', { cause })
  if (isLate)
    return new OutgoingError('outgoing_timeout', url, `there was no complete reply within ${maxMs} ms`, { cause })
  const why = errorCode(cause) || errorMessage(cause)
  const hint = UNKNOWN_AUTHORITY.test(why) ? `; if its authority is private, ${TRUST_IT}` : ''
  return new OutgoingError('outgoing_unreachable', url, `the connection failed (${why})${hint}`, { cause })
}

/** The codes of certificates whose authority is unknown. */
const UNKNOWN_AUTHORITY =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER|VERIFY)_\w+)$/
const TRUST_IT = 'the operator can name the file of its certificate in NODE_EXTRA_CA_CERTS'

/** Sends a request to one of these addresses. The client module is loaded now, because few services need it. */
async function send(request: Request, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(request.url)
  const client = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const body = new Uint8Array(await request.arrayBuffer())
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  client
    .request(url, {
      method: request.method,
      headers: headersOf(request),
      signal,
      agent: new client.Agent({ autoSelectFamily: true }),
      lookup: (_name, _options, callback) => callback(null, addresses),
    })
    .on('error', reject)
    .once('close', () => reject(new Error('it was closed without a reply')))
    .once('response', resolve)
    .end(body)
  return promise
}

function headersOf({ headers }: Request): Record<string, string> {
  const trace = currentTrace()
  return {
    'user-agent': 'housestyle',
    ...Object.fromEntries(headers),
    'accept-encoding': 'identity',
    ...(trace && traceHeaders(trace)),
  }
}

type ReadingOptions = {
  url: URL
  redirect: Request['redirect']
  maxBytes: number
  /** Whether the body is not read, so that neither its size, its coding nor its time is a problem. */
  ignoresBody: boolean
  receive: OutgoingOptions['receive']
}

/**
 * Reads a reply, with its body unless that is ignored, so that the limits of time and size apply to all of it.
 *
 * @throws {OutgoingError} for a redirect unless it is `manual`, and for a reply that is too large or compressed
 */
async function readResponse(reply: IncomingMessage, options: ReadingOptions): Promise<Response> {
  const { statusCode: status = 0 } = reply
  const problem = problemOf(reply, options)
  if (problem) {
    reply.destroy()
    throw new OutgoingError(problem.code, options.url, problem.why)
  }
  const { url, maxBytes } = options
  const tooLarge = () =>
    new OutgoingError('outgoing_reply_too_large', url, `it answered with more than ${maxBytes} bytes`)
  // `receive` takes the body of a success, and `readAll` any other, unless it is ignored.
  const isReceived = options.receive && status >= 200 && status < 300
  if (isReceived) await options.receive?.(reply)
  const isRead = !options.ignoresBody && !isReceived
  const body = isRead ? await readAll(reply, maxBytes, tooLarge) : null
  if (!isRead) reply.destroy()
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(reply.headersDistinct))
    for (const value of values) headers.append(name, value)
  return new Response(BODILESS.has(status) ? null : body, { status, headers })
}

/** Statuses for which a `Response` has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** The reason to refuse a reply by its head; undefined if it is right. */
function problemOf(
  { statusCode: status = 0, headers }: IncomingMessage,
  { redirect, ignoresBody }: ReadingOptions,
): { code: OutgoingCode; why: string } | undefined {
  if (status >= 300 && status < 400 && status !== 304 && redirect !== 'manual')
    return { code: 'outgoing_redirected', why: `it answered ${status}, and redirects are not followed` }
  if (status < 200 || status > 599) return { code: 'outgoing_reply_invalid', why: `it answered ${status}` }
  const { 'content-encoding': coding = 'identity' } = headers
  if (coding !== 'identity' && !ignoresBody)
    return { code: 'outgoing_reply_invalid', why: `its body has the coding ${coding}` }
  return undefined
}

type OutgoingCode =
  | 'outgoing_address_invalid'
  | 'outgoing_address_forbidden'
  | 'outgoing_name_unknown'
  | 'outgoing_unreachable'
  | 'outgoing_timeout'
  | 'outgoing_aborted'
  | 'outgoing_redirected'
  | 'outgoing_reply_too_large'
  | 'outgoing_reply_invalid'

/**
 * Thrown if an outgoing request fails. The message names the address without its query, which may contain secrets. It
 * reveals no resolved IP address, because outsiders may see it; that is in `cause`.
 */
export class OutgoingError extends OperationalError {
  /** The reason without the address. */
  readonly why: string

  /** `url` is undefined if the address is not a URL. */
  constructor(code: OutgoingCode, url: URL | undefined, why: string, options?: ErrorOptions) {
    super(code, `cannot ask ${url ? `${url.protocol}//${url.host}${url.pathname}` : 'this address'}: ${why}`, options)
    this.why = why
  }
}
