import type { HeaderList, Reply } from '#platform/exchange/message.ts'
import { STATUS_CODES } from '../node/node-http.ts'

/** The request to answer, and its connection's keep-alive time, which is undefined if the connection closes. */
export type PlainExchange = { method: string; requestId: string; keepAliveSeconds: number | undefined }

export function isPlain({ body }: Reply): boolean {
  return body === undefined || (body instanceof Uint8Array && body.length <= MAX_BYTES)
}

/** The size that the system usually accepts in one write. */
const MAX_BYTES = 128 << 10

/** A serialized reply: the head with one character per byte, and the body. */
export type PlainReply = { head: string; body: Uint8Array | undefined }

/** Serializes a reply (RFC 9112 §4). Throws if a field has a character that cannot be sent (RFC 9110 §5.5). */
export function plainReply(reply: Reply, exchange: PlainExchange): PlainReply {
  const { status, headers, hasOwnHeaders, added, body } = reply
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  head += hasOwnHeaders ? fieldLines(headers) : cachedLines(headers)
  if (added) head += fieldLines(added)
  const { method, requestId, keepAliveSeconds } = exchange
  head += `X-Request-Id: ${requestId}\r\n`
  const length = body?.length ?? (method === 'HEAD' || status === 204 || status === 304 ? undefined : 0)
  if (length !== undefined) head += `Content-Length: ${length}\r\n`
  const isLast = keepAliveSeconds === undefined
  const connection = isLast ? 'close' : `keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}`
  head += `Date: ${dateNow()}\r\nConnection: ${connection}\r\n\r\n`
  return { head, body: body instanceof Uint8Array && method !== 'HEAD' ? body : undefined }
}

/** The lines of a list that several replies from the response cache share. They are cached as long as the list exists. */
function cachedLines(headers: HeaderList): string {
  const cached = lineCache.get(headers)
  if (cached !== undefined) return cached
  const lines = fieldLines(headers)
  lineCache.set(headers, lines)
  return lines
}

const lineCache = new WeakMap<HeaderList, string>()

function fieldLines(headers: HeaderList): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]
    const value = headers[at + 1] ?? ''
    if (UNSENDABLE.test(value))
      throw new Error(`cannot send the reply field ${name}: its value has an invalid character`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

/** Control characters, except the tab, and characters beyond one byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** Returns the value of `Date` (RFC 9110 §5.6.7), which is made once per second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
  return date.text
}

let date = { second: 0, text: '' }
