/** A request as a value: what the edge has read, before anything is believed of it. */
export type Request = {
  method: string
  /** The path of the request target as sent, percent-encoding and all, without the query. */
  path: string
  /** What follows the first `?`, or empty. */
  query: string
  headers: RequestHeaders
  /** How many `Authorization` fields were sent: more than one is refused, since readers differ in which one counts. */
  authorizations: number
  /** The address that the connection comes from; behind proxies that are trusted, that of the client. */
  address: string
  /** Whether a proxy that is trusted was asked by https. */
  isHttps?: boolean
  /** Absent where none was sent; at most 64 KiB. */
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
  /** bytes; undefined where it is not known, and the body ends when it does */
  length: number | undefined
  /**
   * Where it has to wait until it may be sent: ends when it may, or with the reply that is sent instead. The signal says
   * that nobody is there any more.
   */
  admit?: (gone: AbortSignal) => Promise<Reply | undefined>
  /** Clients that read less are dropped; without it, those alone that read nothing for long. */
  leastRate?: LeastRate
  /**
   * Reads the bytes. A chunk is good until the next is asked for; ending the generator closes what it has open. The
   * signal says that nobody is there any more, to those that would wait for long.
   */
  chunks: (gone: AbortSignal) => AsyncGenerator<Uint8Array>
}

/** So many bytes in any so many milliseconds. */
export type LeastRate = { bytes: number; milliseconds: number }

/** The value of a request's header where it was sent once. */
export function requestHeader(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The first value of a reply's header, by lower-case name. */
export function replyHeader(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1]
  return undefined
}

/** A reply with further header fields. */
export function withHeaders({ status, headers, body }: Reply, more: HeaderList): Reply {
  return { status, headers: [...headers, ...more], body }
}
