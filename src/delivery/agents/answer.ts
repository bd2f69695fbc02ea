import { SCOPES, type Scope } from '#brand/contract/operations.ts'
import { addressOn, pathOutside } from '#brand/contract/place.ts'
import { type Refusal, refusalReply, refuse, refuseScope } from '#brand/contract/refusals.ts'
import { POST, type Route } from '#brand/contract/route.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { once } from '#platform/base/promise.ts'
import { reasonOf } from '#platform/base/reason.ts'
import { isThisMachine } from '#platform/base/server-url.ts'
import { isOwnHost, networkOf } from '#platform/exchange/ip-address.ts'
import {
  type HeaderList,
  hasBearer,
  type Place,
  type Reply,
  type Request,
  withHeaders,
} from '#platform/exchange/message.ts'
import { NO_SNIFF, NO_STORE } from '#platform/exchange/reply.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import { withinWorkspaceLimit } from '#serving/access/permitted-reply.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { findCovered, type Grant, listCovered } from '#serving/access/token/grant.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import { lenientText, readableText } from './lenient-messages.ts'
import type { AnswerMcp } from './mcp-server.ts'
import { AGENTS_PATH, guideAgentsPath, withMetadata } from './metadata.ts'
import { isMessage, protocolError, readUses, scopesOfResource, type Use } from './protocol-message.ts'
import type { LintCaller, LintContent, Reader } from './tools/tool.ts'
import { toolsOf } from './tools/tools.ts'

/** The objects with which agents read guides. */
export type AgentsContext = Pick<Reader, 'index' | 'pages' | 'weights' | 'paints' | 'picture' | 'icons'> & {
  service: ServiceContext
  lint: LintContent
  loadMcp: () => Promise<AnswerMcp>
}

/** The fields of both addresses. */
const AGENT = {
  methods: POST,
  name: 'mcp',
  // 200,000 UTF-16 units for `lint`, of which JSON may write each with six bytes.
  maxBody: 1536 << 10,
  cors: {
    methods: 'POST',
    sent: 'Authorization, Content-Type, Mcp-Method, Mcp-Name, MCP-Protocol-Version',
    read: 'Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate',
  },
} as const

/** The addresses for agents: with a token for a workspace, and of one guide. */
export const AGENT_ROUTES: readonly Route<{ agents: AgentsContext }>[] = [
  {
    ...AGENT,
    pattern: AGENTS_PATH,
    who: 'agent',
    limit: 'workspace',
    answer: ({ agents }, request) => answerAgents(agents, request),
  },
  {
    ...AGENT,
    pattern: `/{workspace}/{project}/-${AGENTS_PATH}`,
    who: 'guest',
    limit: 'messages',
    answer: ({ agents }, request, ids) => answerGuideAgents(agents, request, ids),
  },
]

/** Loads the protocol library once. `version` is the program version. */
export function mcpLoader(version: string): () => Promise<AnswerMcp> {
  return once(async () => (await import('./mcp-server.ts')).openMcpHandler(version))
}

/**
 * Answers a request of an agent to all guides that its token covers. The first check that fails gives the reply: host 421,
 * origin 403, form 400, token 401, limit 429, scope 403, 404.
 */
async function answerAgents(context: AgentsContext, request: Request): Promise<Reply> {
  const { service } = context
  const uses = checkedUses(context, request)
  // A reply has a status, and a list of uses has none.
  if ('status' in uses) return uses
  const verified = await service.verifier.verify(request, service.access.clock())
  if (!verified.ok) return refuseWithMetadata(context, verified.problem)
  const grant = verified.value
  return withinLimit(context, request, grant, uses, async () => {
    const workspace = await service.pointers.workspace(grant.workspace)
    if (!workspace) return refuseWithMetadata(context, refuse('not-found'))
    const covered = { projects: listCovered(workspace, grant), scopes: grant.scopes, isGuide: false, hasShare: true }
    return answerFor(context, request, workspace, covered)
  })
}

/**
 * Answers a request of an agent to one guide: any request if it is public, otherwise one with a token that covers it. A
 * request without a valid token learns where to get one, also for a guide that does not exist; any other gets the reply
 * to an unknown address. A private workspace is not looked up before the token is verified, so that response time does
 * not reveal whether it exists.
 */
