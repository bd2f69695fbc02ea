import { type ApiParts, answer } from '../../api/answer.ts'
import { answerTokenRequest, type TokenEndpointParts } from '../../api/token-endpoint.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { answerMethod, isApiPath, METHODS } from '../../contract/route.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { noContent } from '../../exchange/reply.ts'
import { basePath, withoutBase } from '../../exchange/target.ts'
import { answerSite } from '../../site/answer.ts'
import { type PublicLimit, withinPublicLimit } from '../../site/public-limit.ts'
import type { SiteParts } from '../../site/site-parts.ts'
import { requestKind } from '../request-kind.ts'
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
  /** Undefined if pages and searches are not limited. */
  publicLimit: PublicLimit | undefined
  /** Origins that may read the API and files from a browser. */
  origins: ReadonlySet<string>
}

/** The paths of project files. Pages of other origins may use them too, fonts above all. */
const FILE_LINK = /^\/[^/]+\/[^/]+\/-\/files\//

/**
 * Makes the service: the API below `/beta` and, at a revision, below `/revision/{n}/beta`; the service's own pages; and
 * the website everywhere else.
 */
export function makeService(parts: ServiceParts): Service {
  const api = withCors(parts.origins, API_FIELDS, request => answer(parts.api, request))
  const site = (request: Request) => answerSite(parts.site, request)
  const fileLinks = withCors(parts.origins, FILE_FIELDS, site)
  const base = basePath(parts.api.publicUrl)
  const service = belowPath(base, request => {
    const { path } = request
    if (isApiPath(path)) return api(request)
    if (path === '/oauth/token') return answerTokenRequest(parts.tokens, request)
    const own = Object.hasOwn(parts.own, path) ? parts.own[path] : undefined
    if (own) return answerMethod(request.method, parts.api.publicUrl) ?? own()
    if (path === '*') return noContent(['Allow', METHODS])
    return FILE_LINK.test(path) ? fileLinks(request) : site(request)
  })
  const { publicLimit } = parts
  if (!publicLimit) return service
  const limited = (request: Request) => withinPublicLimit(publicLimit, request, () => service(request))
  return request => (isForPage(request, base) ? limited(request) : service(request))
}

/**
 * Whether the public limit counts a request: for a page, also one that is not there, and its Markdown, and for a search.
 * Files, archives, exports, style sheets, scripts and what programs read at the root, as `/robots.txt`, do not count.
 */
function isForPage({ method, path }: Request, base: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const kind = requestKind(path, base)
  return kind === 'search' || (kind === 'page' && !NO_PAGE.test(path))
}

const NO_PAGE = /^\/[^/]*\.[^/]*$|\.css$/

/**
 * Has a service whose public URL has a path answer below that path as well as at its own root, whichever of the two a
 * proxy sends on. Where there is nothing below the path, it is taken for the id of a workspace.
 */
function belowPath(base: string, service: Service): Service {
  if (base === '') return service
  return request => {
    const { path } = request
    const below = path === base ? '/' : withoutBase(path, base)
    if (below === path) return service(request)
    return andThen(service({ ...request, path: below }), reply => {
      if (reply.status !== 404) return reply
      return andThen(service(request), other => (other.status === 404 ? reply : other))
    })
  }
}
