import {
  type CorsFields,
  type HiddenRoute,
  MAX_BODY,
  type Match,
  OAUTH_FIELDS,
  POST,
  READ,
  type Route,
  routeFinder,
} from '#brand/contract/route.ts'
import { AGENT_ROUTES, type AgentsContext } from '#delivery/agents/answer.ts'
import {
  AGENTS_PATH,
  AGENTS_WITH_SLASH,
  guideMetadata,
  METADATA_PATH,
  resourceMetadata,
} from '#delivery/agents/metadata.ts'
import { API_ROUTES } from '#delivery/api/answer.ts'
import { answerTokenRequest, grantTypeOf } from '#delivery/api/token-endpoint.ts'
import { EVENT_ROUTES } from '#delivery/events/streams/answer.ts'
import type { EventStreams } from '#delivery/events/streams/streams.ts'
import type { Editor } from '#people/editor/edit/context.ts'
import { EDIT_ROUTES } from '#people/editor/routes.ts'
import type { ManageContext } from '#people/manage/context.ts'
import { replyOrRefusal } from '#people/manage/refused-request.ts'
import { MANAGE_ROUTES } from '#people/manage/routes.ts'
import { AGENT_SIGNIN_ROUTES } from '#people/signin/agents/agent-signin.ts'
import { serverMetadata } from '#people/signin/agents/server/server-metadata.ts'
import { answerExchange } from '#people/signin/agents/token.ts'
import type { SigninContext } from '#people/signin/context.ts'
import { SIGNIN_ROUTES } from '#people/signin/people/answer.ts'
import { fieldText, groupsOf } from '#platform/base/text.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { content, json, redirect } from '#platform/exchange/reply.ts'
import { withoutBase } from '#platform/exchange/target.ts'
import { HOOK_PATH } from '#publishing/git/follow/hook.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { addressElsewhere } from '#site/elsewhere.ts'
import { notFound } from '#site/pages/not-found.ts'
import { SITE_ROUTES } from '#site/routes.ts'
import type { Site } from '#site/site.ts'
import { CACHE_FIVE_MINUTES, type OwnReplies } from './own-replies.ts'

export type HttpContext = {
  service: ServiceContext
  streams: Pick<EventStreams, 'open'>
  agents: AgentsContext
  site: Site
  signin: SigninContext
  manage: ManageContext
  /** Changes the files of guides; absent unless the service may. */
  edit?: Editor | undefined
  own: OwnReplies
  /** Answers webhooks of git hosts; absent if the service follows no repository. */
  hook?: ((request: Request) => Promise<Reply>) | undefined
}

const OWN = { methods: READ, who: 'everyone', limit: 'none' } as const
/** Programs in a browser read the metadata, then ask for tokens. */
const METADATA = { ...OWN, name: 'metadata', cors: OAUTH_FIELDS } as const

const OWN_ROUTES: readonly Route<HttpContext>[] = [
  { ...OWN, pattern: '/healthz', name: 'health', answer: () => content('text/plain', 'ok\n') },
  { ...OWN, pattern: '/readyz', name: 'health', who: 'network', answer: ({ own }) => own.readiness() },
  { ...OWN, pattern: '/metrics', name: 'metrics', who: 'network', answer: ({ own }) => own.metrics() },
  { ...OWN, pattern: '/-/hosts/ask', name: 'health', who: 'network', answer: hostReply },
  { ...OWN, pattern: '/openapi.json', name: 'docs', answer: ({ own }) => own.openApi() },
  { ...OWN, pattern: '/docs', name: 'docs', answer: ({ own }) => own.docs() },
  { ...METADATA, pattern: '/.well-known/jwks.json', answer: ({ own }) => own.keySet() },
  {
    ...METADATA,
    pattern: '/.well-known/oauth-authorization-server',
    answer: ({ service }) => json(serverMetadata(service.access.publicUrl), { caching: CACHE_FIVE_MINUTES }),
  },
  {
    ...METADATA,
    pattern: METADATA_PATH + AGENTS_PATH,
    answer: ({ service }) => json(resourceMetadata(service.access.publicUrl), { caching: CACHE_FIVE_MINUTES }),
  },
  {
    ...METADATA,
    pattern: `${METADATA_PATH}/{workspace}/{project}/-${AGENTS_PATH}`,
    answer: async ({ site, service }, request, ids) => {
      const about = await guideMetadata(service, ids, site.place)
      return about ? json(about, { caching: CACHE_FIVE_MINUTES }) : notFound(request, site)
    },
  },
  {
    pattern: '/oauth/token',
    methods: POST,
    name: 'token',
    who: 'client',
    limit: 'failures',
    cors: { ...OAUTH_FIELDS, methods: 'POST' },
    answer: ({ signin }, request) =>
      isAgentGrant(grantTypeOf(request)) ? answerExchange(signin, request) : answerTokenRequest(signin, request),
  },
]

/** Tells a proxy whether to get a certificate for a host: `?domain=brand.acme.com`. */
function hostReply({ service: { hosts, access } }: HttpContext, { query }: Request): Reply {
  const domain = fieldText(new URLSearchParams(query), 'domain')
  const isServed = hosts.at(domain) || domain.toLowerCase() === new URL(access.publicUrl).hostname
  return content('text/plain', isServed ? 'yes\n' : 'no\n', { status: isServed ? 200 : 404 })
}

