import type { HeaderList, Reply } from '../../exchange/message.ts'
import { STATUS_CODES } from '../node/node-http.ts'

/** The request that a reply is for, and how long its connection is kept for another one; undefined if it closes. */
export type PlainExchange = { method: string; requestId: string; keepAliveSeconds: number | undefined }

/** Whether a reply is in memory and not long, so that it can be sent at once. */
export function isPlain({ body }: Reply): boolean {
  return body === undefined || (body instanceof Uint8Array && body.length <= MAX_BYTES)
}

/** What the system mostly takes at once. */
const MAX_BYTES = 128 << 10

/** A reply as it is sent: the head, each byte as one character, and the body. */
export type PlainReply = { head: string; body: Uint8Array | undefined }

/**
 * Writes a reply (RFC 9112 §4). Throws if a field has a character that could end it, or cannot be sent (RFC 9110 §5.5).
 */
export function plainReply(reply: Reply, exchange: PlainExchange): PlainReply {
  const { status, headers, hasOwnHeaders, added, body } = reply
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  head += hasOwnHeaders ? fieldLines(headers) : keptLines(headers)
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

/** The text of a list that replies from the response cache share, which is kept for as long as the list is. */
function keptLines(headers: HeaderList): string {
  const known = kept.get(headers)
  if (known !== undefined) return known
  const lines = fieldLines(headers)
  kept.set(headers, lines)
  return lines
}

const kept = new WeakMap<HeaderList, string>()

function fieldLines(headers: HeaderList): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value = ''] = [headers[at], headers[at + 1]]
    if (UNSENDABLE.test(value)) throw new Error(`the field ${name} of a reply cannot be sent`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** The time as `Date` has it (RFC 9110 §5.6.7), which is made once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
  return date.text
}

let date = { second: 0, text: '' }
