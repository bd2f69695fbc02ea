import type { CorsFields } from '../../contract/route.ts'
import { type HeaderList, type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { corsAt } from './routes.ts'

/** The parts of a request that decide who may read its reply. */
export type CorsRequest = Pick<Request, 'path'> & {
  method?: string | undefined
  headers: Readonly<{ origin?: string | undefined; 'access-control-request-method'?: string | undefined }>
}

/** Lets pages of these origins read a reply, also an error, which says why and when to try again. */
export function withCors(
  { origins, base }: { origins: ReadonlySet<string>; base: string },
  request: CorsRequest,
  reply: Reply,
): Reply {
  if (origins.size === 0) return reply
  const fields = corsAt(request.path, base)
  return fields ? withHeaders(reply, corsHeaders(origins, fields, request)) : reply
}

function corsHeaders(
  origins: ReadonlySet<string>,
  { sent, read, methods = 'GET, HEAD' }: CorsFields,
  { method, headers }: CorsRequest,
): HeaderList {
  const { origin } = headers
  if (origin === undefined || !origins.has(origin)) return ['Vary', 'Origin']
  const allowed = ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin]
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  if (!isPreflight) return [...allowed, 'Access-Control-Expose-Headers', read]
  const preflight = ['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', sent]
  return [...allowed, ...preflight, 'Access-Control-Max-Age', '600']
}
