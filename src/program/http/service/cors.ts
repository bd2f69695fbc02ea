import { corsHeaders } from '#brand/contract/route.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import type { RequestHeaders } from '#platform/exchange/request-fields.ts'
import { corsAt } from './routes.ts'

/** The parts of a request that decide who may read its reply. */
type CorsRequest = Pick<Request, 'path'> &
  Partial<Pick<Request, 'method'>> & {
    headers: Pick<RequestHeaders, 'origin' | 'host' | 'access-control-request-method'>
  }

type CorsOptions = {
  /** The allowed origins. */
  origins: ReadonlySet<string>
  /** The path of the public URL. */
  base: string
  /** Gives the path below the service of one at the host of a guide. Default: the path as it is. */
  inside?: (path: string, host: string | undefined) => string
}

/**
 * Lets pages of these origins read a reply, also an error, which says why and when to try again. A reply that pages of
 * every origin may read is left unchanged.
 */
export function withCors(
  { origins, base, inside = path => path }: CorsOptions,
  request: CorsRequest,
  reply: Reply,
): Reply {
  if (origins.size === 0) return reply
  const fields = corsAt(inside(request.path, request.headers.host), base)
  const { added = [] } = reply
  if (!fields || added.includes('Access-Control-Allow-Origin')) return reply
  const { origin = '', 'access-control-request-method': asked } = request.headers
  const isPreflight = request.method === 'OPTIONS' && asked !== undefined
  const allowed = origins.has(origin) ? corsHeaders(origin, fields, isPreflight) : []
  return withHeaders(reply, ['Vary', 'Origin', ...allowed])
}
