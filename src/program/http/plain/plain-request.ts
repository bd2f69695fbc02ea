import { groupsOf, memoize } from '#platform/base/text.ts'
import type { Request } from '#platform/exchange/message.ts'
import {
  isOtherField,
  isPlainField,
  PLAIN_FIELDS,
  type PlainField,
  type RequestHeaders,
} from '#platform/exchange/request-fields.ts'
import { splitTarget } from '#platform/exchange/target.ts'
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

/** Reads the first request and its bytes, if it is plain: others may follow it (RFC 9112 §9.3.2). */
export function readFirstRequest(bytes: Buffer, address: string): { first: Buffer; request: Request } | undefined {
  const onlyRequest = readPlain(bytes, address)
  if (onlyRequest) return { first: bytes, request: onlyRequest }
  // If `HEAD_END` is absent (-1), these are 3 bytes, which cannot be read as a request.
  const first = bytes.subarray(0, bytes.indexOf(HEAD_END) + HEAD_END.length)
  const request = first.length < bytes.length ? readPlain(first, address) : undefined
  return request && { first, request }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The smallest limit of `readRequest`, that of the target, so that all of them hold. */
const MAX_BYTES = 8 << 10

const readRequestLine = memoize(line => {
  const [, method, url = ''] = groupsOf(REQUEST_LINE, line)
  const target = splitTarget(url)
  return method === undefined || !target ? undefined : { method, ...target }
})

/** RFC 9112 §3, with a target in origin form that has only characters of RFC 3986 §3.3 and §3.4. */
const REQUEST_LINE = /^(GET|HEAD) (\/[\w\-.~%!$&'()*+,;=:@/?]*) HTTP\/1\.1$/

/** Reads the fields. Removes the entity tag before the cache lookup, because clients send a different one for each address. */
function readFields(text: string): RequestHeaders | undefined {
  const tagAt = Math.max(text.indexOf(TAG_LINES[0]), text.indexOf(TAG_LINES[1]))
  if (tagAt === -1) return readSameFields(text)
  const valueAt = tagAt + TAG_LINES[0].length
  const end = text.indexOf('\r\n', valueAt)
  // Without an incomplete tag line, or one after the empty line, the rest would look complete.
  if (end === -1 || end > text.length - HEAD_END.length) return undefined
  const fields = readSameFields(text.slice(0, tagAt) + text.slice(end))
  if (!fields || fields['if-none-match'] !== undefined) return undefined
  const value = text.slice(valueAt, end)
  const tag = value.trim()
  return PRINTABLE.test(value) && !tag.startsWith(JWT_START) ? { ...fields, 'if-none-match': tag } : undefined
}

const TAG_LINES = ['\r\nIf-None-Match: ', '\r\nif-none-match: '] as const
const PRINTABLE = /^[\x20-\x7e]*$/

/** Lines that end with CRLF, then an empty line (RFC 9112 §2.1). Cached, because clients repeat their fields. */
const readSameFields = memoize(
  (text): RequestHeaders | undefined => {
    const lines = text.split('\r\n')
    // The text begins and ends with CRLF, and before its end is the empty line.
    const beforeFirst = lines.shift()
    const emptyLine = lines.at(-2)
    const afterLast = lines.at(-1)
    if (beforeFirst !== '' || emptyLine !== '' || afterLast !== '') return undefined
    const fields: PlainFields = { ...PLAIN_FIELDS }
    for (const line of lines.slice(0, -2)) if (!addField(fields, line)) return undefined
    return fields.host !== undefined && isHost(fields.host) ? fields : undefined
  },
  { maxEntries: 1024, maxLength: 3 << 10, keyOf: sampleOf },
)

/**
 * A number for a text, which others rarely have: tokens differ nearly everywhere. Node 24 hashes a long key of a map several
 * times more slowly than it compares two texts.
 */
function sampleOf(text: string): number {
  let sample = text.length
  for (let at = SAMPLE_STEP; at < text.length; at += SAMPLE_STEP) sample = Math.imul(sample, 31) + text.charCodeAt(at)
  return sample | 0
}

const SAMPLE_STEP = 16

/** Adds the field of a line, or ignores it. Returns false if only node:http can handle it. */
function addField(fields: PlainFields, line: string): boolean {
  if (!PRINTABLE.test(line)) return false
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).toLowerCase()
  const value = line.slice(colon + 1).trim()
  if (value.startsWith(JWT_START)) return false
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  if (!isPlainField(name)) return TOKEN.test(name) && !UNUSUAL.has(name) && !isOtherField(name)
  if (fields[name] !== undefined) return false
  fields[name] = value
  return true
}

/** The name of a field (RFC 9110 §5.1). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

type PlainFields = { [Field in PlainField]: string | undefined }

/** Fields that change how a connection or a request is read. */
const UNUSUAL: ReadonlySet<string> = new Set([
  'trailer',
  'te',
  'expect',
  'upgrade',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
])
