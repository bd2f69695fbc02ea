import type { RequestHeaders } from './request-fields.ts'

/** A host at whose root the addresses of a workspace or of a guide begin. */
export type Place = {
  host: string
  /** Its address without a slash: `https://brand.acme.com`. */
  url: string
  /** The path of its target below the service: `/acme/guidelines`. */
  root: string
  workspace: string
  project?: string | undefined
}

/** A request as received. None of it is validated yet. */
export type Request = {
  method: string
  /** The path of the request target as sent, still percent-encoded, without the query. */
  path: string
  /** The part after the first `?`; empty if absent. */
  query: string
  headers: RequestHeaders
  /**
   * The fields whose value begins like a JSON Web Token, by name in lower case. Absent if there are none. A repeated
   * one is empty, because proxies differ in which one they replace.
   */
  assertions?: ReadonlyMap<string, string>
  /** The number of `Authorization` fields. More than one is refused, because programs differ in which one they use. */
  authorizations: number
  /** The host of a guide or a workspace at which it arrived; absent at the public URL. Its path is below the service. */
  place?: Place
  /** The client's IP address: of the connection, or from trusted proxies. */
  address: string
  /** Whether the client reached a trusted proxy by https. */
  isHttps?: boolean
  /** Absent if none was sent; at most 64 KiB at most addresses. */
  body?: Uint8Array
  /** The body while it arrives, at addresses that check the sender before they read it; absent if none was sent. */
  upload?: AsyncIterable<Uint8Array>
  /** The digest of a body that was not kept. */
  bodyDigest?: string
}

/** Computes the digest of a body that is not kept, and may therefore be larger than others. */
export type BodyDigest = { update: (chunk: Uint8Array) => void; digest: () => string }

/** Returns the digest of a request's body if only that is needed. */
export type DigestFor = (request: Request) => BodyDigest | undefined

export type Reply = {
  status: number
  headers: HeaderList
  /** Whether this list belongs only to this reply. The serialized form of a shared list is cached for reuse. */
  hasOwnHeaders?: boolean | undefined
  /** Fields for only this exchange, such as the remaining limit. */
  added?: HeaderList
  body: Uint8Array | StreamedBody | undefined
}

/** Alternating names and values, which node:http accepts without copying: `['etag', '"x"', …]`. */
export type HeaderList = readonly string[]

/** A body that is read during sending. */
export type StreamedBody = {
  /** Length in bytes; undefined if unknown until the end. */
  length: number | undefined
  /** Whether it is an event stream, whose request counts as answered once it begins. */
  isEndless?: boolean
  /** Waits until the body may be sent, or returns a reply to send instead. `gone` aborts if the client leaves. */
  admit?: (gone: AbortSignal) => Promise<Reply | undefined>
  /** The minimum rate now; slower clients are dropped. If absent, only clients that read nothing for long. */
  minRate?: () => MinRate
  /**
   * Reads the bytes. A chunk is valid until the next one is requested. Ending the generator closes its resources. The
   * signal aborts when the client disconnects.
   */
  chunks: (gone: AbortSignal) => AsyncGenerator<Uint8Array>
}

/** A minimum number of bytes in any period of this many milliseconds. */
export type MinRate = { bytes: number; milliseconds: number }

/** Whether a request sends or intends a bearer token (RFC 6750 §2.1), and so comes from a program. */
export function hasBearer({ headers }: Pick<Request, 'headers'>): boolean {
  return /^bearer(?: |$)/i.test(headers.authorization ?? '')
}

/** Returns the first value of a reply header field, by lower-case name. */
export function replyHeader(headers: HeaderList, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return headers[at + 1]
  return undefined
}

export function withHeaders({ status, headers, hasOwnHeaders, added, body }: Reply, more: HeaderList): Reply {
  return { status, headers, hasOwnHeaders, added: added ? [...added, ...more] : more, body }
}

/** A reply with these fields, which replace those of the same names. */
export function withReplaced(reply: Reply, fields: HeaderList): Reply {
  const kept = reply.headers.filter((_, at) => {
    const name = reply.headers[at - (at % 2)]?.toLowerCase() ?? ''
    return replyHeader(fields, name) === undefined
  })
  return { ...reply, headers: [...kept, ...fields], hasOwnHeaders: true }
}

export function headersOf({ headers, added }: Pick<Reply, 'headers' | 'added'>): HeaderList {
  return added ? [...headers, ...added] : headers
}

/**
 * Returns the first values of a cookie. Another site of the domain may set a cookie with the same name (RFC 6265
 * §4.2.1); browsers send the one for the longest path first (§5.4). Because each value costs a signature, only a few
 * are read, and none from an overlong field.
 */
export function cookieValues(cookies: string, name: string): string[] {
  if (cookies.length > MAX_FIELD_LENGTH) return []
  const pairs = cookies.split(';', MAX_COOKIES).map(pair => pair.trim())
  const values = pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1))
  return values.slice(0, MAX_VALUES)
}

const MAX_FIELD_LENGTH = 8192
const MAX_COOKIES = 100
const MAX_VALUES = 4
