/** A request as a value, as it was read: nothing in it is checked yet. */
export type Request = {
  method: string
  /** The path of the request target as sent, percent-encoding and all, without the query. */
  path: string
  /** What follows the first `?`, or empty. */
  query: string
  headers: RequestHeaders
  /** How many `Authorization` fields were sent: more than one is refused, since readers differ in which one counts. */
  authorizations: number
  /** The client's IP address: that of the connection or, behind trusted proxies, the one that they name. */
  address: string
  /** Whether a trusted proxy was asked by https. */
  isHttps?: boolean
  /** Absent if none was sent; at most 64 KiB. */
  body?: Uint8Array
}

/** Header fields by lower-case name, repeated ones joined as RFC 9110 §5.3 says. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A reply as a value. */
export type Reply = {
  status: number
  /** Field names and values in turn, as node:http takes them without copying. */
  headers: HeaderList
  body: Uint8Array | Streamed | undefined
}

/** Names and values in turn: `['content-type', 'text/plain', 'etag', '"x"']`. */
export type HeaderList = readonly string[]

/** A body that is read as it is sent. */
export type Streamed = {
  /** In bytes; undefined if it is not known before the body ends. */
  length: number | undefined
  /**
   * Waits until the body may be sent, or gives the reply to send instead. The signal says that the client has gone.
   */
  admit?: (gone: AbortSignal) => Promise<Reply | undefined>
  /** Clients that read more slowly are dropped; without it, only those that read nothing for long. */
  leastRate?: LeastRate
  /**
   * Reads the bytes. A chunk is good until the next is asked for; ending the generator closes what it has open. The
   * signal says that the client has gone.
   */
  chunks: (gone: AbortSignal) => AsyncGenerator<Uint8Array>
}

/** At least so many bytes in any period of so many milliseconds. */
export type LeastRate = { bytes: number; milliseconds: number }

/** The value of a request's header field; undefined if it was not sent, or as several values. */
export function requestHeader(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The first value of a reply's header field, by its lower-case name. */
export function replyHeader(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1]
  return undefined
}

/** A reply with further header fields. */
export function withHeaders({ status, headers, body }: Reply, more: HeaderList): Reply {
  return { status, headers: [...headers, ...more], body }
}
