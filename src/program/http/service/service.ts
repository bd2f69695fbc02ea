import { pathInside } from '#brand/contract/place.ts'
import { type Match, refuseMethod } from '#brand/contract/route.ts'
import { receivedHost, refuseAtPage } from '#delivery/agents/answer.ts'
import { countMessages } from '#delivery/agents/protocol-message.ts'
import { perObject } from '#platform/base/object.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import { isOwnHost } from '#platform/exchange/ip-address.ts'
import { hasBearer, type Place, type Reply, type Request } from '#platform/exchange/message.ts'
import { json, redirect, text } from '#platform/exchange/reply.ts'
import { basePath, withoutBase } from '#platform/exchange/target.ts'
import type { Audit } from '#platform/telemetry/access-event.ts'
import { withinPublicLimit } from '#site/public-limit.ts'
import { withCors } from './cors.ts'
import {
  findOnSite,
  findRoute,
  findRouteWithoutHook,
  type HttpContext,
  isMonitoring,
  pathOfResource,
} from './routes.ts'

export type Service = (request: Request) => MaybePromise<Reply>

/** Answers requests at the public URL, and at the hosts of guides and workspaces, with the context that `contextAt` makes. */
export function makeService(context: HttpContext, contextAt: (place: Place) => HttpContext): Service {
  const { hosts, access } = context.service
  const own = serviceAt(context, basePath(access.publicUrl))
  const atPlaces = perObject((place: Place) => serviceAt(contextAt(place), ''))
  return request => {
    const { host } = request.headers
    const place = hosts.at(host)
    if (place) return atPlaces(place)({ ...request, place, path: pathInside(place, request.path) })
    if (isMonitoring(request.path) || hosts.isKnown(host)) return own(request)
    return refuseHost(access.record, request, UNKNOWN_HOST)
  }
}

/** Answers requests at one host, whose addresses begin with `base`. */
function serviceAt(context: HttpContext, base: string): Service {
  const { service: shared, site } = context
  const { publicUrl } = shared.access
  const origins = new Set(shared.settings.cors)
  const find = context.hook ? findRoute : findRouteWithoutHook
  const service = belowPath(base, request => {
    const match = find(pathOfResource(request.path, base))
    // Without the editor, its addresses are unknown ones, for all methods.
    const { route, ids } = match.route.who === 'writer' && !context.edit ? findOnSite(request.path) : match
    // Other OPTIONS get the reply that names the methods.
    const isForHandler = request.method !== 'OPTIONS' || route.hasOwnOptions
    if (site.place && route.isAtPublicUrl)
      return redirect(307, publicUrl + request.path + (request.query && `?${request.query}`))
    if (route.hasOwnMethods || (route.methods.includes(request.method) && isForHandler))
      return route.answer(context, request, ids)
    const refusal = refuseMethod(route.methods, request.method, publicUrl)
    // Agents that post to a page get the address for agents instead.
    return (route.name === 'page' && refuseAtPage(request, publicUrl, refusal.headers)) || refusal
  })
  const limited = (request: Request) => {
    const counted = shared.publicLimit ? countFor(find(withoutBase(request.path, base)), request) : 0
    if (counted === 0) return service(request)
    return withinPublicLimit(site, request, () => service(request), counted)
  }
  return request => andThen(limited(request), reply => withCors({ origins, base }, request, reply))
}

/** The number that the public limit counts for a request. A method that an address refuses counts as much as a page. */
function countFor({ route }: Match<HttpContext>, request: Request): number {
  const { method, query } = request
  if (method === 'OPTIONS') return 0
  if (route.limit === 'messages') return route.methods.includes(method) ? countMessages(request) : 1
  return route.limit === 'address' || (route.limit === 'query' && query !== '') ? 1 : 0
}

/**
 * Answers below the path of the public URL and at the root, because a proxy may forward either: with `base` `/brand`,
 * both `/brand/acme` and `/acme`. A path that is not found below is tried at the root, where `brand` is a workspace.
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

/** `/acme/-/pages`: a path that only a project has, without its id. Workspaces have only `/acme/-/logo` and `/acme/-/edit`. */
const NO_PROJECT = /^\/[^/]+\/-\/(?!(?:logo|edit)(?:\/|$))/

/** Only IP addresses, `localhost` and the own name: a hostile site may point its name here (DNS rebinding). */
export function withHostCheck(own: string, service: Service, record: Audit): Service {
  return request =>
    isOwnHost(request.headers.host, own) ? service(request) : refuseHost(record, request, FOREIGN_NAME)
}

function refuseHost(record: Audit, request: Request, why: string): Reply {
  record({ event: 'host-refused', status: 421, host: receivedHost(request), address: request.address })
  if (!hasBearer(request)) return text(`${why}\n`, { status: 421 })
  return json({ error: 'invalid_request', error_description: why }, { status: 421 })
}

const UNKNOWN_HOST =
  'This service does not answer at this host. Its operator can add it with `housestyle host add`, or let the proxy pass the Host of the public URL.'
const FOREIGN_NAME =
  'housestyle dev only answers at localhost and at IP addresses. To use another name, start it with --host and that name.'
