import { memoize } from '../../base/text.ts'
import type { Request, RequestField, RequestHeaders } from '../../exchange/message.ts'
import { splitTarget } from '../../exchange/target.ts'
import { isHost } from '../node/read-request.ts'

/**
 * Reads a request that is the whole of some bytes, and in which nothing is unusual: GET or HEAD by HTTP/1.1, of
 * printable ASCII, without a body, with one Host, no field twice that is read, and nothing about the connection but that
 * it stays. Whatever else it is, the answer is undefined, and node:http has to read it: there is no request that this
 * reads and node:http reads otherwise.
 */
export function readPlain(bytes: Buffer, address: string): Request | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r')
  const line = readRequestLine(text.slice(0, Math.max(0, end)))
  const headers = line && readFields(text.slice(end))
  if (!headers) return undefined
  const { method, path, query } = line
  return { method, path, query, headers, authorizations: headers.authorization === undefined ? 0 : 1, address }
}

/**
 * Reads the first request of some bytes if it is plain, and gives its own bytes, too: others may have come behind it (RFC
 * 9112 §9.3.2). Mostly none have, and then they are not searched for its end.
 */
export function readFirstRequest(bytes: Buffer, address: string): { first: Buffer; request: Request } | undefined {
  const only = readPlain(bytes, address)
  if (only) return { first: bytes, request: only }
  const first = bytes.subarray(0, bytes.indexOf(HEAD_END) + HEAD_END.length)
  const request = first.length < bytes.length ? readPlain(first, address) : undefined
  return request && { first, request }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The least of the bounds of `readRequest`, so that all of them hold. */
const MOST_BYTES = 8 << 10

type RequestLine = Pick<Request, 'method' | 'path' | 'query'>

const readRequestLine = memoize((line): RequestLine | undefined => {
  const [, method, url = ''] = REQUEST_LINE.exec(line) ?? []
  const target = splitTarget(url)
  return method === undefined || !target ? undefined : { method, ...target }
})

/** RFC 9112 §3, with a target in origin form of characters that RFC 3986 §3.3 and §3.4 allow. */
const REQUEST_LINE = /^(GET|HEAD) (\/[\w\-.~%!$&'()*+,;=:@/?]*) HTTP\/1\.1$/

/**
 * The fields that are read, of all that comes behind the request line. The tag that a client sends differs from address to
 * address, so that it is taken out before the others are looked up.
 */
function readFields(text: string): RequestHeaders | undefined {
  const at = Math.max(text.indexOf(TAG_LINES[0]), text.indexOf(TAG_LINES[1]))
  if (at === -1) return readSameFields(text)
  const end = text.indexOf('\r\n', at + TAG_LINES[0].length)
  // A tag line that is incomplete, or follows the empty line, would leave a rest that looks complete.
  if (end === -1 || end > text.length - HEAD_END.length) return undefined
  const tag = text.slice(at + TAG_LINES[0].length, end)
  const fields = readSameFields(text.slice(0, at) + text.slice(end))
  if (!fields || fields['if-none-match'] !== undefined || !PRINTABLE.test(tag)) return undefined
  return { ...fields, 'if-none-match': tag.trim() }
}

const TAG_LINES = ['\r\nIf-None-Match: ', '\r\nif-none-match: '] as const
const PRINTABLE = /^[\x20-\x7e]*$/

/** Clients send the same ones with each request, so that most are known: comparing them is quicker than reading them. */
const readSameFields = memoize(
  (text): RequestHeaders | undefined => {
    if (!FIELDS.test(text)) return undefined
    const fields = { ...NO_FIELDS }
    for (const line of text.slice(2, -4).split('\r\n')) {
      const colon = line.indexOf(':')
      const meaning = meaningOf(line.slice(0, Math.max(0, colon)))
      if (meaning === 'ignored') continue
      const value = line.slice(colon + 1).trim()
      if (meaning === 'connection') {
        if (value.toLowerCase() !== 'keep-alive') return undefined
      } else if (meaning === 'unusual' || fields[meaning] !== undefined) return undefined
      else fields[meaning] = value
    }
    return fields.host !== undefined && isHost(fields.host) ? fields : undefined
  },
  { maxEntries: 1024, maxLength: 3 << 10 },
)

/** Lines that end with CRLF, then an empty line, and nothing after it (RFC 9112 §2.1). */
const FIELDS = /^\r\n(?:[\x20-\x7e]+\r\n)+\r\n$/

/** What a field is to this reader: one that is read, or that nobody reads, or that only node:http understands. */
type Meaning = PlainField | 'connection' | 'ignored' | 'unusual'

type PlainField = Exclude<RequestField, 'content-length' | 'transfer-encoding' | 'traceparent' | 'tracestate'>

/** Clients write names in few ways. A name has to be a token (RFC 9110 §5.1). */
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

/** The fields that are read, none of which is there yet. All requests have the same shape, so that reading one is quick. */
const NO_FIELDS: { [Field in PlainField]: string | undefined } = {
  accept: undefined,
  'accept-encoding': undefined,
  'access-control-request-method': undefined,
  authorization: undefined,
  'content-type': undefined,
  cookie: undefined,
  forwarded: undefined,
  host: undefined,
  'if-match': undefined,
  'if-none-match': undefined,
  'if-range': undefined,
  origin: undefined,
  range: undefined,
  'x-forwarded-for': undefined,
  'x-forwarded-proto': undefined,
}
