import { memoize } from '../../base/text.ts'
import type { Request, RequestField, RequestHeaders } from '../../exchange/message.ts'
import { splitTarget } from '../../exchange/target.ts'
import { isHost, JWT_START } from '../node/read-request.ts'

/**
 * Reads a complete and ordinary request from bytes: GET or HEAD over HTTP/1.1, in printable ASCII, without a body, with
 * one Host, no repeated known field, and no connection field except keep-alive. Returns undefined for any other
 * request, which node:http must read. Both readers agree on every request that this one accepts.
 */
export function readPlain(bytes: Buffer, address: string): Request | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r')
  const line = readRequestLine(text.slice(0, Math.max(0, end)))
  const headers = line && readFields(text.slice(end))
  if (!headers) return undefined
  const { method, path, query } = line
  return { method, path, query, headers, authorizations: headers.authorization === undefined ? 0 : 1, address }
}

/**
 * Reads the first request if it is plain, and returns its bytes too: others may follow it (RFC 9112 §9.3.2). Usually
 * none do, and then it does not search for the end of the request.
 */
export function readFirstRequest(bytes: Buffer, address: string): { first: Buffer; request: Request } | undefined {
  const only = readPlain(bytes, address)
  if (only) return { first: bytes, request: only }
  const first = bytes.subarray(0, bytes.indexOf(HEAD_END) + HEAD_END.length)
  const request = first.length < bytes.length ? readPlain(first, address) : undefined
  return request && { first, request }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The smallest limit of `readRequest`, so that all of them hold. */
const MAX_BYTES = 8 << 10

type RequestLine = Pick<Request, 'method' | 'path' | 'query'>

const readRequestLine = memoize((line): RequestLine | undefined => {
  const [, method, url = ''] = REQUEST_LINE.exec(line) ?? []
  const target = splitTarget(url)
  return method === undefined || !target ? undefined : { method, ...target }
})

/** RFC 9112 §3, with a target in origin form that has only characters of RFC 3986 §3.3 and §3.4. */
const REQUEST_LINE = /^(GET|HEAD) (\/[\w\-.~%!$&'()*+,;=:@/?]*) HTTP\/1\.1$/

/**
 * Reads the supported fields after the request line. Removes the tag before the cache lookup, because clients send a
 * different tag for each address.
 */
function readFields(text: string): RequestHeaders | undefined {
  const at = Math.max(text.indexOf(TAG_LINES[0]), text.indexOf(TAG_LINES[1]))
  if (at === -1) return readSameFields(text)
  const end = text.indexOf('\r\n', at + TAG_LINES[0].length)
  // Without an incomplete tag line, or one after the empty line, the rest would look complete.
  if (end === -1 || end > text.length - HEAD_END.length) return undefined
  const tag = text.slice(at + TAG_LINES[0].length, end)
  const fields = readSameFields(text.slice(0, at) + text.slice(end))
  if (!fields || fields['if-none-match'] !== undefined || !PRINTABLE.test(tag)) return undefined
  return { ...fields, 'if-none-match': tag.trim() }
}

const TAG_LINES = ['\r\nIf-None-Match: ', '\r\nif-none-match: '] as const
const PRINTABLE = /^[\x20-\x7e]*$/

/** Cached, because clients repeat the same fields: comparing them is faster than parsing them. */
const readSameFields = memoize(
  (text): RequestHeaders | undefined => {
    if (!FIELDS.test(text)) return undefined
    const fields = { ...NO_FIELDS }
    for (const line of text.slice(2, -4).split('\r\n')) {
      const colon = line.indexOf(':')
      const meaning = meaningOf(line.slice(0, Math.max(0, colon)))
      const value = line.slice(colon + 1).trim()
      if (meaning === 'ignored') {
        if (value.startsWith(JWT_START)) return undefined
        continue
      }
      if (meaning === 'connection') {
        if (value.toLowerCase() !== 'keep-alive') return undefined
      } else if (meaning === 'unusual' || fields[meaning] !== undefined) return undefined
      else fields[meaning] = value
    }
    return fields.host !== undefined && isHost(fields.host) ? fields : undefined
  },
  { maxEntries: 1024, maxLength: 3 << 10 },
)

/** Lines that end with CRLF, then an empty line at the end (RFC 9112 §2.1). */
const FIELDS = /^\r\n(?:[\x20-\x7e]+\r\n)+\r\n$/

/** How this reader handles a field: it is read, it is ignored, or only node:http can handle it. */
type Meaning = PlainField | 'connection' | 'ignored' | 'unusual'

type PlainField = Exclude<
  RequestField,
  | 'content-length'
  | 'sec-fetch-site'
  | 'transfer-encoding'
  | 'traceparent'
  | 'tracestate'
  | 'mcp-method'
  | 'mcp-name'
  | 'mcp-protocol-version'
  | 'x-gitlab-token'
  | 'x-hub-signature-256'
>

/** Cached, because clients spell names in few ways. A name must be a token (RFC 9110 §5.1). */
const meaningOf = memoize((name): Meaning => {
  const field = name.toLowerCase()
  if (field === 'connection' || isRead(field)) return field
  return TOKEN.test(name) && !UNUSUAL.has(field) ? 'ignored' : 'unusual'
})

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Fields of bodies, of connections and of traces. */
const UNUSUAL: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'trailer',
  'te',
  'expect',
  'upgrade',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
  'traceparent',
  'tracestate',
])

function isRead(name: string): name is PlainField {
  return Object.hasOwn(NO_FIELDS, name)
}

/** All supported fields, still undefined. All requests have the same shape, which makes reading them fast. */
const NO_FIELDS: { [Field in PlainField]: string | undefined } = {
  accept: undefined,
  'accept-encoding': undefined,
  'accept-language': undefined,
  'access-control-request-method': undefined,
  authorization: undefined,
  'content-type': undefined,
  cookie: undefined,
  forwarded: undefined,
  host: undefined,
  'if-match': undefined,
  'if-none-match': undefined,
  'if-range': undefined,
  'last-event-id': undefined,
  origin: undefined,
  range: undefined,
  'x-forwarded-for': undefined,
  'x-forwarded-proto': undefined,
}
