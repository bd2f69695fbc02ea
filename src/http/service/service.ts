import { type AgentsContext, answerAgents, answerGuideAgents } from '../../agents/answer.ts'
import { AGENTS_PATH } from '../../agents/metadata.ts'
import { countMessages } from '../../agents/protocol-message.ts'
import { type ApiParts, answer } from '../../api/answer.ts'
import { answerTokenRequest, type TokenEndpointParts } from '../../api/token-endpoint.ts'
import { grantTypeOf } from '../../api/token-form.ts'
import { andThen, type MaybePromise } from '../../base/promise.ts'
import { answerMethod, isApiPath, METHODS } from '../../contract/route.ts'
import { answerEvents, type EventParts, isStreamPath } from '../../events/streams/answer.ts'
import type { Reply, Request } from '../../exchange/message.ts'
import { noContent } from '../../exchange/reply.ts'
import { basePath, decodeSegments, withoutBase } from '../../exchange/target.ts'
import { HOOK_PATH } from '../../git/follow/hook.ts'
import { answerAgentSignin, isAgentGrant, isAgentSigninPath } from '../../signin/agents/agent-signin.ts'
import { answerExchange } from '../../signin/agents/token.ts'
import type { SigninContext } from '../../signin/context.ts'
import { answerPeople, isSigninPath } from '../../signin/people/answer.ts'
import { answerSite } from '../../site/answer.ts'
import { type PublicLimit, withinPublicLimit } from '../../site/public-limit.ts'
import type { SiteParts } from '../../site/site-parts.ts'
import { requestKind } from '../request-kind.ts'
import { AGENT_FIELDS, API_FIELDS, EVENT_FIELDS, FILE_FIELDS, withCors } from './cors.ts'
import { guideMetadata, type ServiceRoutes } from './service-routes.ts'

/** The whole service as a function from requests to replies, without a socket. */
export type Service = (request: Request) => MaybePromise<Reply>

/** The parts of the service. */
export type ServiceParts = {
  api: ApiParts
  site: SiteParts
  agents: AgentsContext
  signin: SigninContext
  events: EventParts
  tokens: TokenEndpointParts
  own: ServiceRoutes
  /** Answers webhooks of git hosts; absent if the service follows no repository. */
  hook?: ((request: Request) => Promise<Reply>) | undefined
  /** Undefined if pages and searches have no limit. */
  publicLimit: PublicLimit | undefined
  /** Origins that may read the API and files from a browser. */
  origins: ReadonlySet<string>
}

/** The paths of project files. Pages of other origins may use them too, especially fonts. */
const FILE_LINK = /^\/[^/]+\/[^/]+\/-\/files\//

/** The address for agents of one guide. */
const GUIDE_AGENTS = /^\/[^/]+\/[^/]+\/-\/mcp$/

/**
 * Makes the service: the API below `/beta` and, for a revision, below `/revision/{n}/beta`; event streams; the addresses
 * for agents; the service's own pages; and the website at all other paths.
 */
export function makeService(parts: ServiceParts): Service {
  const api = withCors(parts.origins, API_FIELDS, request => answer(parts.api, request))
  const site = (request: Request) => answerSite(parts.site, request)
  const fileLinks = withCors(parts.origins, FILE_FIELDS, site)
  const agents = withCors(parts.origins, AGENT_FIELDS, request => {
    if (request.path === AGENTS_PATH) return answerAgents(parts.agents, request)
    const [workspace = '', project = ''] = decodeSegments(request.path) ?? []
    return answerGuideAgents(parts.agents, request, { workspace, project })
  })
  const events = withCors(parts.origins, EVENT_FIELDS, request => answerEvents(parts.events, request))
  const base = basePath(parts.api.publicUrl)
  const service = belowPath(base, request => {
    const { path } = request
    if (isApiPath(path)) return api(request)
    if (path === AGENTS_PATH || GUIDE_AGENTS.test(path)) return agents(request)
    if (isStreamPath(path)) return events(request)
    if (path === '/oauth/token')
      return isAgentGrant(grantTypeOf(request))
        ? answerExchange(parts.signin, request)
        : answerTokenRequest(parts.tokens, request)
    if (isSigninPath(path)) return answerPeople(parts.signin, request)
    if (isAgentSigninPath(path)) return answerAgentSignin(parts.signin, request)
    if (path === HOOK_PATH && parts.hook) return parts.hook(request)
    const own = Object.hasOwn(parts.own, path) ? parts.own[path] : guideMetadata(parts.api.publicUrl, path)
    if (own) return answerMethod(request.method, parts.api.publicUrl) ?? own()
    if (path === '*') return noContent(['Allow', METHODS])
    return FILE_LINK.test(path) ? fileLinks(request) : site(request)
  })
  const { publicLimit } = parts
  if (!publicLimit) return service
  return request => {
    const counted = countFor(request, base)
    return counted === 0 ? service(request) : withinPublicLimit(publicLimit, request, () => service(request), counted)
  }
}

/**
 * The number that the public limit counts for a request: 1 for sign-ins, pages, including missing ones, their Markdown,
 * searches and the pages that connect an agent, and the number of messages of an agent to a guide. Files, archives,
 * exports, style sheets, scripts and root files for programs such as `/robots.txt` do not count, and neither do methods
 * that pages refuse. A style sheet with a query counts, because any number of queries exist.
 */
function countFor(request: Request, base: string): number {
  const { method, path, query } = request
  const kind = requestKind(path, base)
  const isSignin = kind === 'authorization' || kind === 'signin'
  if (method === 'POST' && GUIDE_AGENTS.test(withoutBase(path, base))) return countMessages(request)
  if (method === 'POST') return isSignin ? 1 : 0
  if (method !== 'GET' && method !== 'HEAD') return 0
  return isSignin || kind === 'search' || (kind === 'page' && !isForProgram(path, query)) ? 1 : 0
}

function isForProgram(path: string, query: string): boolean {
  return /^\/[^/]*\.[^/]*$/.test(path) || (path.endsWith('.css') && query === '')
}

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

/** A path without an id where that of a project should be. */
const NO_PROJECT = /^\/[^/]+\/-\//
