/** A request as it was read. Nothing in it is checked yet. */
export type Request = {
  method: string
  /** The path of the request target as sent, still percent-encoded, without the query. */
  path: string
  /** What follows the first `?`; empty if there is none. */
  query: string
  headers: RequestHeaders
  /** The number of `Authorization` fields. More than one is refused, since programs differ in which of them counts. */
  authorizations: number
  /** The IP address of the client: of the connection, or the one that trusted proxies name. */
  address: string
  /** Whether the client reached a trusted proxy by https. */
  isHttps?: boolean
  /** Absent if none was sent; at most 64 KiB. */
  body?: Uint8Array
}

/** The header fields of requests that the service reads. It makes nothing of any other. */
export type RequestField =
  | 'accept'
  | 'accept-encoding'
  | 'access-control-request-method'
  | 'authorization'
  | 'content-length'
  | 'content-type'
  | 'cookie'
  | 'forwarded'
  | 'host'
  | 'if-match'
  | 'if-none-match'
  | 'if-range'
  | 'origin'
  | 'range'
  | 'traceparent'
  | 'tracestate'
  | 'transfer-encoding'
  | 'x-forwarded-for'
  | 'x-forwarded-proto'

/** Their values, repeated ones joined as RFC 9110 §5.3 says. */
export type RequestHeaders = Readonly<Partial<Record<RequestField, string | undefined>>>

export type Reply = {
  status: number
  headers: HeaderList
  /** Whether this list was made for this reply alone; the text of any other is kept, as it may go out again. */
  hasOwnHeaders?: boolean | undefined
  /** Fields that this exchange alone has, as what is left of a limit. */
  added?: HeaderList
  body: Uint8Array | StreamedBody | undefined
}

/**
 * Names and values in turn, as node:http takes them without copying: `['content-type', 'text/plain', 'etag', '"x"']`.
 */
export type HeaderList = readonly string[]

/** A body that is read while it is sent. */
export type StreamedBody = {
  /** bytes; undefined if the length is known only at the end */
  length: number | undefined
  /** Waits until the body may be sent, or gives the reply to send instead. The signal aborts when the client leaves. */
  admit?: (gone: AbortSignal) => Promise<Reply | undefined>
  /**
   * The rate that applies now: clients that read more slowly are dropped. If absent, only clients that read nothing for a
   * long time are.
   */
  minRate?: () => MinRate
  /**
   * Reads the bytes. A chunk is valid until the next one is asked for. Ending the generator closes what it has open.
   * The signal aborts when the client leaves.
   */
  chunks: (gone: AbortSignal) => AsyncGenerator<Uint8Array>
}

/** At least this number of bytes in any period of this number of milliseconds. */
export type MinRate = { bytes: number; milliseconds: number }

/** Whether a request sends a bearer token, or means to (RFC 6750 §2.1): it comes from a program. */
export function hasBearer({ headers }: Pick<Request, 'headers'>): boolean {
  return /^bearer(?: |$)/i.test(headers.authorization ?? '')
}

/** The first value of a header field of a reply, by its lower-case name. */
export function replyHeader(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1]
  return undefined
}

/** The reply with more header fields. */
export function withHeaders({ status, headers, hasOwnHeaders, added, body }: Reply, more: HeaderList): Reply {
  return { status, headers, hasOwnHeaders, added: added ? [...added, ...more] : more, body }
}

/** All header fields of a reply. */
export function headersOf({ headers, added }: Pick<Reply, 'headers' | 'added'>): HeaderList {
  return added ? [...headers, ...added] : headers
}