/** Whether a grant type of the token endpoint belongs to people's programs. */
function isAgentGrant(grantType: string | undefined): boolean {
  return grantType === 'authorization_code' || grantType === 'refresh_token'
}

/** Exists only if the service follows repositories. */
const HOOK_ROUTE: Route<HttpContext> = {
  pattern: HOOK_PATH,
  methods: POST,
  name: 'hook',
  who: 'host',
  limit: 'none',
  answer: ({ hook, site }, request) => hook?.(request) ?? notFound(request, site),
}

export const findOnSite: (path: string) => Match<HttpContext> = routeFinder<HttpContext>(SITE_ROUTES)

/** The pages for people who may change something. For everyone else, nothing is at these addresses. */
const OWN_PAGES: readonly Route<HttpContext>[] = [
  ...MANAGE_ROUTES.map(row => ownPage(row, (context, ...asked) => row.answer(context.manage, ...asked))),
  ...EDIT_ROUTES.map(row =>
    ownPage(row, (context, ...asked) => (context.edit ? row.answer(context.edit, ...asked) : undefined)),
  ),
]

function ownPage(row: Omit<Route<never>, 'answer'>, answer: HiddenRoute<HttpContext>['answer']): Route<HttpContext> {
  return {
    ...row,
    answer: async (context, request, ids) => {
      const found = await answer(context, request, ids)
      const reply = await replyOrRefusal(context.manage, request, { ids, operation: row.name, reply: found })
      const elsewhere = reply && isMoving(row, request) && addressElsewhere(context.site, request, ids)
      if (elsewhere) return redirect(308, elsewhere)
      if (reply) return reply
      const site = findOnSite(request.path)
      return site.route.answer(context, request, site.ids)
    },
  }
}

/** Whether a page is at the host of its guide or workspace. People see their sessions, and edit, where they are signed in. */
function isMoving({ name }: Pick<Route<never>, 'name'>, { method }: Request): boolean {
  return method !== 'POST' && (name === 'manage' || name === 'review')
}

const OTHER_ROUTES: readonly Route<HttpContext>[] = [
  ...API_ROUTES,
  ...AGENT_ROUTES,
  ...EVENT_ROUTES,
  ...SIGNIN_ROUTES,
  ...AGENT_SIGNIN_ROUTES,
  ...OWN_ROUTES,
  ...OWN_PAGES,
  ...SITE_ROUTES,
]

/** Every address of the service. The first row that fits a path is used. */
export const ROUTES: readonly Route<HttpContext>[] = [HOOK_ROUTE, ...OTHER_ROUTES]

export const findRoute: (path: string) => Match<HttpContext> = finder(ROUTES)

/** The same for a service that follows no repository. */
export const findRouteWithoutHook: typeof findRoute = finder(OTHER_ROUTES)

/** Addresses for agents and their metadata may end with a slash: people add one, and POST follows no redirect. */
function finder(routes: readonly Route<HttpContext>[]): typeof findRoute {
  const find = routeFinder(routes)
  return path => find(AGENTS_WITH_SLASH.test(path) ? path.slice(0, -1) : path)
}

/** The path of metadata without the public path, which follows the well-known name (RFC 8414 §3.1, RFC 9728 §3.1). */
export function pathOfResource(path: string, base: string): string {
  const name = base !== '' && groupsOf(WELL_KNOWN, path)[0]
  return name && path.startsWith(name + base) ? name + path.slice(name.length + base.length) : path
}

const WELL_KNOWN = /^\/\.well-known\/oauth-(?:authorization-server|protected-resource)/

/** The name of a request in metrics. The path is undefined if the request could not be read. */
export function nameInMetrics(path: string | undefined, base = ''): string {
  return path === undefined ? 'malformed' : findRoute(withoutBase(path, base)).route.name
}

/** Whether a target is for monitoring: such requests are answered even under overload. */
export function isMonitoring(target: string, base = ''): boolean {
  return ['health', 'metrics'].includes(nameInMetrics(target.split('?', 1)[0], base))
}

/** The largest body at a path, in bytes. A path below that of the public URL may also be one at its root. */
export function maxBodyAt(path: string, base = ''): number {
  return Math.max(...routesAt(path, base).map(({ maxBody }) => maxBody ?? MAX_BODY))
}

/** Whether the handler at a path reads the body itself. */
export function readsBodyAt(path: string, base = ''): boolean {
  return routesAt(path, base).some(({ readsBody }) => readsBody)
}

function routesAt(path: string, base: string): Route<HttpContext>[] {
  return [path, withoutBase(path, base)].map(each => findRoute(each).route)
}

/** The header fields that pages of other origins may send and read at a path, which is below the public URL or its root. */
export function corsAt(path: string, base = ''): CorsFields | undefined {
  const paths = base === '' ? [path] : [withoutBase(path, base), path]
  for (const each of paths) {
    const { cors } = findRoute(pathOfResource(each, base)).route
    if (cors) return cors
  }
  return undefined
}