async function answerGuideAgents(context: AgentsContext, request: Request, ref: ProjectRef): Promise<Reply> {
  const { service } = context
  const uses = checkedUses(context, request)
  if ('status' in uses) return uses
  const open = await service.pointers.openWorkspace(ref.workspace)
  const record = open?.openProjects.get(ref.project)
  if (open && record) {
    const hasShare = await isAuthorized(context, request, ref, uses)
    return answerFor(context, request, open, { projects: [record], scopes: ALL_SCOPES, isGuide: true, hasShare })
  }
  const path = guideAgentsPath(ref)
  if (path === undefined) return refuseWithMetadata(context, UNKNOWN_GUIDE)
  const verified = await service.verifier.verify(request, service.access.clock())
  if (!verified.ok) return refuseWithMetadata(context, verified.problem, { path, place: request.place })
  if (verified.value.workspace !== ref.workspace) return refuseWithMetadata(context, UNKNOWN_GUIDE)
  const grant = verified.value
  if (!grant.scopes.has('document.read')) return refuseWithMetadata(context, UNKNOWN_GUIDE)
  return withinLimit(context, request, grant, uses, async () => {
    const workspace = await service.pointers.workspace(ref.workspace)
    const project = findCovered(workspace, grant, ref.project)
    if (!workspace || !project) return refuseWithMetadata(context, UNKNOWN_GUIDE)
    const covered = { projects: [project], scopes: grant.scopes, isGuide: true, hasShare: true }
    return answerFor(context, request, workspace, covered)
  })
}

/** Whether a caller of a public guide, which needs no token, has one, and so its share of the work of `lint`. */
async function isAuthorized(
  { service }: AgentsContext,
  request: Request,
  ref: ProjectRef,
  uses: readonly Use[],
): Promise<boolean> {
  if (!hasBearer(request) || !uses.some(({ tool }) => tool === 'lint')) return false
  const verified = await service.verifier.verify(request, service.access.clock())
  return verified.ok && verified.value.workspace === ref.workspace
}

const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)
const NOT_FOUND = refuse('not-found')
const UNKNOWN_GUIDE = { ...NOT_FOUND, description: `${NOT_FOUND.description} A private guide needs a bearer token.` }

/** The uses in a request after the checks of the request itself: its host, origin and body. The reply if one fails. */
function checkedUses(context: AgentsContext, request: Request): Use[] | Reply {
  const foreign = refuseForeign(context, request)
  if (foreign) return foreign
  const uses = readUses(request)
  return uses.ok ? uses.value : uses.problem
}

/**
 * Counts each message of a request, then checks the scopes of all messages, and calls `reply` if nothing is refused. Refused
 * requests are in the audit log.
 */
async function withinLimit(
  context: AgentsContext,
  request: Request,
  grant: Grant,
  uses: readonly Use[],
  reply: () => Promise<Reply>,
): Promise<Reply> {
  const { service } = context
  const audit = (event: AccessEvent['event'], operation = operationOf(uses[0])) => {
    const { client, workspace, jti } = grant
    service.access.record({ event, operation, client, workspace, jti, address: request.address })
  }
  const permitted = async () => {
    for (const use of uses) {
      const missing = scopesOf(context, use).filter(scope => !grant.scopes.has(scope))
      if (missing.length > 0) {
        audit('scope-refused', operationOf(use))
        return refuseWithMetadata(context, refuseScope(...missing))
      }
      // Only for the audit log: the tool itself answers as for a missing project.
      if (use.project !== '' && grant.projects?.has(use.project) === false) audit('place-refused', operationOf(use))
    }
    return reply()
  }
  return withinWorkspaceLimit(service, grant.workspace, permitted, () => audit('limit-refused'), uses.length)
}

/** The operation in the audit log: a tool, or the protocol itself. */
function operationOf({ tool, resource }: Use = { tool: '', resource: '', project: '' }): string {
  return resource !== '' ? 'resources/read' : (toolsOf(ALL_TOOLS).find(({ name }) => name === tool)?.name ?? 'mcp')
}

const ALL_TOOLS = { isGuide: false }

/** The scopes that a use needs; none for an unknown tool, and for messages such as the list of tools. */
function scopesOf({ service }: AgentsContext, { tool, resource }: Use): readonly Scope[] {
  if (resource !== '') return scopesOfResource(resource, service.hosts.pathOf)
  return toolsOf(ALL_TOOLS)
    .filter(({ name }) => name === tool)
    .map(({ scope }) => scope)
}

/** The content that a caller may read, and whether it has a share of the work of `lint`. */
type Covered = Pick<Reader, 'projects' | 'scopes' | 'isGuide'> & Pick<LintCaller, 'hasShare'>

/**
 * Passes a request to the protocol library, as a `Request` of the Fetch API, and returns its response as a reply. The library
 * gets a right `Accept` in any case, because many clients send a wrong one.
 */
