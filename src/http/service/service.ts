import { countMessages } from '../../agents/protocol-message.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { type CorsFields, type Match, refuseMethod } from '../../contract/route.ts'
import { isOwnHost } from '../../exchange/ip-address.ts'
import { type HeaderList, hasBearer, type Reply, type Request, withHeaders } from '../../exchange/message.ts'
import { json, text } from '../../exchange/reply.ts'
import { basePath, withoutBase } from '../../exchange/target.ts'
import { type PublicLimit, withinPublicLimit } from '../../site/public-limit.ts'
import { findRoute, findRouteWithoutHook, type ServiceContext } from './routes.ts'

/** The whole service as a function from requests to replies, without a socket. */
export type Service = (request: Request) => MaybePromise<Reply>

type Options = {
  /** Undefined if pages and searches have no limit. */
  publicLimit: PublicLimit | undefined
  /** Origins that may read the API and files from a browser. */
  origins: ReadonlySet<string>
}

/** Makes the service, which answers every address of `ROUTES`. */
export function makeService(context: ServiceContext, { publicLimit, origins }: Options): Service {
  const { publicUrl } = context.site
  const base = basePath(publicUrl)
  const find = context.hook ? findRoute : findRouteWithoutHook
  const service = belowPath(base, request => {
    const { route, ids } = find(pathOfResource(request.path, base))
    const answer = () =>
      route.hasOwnMethods || (route.methods.includes(request.method) && request.method !== 'OPTIONS')
        ? route.answer(context, request, ids)
        : refuseMethod(route.methods, request.method, publicUrl)
    return route.cors ? withCors(origins, route.cors, request, answer) : answer()
  })
  if (!publicLimit) return service
  return request => {
    const counted = countFor(find(withoutBase(request.path, base)), request)
    return counted === 0 ? service(request) : withinPublicLimit(publicLimit, request, () => service(request), counted)
  }
}

/** Lets pages of these origins read a reply (CORS in the Fetch standard); without origins, it changes nothing. */
function withCors(
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

/** The number that the public limit counts for a request. A method that an address refuses counts as much as a page. */
function countFor({ route }: Match<ServiceContext>, request: Request): number {
  const { method, query } = request
  if (method === 'OPTIONS') return 0
  if (route.limit === 'messages') return route.methods.includes(method) ? countMessages(request) : 1
  return route.limit === 'address' || (route.limit === 'query' && query !== '') ? 1 : 0
}

/**
 * The path of metadata without the path of the public URL, which follows the well-known name (RFC 8414 §3.1, RFC
 * 9728 §3.1).
 */
function pathOfResource(path: string, base: string): string {
  const name = base !== '' && WELL_KNOWN.exec(path)?.[0]
  return name && path.startsWith(name + base) ? name + path.slice(name.length + base.length) : path
}

const WELL_KNOWN = /^\/\.well-known\/oauth-(?:authorization-server|protected-resource)/

/**
 * Makes a service whose public URL has a path answer below that path and at its own root, because a proxy may forward
 * either. If nothing exists below the path, its first segment is read as a workspace id.
 */
function belowPath(base: string, service: Service): Service {
  if (base === '') return service
  return request => {
    const { path } = request
    const below = path === base ? '/' : withoutBase(path, base)
    if (below === path || NO_PROJECT.test(below)) return service(request)
    return andThen(service({ ...request, path: below }), reply => {
      if (reply.status !== 404) return reply
      return andThen(service(request), other => (other.status === 404 ? reply : other))
    })
  }
}

/** A path without an id where that of a project should be. Workspaces have only a logo and an editor. */
const NO_PROJECT = /^\/[^/]+\/-\/(?!(?:logo|edit)(?:\/|$))/

/**
 * Restricts a service to IP addresses, `localhost`, and the name that it listens on. A hostile site could point its own
 * name at this machine to read the content (DNS rebinding).
 */
export function withHostCheck(own: string, service: Service): Service {
  return request => (isOwnHost(request.headers.host, own) ? service(request) : refuseHost(request))
}

function refuseHost(request: Request): Reply {
  if (!hasBearer(request)) return text(`${MISDIRECTED}\n`, { status: 421 })
  return json({ error: 'invalid_request', error_description: MISDIRECTED }, { status: 421 })
}

const MISDIRECTED =
  'housestyle dev only answers at localhost and at IP addresses. To use another name, start it with --host and that name.'
