import { andThen, type MaybePromise } from '../../base/promise.ts'
import type { CorsFields } from '../../contract/route.ts'
import { type HeaderList, type Reply, type Request, withHeaders } from '../../exchange/message.ts'

/** Lets pages of these origins read a reply (CORS in the Fetch standard); without origins, it changes nothing. */
export function withCors(
  origins: ReadonlySet<string>,
  fields: CorsFields,
  request: Request,
  answer: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  if (origins.size === 0) return answer()
  return andThen(answer(), reply => withHeaders(reply, corsHeaders(origins, fields, request)))
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
