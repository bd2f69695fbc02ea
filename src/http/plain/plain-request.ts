import { remembering } from '../../base/text.ts'
import type { Request, RequestField, RequestHeaders } from '../../exchange/message.ts'
import { splitTarget } from '../../exchange/target.ts'
import { isHost } from '../read-request.ts'

/**
 * Reads a request that came in one piece and by itself, and in which nothing is unusual: GET or HEAD by HTTP/1.1, of
 * printable ASCII, without a body, with one Host, no field twice that is read, and nothing about the connection but that
 * it stays. Whatever else it is, the answer is undefined, and node:http has to read it: there is no request that this
 * reads and node:http reads otherwise.
 */
export function readPlain(bytes: Buffer, address: string): Request | undefined {
  if (bytes.length > MOST_BYTES) return undefined
  const text = bytes.toString('latin1')
  if (!WHOLE.test(text)) return undefined
  const lines = text.split('\r\n')
  const [, method, url = ''] = REQUEST_LINE.exec(lines[0] ?? '') ?? []
  const headers = readFields(lines)
  const target = splitTarget(url)
  if (method === undefined || !target || headers?.host === undefined || !isHost(headers.host)) return undefined
  const authorizations = headers.authorization === undefined ? 0 : 1
  return { method, path: target.path, query: target.query, headers, authorizations, address }
}

/** The least of the bounds of `readRequest`, so that all of them hold. */
const MOST_BYTES = 8 << 10

/** Lines that end with CRLF, then an empty line, and nothing after it (RFC 9112 §2.1). */
const WHOLE = /^(?:[\x20-\x7e]+\r\n)+\r\n$/

/** RFC 9112 §3, with a target in origin form of characters that RFC 3986 §3.3 and §3.4 allow. */
const REQUEST_LINE = /^(GET|HEAD) (\/[\w\-.~%!$&'()*+,;=:@/?]*) HTTP\/1\.1$/

/** The fields that are read, from the second line on; the last two lines are empty. */
function readFields(lines: readonly string[]): RequestHeaders | undefined {
  const fields = { ...NO_FIELDS }
  for (let at = 1; at < lines.length - 2; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const meaning = meaningOf(line.slice(0, Math.max(0, colon)))
    if (meaning === 'ignored') continue
    const value = line.slice(colon + 1).trim()
    if (meaning === 'connection') {
      if (value.toLowerCase() !== 'keep-alive') return undefined
    } else if (meaning === 'unusual' || fields[meaning] !== undefined) return undefined
    else fields[meaning] = value
  }
  return fields
}

/** What a field is to this reader: one that is read, or that nobody reads, or that only node:http understands. */
type Meaning = PlainField | 'connection' | 'ignored' | 'unusual'

type PlainField = Exclude<RequestField, 'content-length' | 'transfer-encoding' | 'traceparent' | 'tracestate'>

/** Clients write names in few ways. A name has to be a token (RFC 9110 §5.1). */
const meaningOf = remembering((name): Meaning => {
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
