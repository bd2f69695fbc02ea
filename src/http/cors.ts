import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type HeaderList, type Reply, type Request, requestHeader, withHeaders } from '../exchange/message.ts'

/** Lets pages of these origins read replies (the Fetch standard's CORS protocol); without origins, changes nothing. */
export function withCors(
  origins: ReadonlySet<string>,
  serve: (request: Request) => MaybePromise<Reply>,
): (request: Request) => MaybePromise<Reply> {
  if (origins.size === 0) return serve
  return request => {
    const headers = corsHeaders(origins, request)
    const reply = serve(request)
    return reply instanceof Promise ? reply.then(each => withHeaders(each, headers)) : withHeaders(reply, headers)
  }
}

const EXPOSED = 'ETag, Retry-After, RateLimit, RateLimit-Policy, Housestyle-Revision'
const PREFLIGHT = [
  ...['Access-Control-Allow-Methods', 'GET, HEAD'],
  ...['Access-Control-Allow-Headers', 'Authorization, If-None-Match'],
  ...['Access-Control-Max-Age', '600'],
] as const

function corsHeaders(origins: ReadonlySet<string>, { method, headers }: Request): HeaderList {
  const origin = requestHeader(headers, 'origin')
  if (origin === undefined || !origins.has(origin)) return ['Vary', 'Origin']
  const allowed = ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin]
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
  return isPreflight ? [...allowed, ...PREFLIGHT] : [...allowed, 'Access-Control-Expose-Headers', EXPOSED]
}
