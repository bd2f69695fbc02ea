import { andThen, type MaybePromise } from '../../base/promise.ts'
import { type HeaderList, type Reply, type Request, withHeaders } from '../../exchange/message.ts'

/** The header fields that pages of other origins may send, and the reply fields that they may read. */
export type CorsFields = { sent: string; read: string; methods?: string }

/** The fields of the API. */
export const API_FIELDS: CorsFields = {
  sent: 'Authorization, If-None-Match',
  read: 'ETag, Retry-After, RateLimit, RateLimit-Policy, Housestyle-Revision, X-Request-Id',
}

/** The fields of event streams. */
export const EVENT_FIELDS: CorsFields = {
  sent: 'Authorization, Last-Event-ID',
  read: 'Retry-After, RateLimit, RateLimit-Policy',
}

/** The fields of the addresses for agents. */
export const AGENT_FIELDS: CorsFields = {
  methods: 'POST',
  sent: 'Authorization, Content-Type, Mcp-Method, Mcp-Name, MCP-Protocol-Version',
  read: 'Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
}

/** The fields of file links. */
export const FILE_FIELDS: CorsFields = {
  sent: 'If-None-Match, If-Range, Range',
  read: 'ETag, Accept-Ranges, Content-Disposition, Content-Length, Content-Range',
}

/** Lets pages of these origins read replies (CORS in the Fetch standard); without origins, it changes nothing. */
export function withCors(
  origins: ReadonlySet<string>,
  fields: CorsFields,
  serve: (request: Request) => MaybePromise<Reply>,
): (request: Request) => MaybePromise<Reply> {
  if (origins.size === 0) return serve
  return request => {
    const headers = corsHeaders(origins, fields, request)
    return andThen(serve(request), reply => withHeaders(reply, headers))
  }
}

function corsHeaders(
  origins: ReadonlySet<string>,
  { sent, read, methods = 'GET, HEAD' }: CorsFields,
  { method, headers }: Request,
): HeaderList {
  const origin = headers.origin
  if (origin === undefined || !origins.has(origin)) return ['Vary', 'Origin']
  const allowed = ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin]
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  if (!isPreflight) return [...allowed, 'Access-Control-Expose-Headers', read]
  const preflight = ['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', sent]
  return [...allowed, ...preflight, 'Access-Control-Max-Age', '600']
}
