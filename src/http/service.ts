import { type ApiParts, answer } from '../api/answer.ts'
import { answerTokenRequest, type TokenEndpointParts } from '../api/token-endpoint.ts'
import type { MaybePromise } from '../base/promise.ts'
import { answerMethod, METHODS } from '../contract/methods.ts'
import { API_PATH } from '../contract/operations.ts'
import { type Router, route, routeRevision } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { noContent } from '../exchange/reply.ts'
import { answerSite, type SiteParts } from '../site/answer.ts'
import { API_FIELDS, FILE_FIELDS, withCors } from './cors.ts'
import type { ServiceRoutes } from './service-routes.ts'

/** A function from requests to replies: the whole service without a socket. */
export type Service = (request: Request) => MaybePromise<Reply>

/** What the service is made of. */
export type ServiceParts = {
  api: ApiParts
  site: SiteParts
  tokens: TokenEndpointParts
  own: ServiceRoutes
  /** Origins that may read the API and files from a browser. */
  origins: ReadonlySet<string>
}

/** Where the files of projects stand: pages of other origins may use them as well, fonts above all. */
const FILE_LINK = /^\/[^/]+\/[^/]+\/-\/files\//

/** The path below which the API stands once more for each revision. */
const REVISIONS = '/revision'

/**
 * Makes the service: the API below `/beta` and, at a revision, below `/revision/{n}/beta`; the service's own pages; and
 * the website everywhere else.
 */
export function makeService(parts: ServiceParts): Service {
  const below = (start: string, router: Router) =>
    withCors(parts.origins, API_FIELDS, request => answer(parts.api, request, request.path.slice(start.length), router))
  const api = below(API_PATH, route)
  const revisions = below(REVISIONS, routeRevision)
  const site = (request: Request) => answerSite(parts.site, request)
  const fileLinks = withCors(parts.origins, FILE_FIELDS, site)
  return request => {
    const { path } = request
    if (path.startsWith(`${API_PATH}/`)) return api(request)
    if (path.startsWith('/revision/')) return revisions(request)
    if (path === '/oauth/token') return answerTokenRequest(parts.tokens, request)
    const own = Object.hasOwn(parts.own, path) ? parts.own[path] : undefined
    if (own) return answerMethod(request.method, parts.api.publicUrl) ?? own()
    if (path === '*') return noContent(['Allow', METHODS])
    return FILE_LINK.test(path) ? fileLinks(request) : site(request)
  }
}