async function answerFor(
  { service, lint, loadMcp, ...content }: AgentsContext,
  { headers, body, address }: Request,
  { id: workspace, name: workspaceName }: WorkspaceState,
  { hasShare, ...covered }: Covered,
): Promise<Reply> {
  const { openPublication, urls: addresses, usage } = service
  const network = networkOf(address)
  const lintForCaller: Reader['lint'] = (publication, input) => lint(publication, input, { network, hasShare })
  const caller = { workspace, workspaceName, network, openPublication, addresses, usage, lint: lintForCaller }
  const reader: Reader = { ...content, ...caller, ...covered }
  const fields = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const)
    if (headers[name] !== undefined) fields.set(name, headers[name])
  const text = lenientText(new TextDecoder().decode(body))
  const message = new Request(service.access.publicUrl + AGENTS_PATH, { method: 'POST', headers: fields, body: text })
  const answerMcp = await loadMcp()
  const response = await answerMcp(reader, message, text)
  const bytes = new TextEncoder().encode(readableText(await response.text()))
  const type = response.headers.get('content-type')
  const replyHeaders: HeaderList = [...(type === null ? [] : ['Content-Type', type]), ...NO_STORE_FIELDS]
  return { status: response.status, headers: replyHeaders, hasOwnHeaders: true, body: bytes }
}

const NO_STORE_FIELDS = [...NO_STORE, ...NO_SNIFF]

/**
 * A refusal that names the metadata of the endpoint (RFC 9728), by which a client finds where to get a token. `path` is that
 * of the endpoint of one guide, and `place` the host of a workspace or guide that the request came to.
 */
function refuseWithMetadata(
  { service }: AgentsContext,
  refusal: Refusal,
  { path, place }: { path?: string; place?: Place | undefined } = {},
): Reply {
  const { publicUrl } = service.access
  // At its own host, the address of a guide is shorter.
  const endpointPath = place && path !== undefined ? pathOutside(place, path) : path
  return refusalReply(withMetadata(refusal, place?.url ?? publicUrl, endpointPath), publicUrl)
}

/** Refuses a foreign host name (421) or website (403), against DNS rebinding. Programs send no `Origin`. */
function refuseForeign({ service }: AgentsContext, request: Request): Reply | undefined {
  const { headers, address, place } = request
  const { host, origin } = headers
  const { publicUrl, record } = service.access
  const ownUrl = new URL(place?.url ?? publicUrl)
  if (!place && !isOwnHost(host, ownUrl.hostname)) {
    const received = receivedHost(request)
    record({ event: 'agent-refused', reason: 'host', status: 421, host: received, address })
    return protocolError(421, -32000, `${FOREIGN_HOST}, and received the Host "${received}". ${PASS_HOST}`)
  }
  if (origin === undefined || origin === ownUrl.origin || service.settings.cors.includes(origin)) return undefined
  if (URL.canParse(origin) && isThisMachine(new URL(origin).hostname)) return undefined
  return protocolError(403, -32000, FOREIGN_ORIGIN)
}

/** The host that a request names, as one short line. */
export function receivedHost({ headers: { host = '' } }: Pick<Request, 'headers'>): string {
  return reasonOf(host).slice(0, MAX_HOST)
}

const FOREIGN_ORIGIN = 'Pages of this origin may not call this address. Its operator can allow it with --cors.'
const MAX_HOST = 100
const FOREIGN_HOST = 'This address answers only under its public URL, localhost and IP addresses'
const PASS_HOST =
  'Ask its operator to let the proxy pass the public Host (nginx: proxy_set_header Host $host), or to correct --public-url.'

/**
 * Refuses a message of an agent at the address of a page, and names the address for agents; undefined for any other
 * request. The reply depends only on the path, so that it does not reveal which guides exist.
 */
export function refuseAtPage(request: Request, publicUrl: string, headers: HeaderList): Reply | undefined {
  if (request.method !== 'POST' || !isMessage(request)) return undefined
  const { place } = request
  const requestedPath = request.path.replace(/(?<!\/)\/+$/, '')
  const [workspace = '', project = ''] = decodeSegments(requestedPath) ?? []
  // At the host of a workspace, somebody looks for the address of all its guides.
  const isForAll = place?.project === undefined && place && pathOutside(place, requestedPath) === AGENTS_PATH
  const path = isForAll ? undefined : guideAgentsPath({ workspace, project })
  const forAll = `${publicUrl}${AGENTS_PATH}, or {guide url}/-${AGENTS_PATH} for one guide`
  const advice = path === undefined ? forAll : addressOn(publicUrl, place, path)
  return withHeaders(
    protocolError(405, -32000, `This is the address of a page. An MCP client connects to ${advice}.`),
    headers,
  )
}
