import { type WorkspaceLimit, withinWorkspaceLimit } from '../access/limit/workspace-limit.ts'
import { coversProject, type Grant, type Permit, permit } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { contentEntryKey } from '../caches/caches.ts'
import { type Refusal, refusalReply, refuse } from '../contract/refusals.ts'
import { answerMethod, type Call, routePath } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../serving/pointers/workspace-state.ts'
import type { OpenPublication } from '../serving/publications/publications.ts'
import type { ServedRevisions } from '../serving/publications/revisions.ts'
import { replyKey, type Served, stateKey, workspaceKey } from '../serving/replies/content-keys.ts'
import type { Representation, ResponseCache } from '../serving/replies/response-cache.ts'
import type { AccessEvent, Audit } from '../telemetry/access-event.ts'
import { representProject, representProjectList, representWorkspace } from './bodies.ts'

/** The parts that the API uses to answer. */
export type ApiParts = WorkspaceLimit & {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  responseCache: ResponseCache
  addresses: Addresses
  verifier: TokenVerifier
  /** The time of day, in milliseconds. */
  clock: () => number
  record: Audit
}

/**
 * Answers an API request. The checks run in this order, and the first one that fails determines the reply: form 400,
 * path 404, method 405, token 401, limit 429, scope 403, workspace and project 404.
 */
export function answer(api: ApiParts, request: Request): MaybePromise<Reply> {
  const refused = (refusal: Refusal) => refusalReply(refusal, api.publicUrl)
  const routed = routePath(request.path)
  if (!routed.ok) return refused(routed.problem)
  const methodReply = answerMethod(request.method, api.publicUrl)
  if (methodReply) return methodReply
  return andThen(api.verifier.verify(request, api.clock()), verified => {
    if (!verified.ok) return refused(verified.problem)
    const context: Context = { api, request, call: routed.value, grant: verified.value }
    const reply = () => {
      const permitted = permit(context.grant, context.call)
      if (permitted.ok) return andThen(find(context, permitted.value), found => found ?? refused(refuse('not-found')))
      audit(context, permitted.problem.id === 'insufficient-scope' ? 'scope-refused' : 'place-refused')
      return refused(permitted.problem)
    }
    return withinWorkspaceLimit(api, context.grant.workspace, reply, () => audit(context, 'limit-refused'))
  })
}

/** A request with a verified token. */
type Context = { api: ApiParts; request: Request; call: Call; grant: Grant }

function audit({ api, request, call, grant }: Context, event: AccessEvent['event']): void {
  const { client, workspace, jti } = grant
  api.record({ event, operation: call.operation.id, client, workspace, jti, address: request.address })
}

/** Finds the reply to a permitted call, from the cache if possible; undefined if the content does not exist. */
function find(context: Context, permitted: Permit): MaybePromise<Reply | undefined> {
  const workspace = context.api.pointers.workspace(permitted.call.workspace)
  return andThen(workspace, found => found && findIn(found, context, permitted))
}

function findIn(
  workspace: WorkspaceState,
  { api, request }: Context,
  { call, grant }: Permit,
): MaybePromise<Reply | undefined> {
  const reply = (content: string, variant: string, make: () => Promise<Representation | undefined>) =>
    api.responseCache.reply(contentEntryKey(content, variant), request, make)
  const { id } = call.operation
  if (id === 'getWorkspace') return reply(workspaceKey(workspace), id, () => representWorkspace(workspace))
  if (id === 'listProjects') {
    const { published } = workspace
    const covered = grant.projects ? published.filter(record => coversProject(grant, record)) : published
    const ids = grant.projects ? JSON.stringify(covered.map(({ project }) => project)) : '*'
    return reply(workspaceKey(workspace), `${id}:${ids}`, () => representProjectList(workspace.id, covered))
  }
  return andThen(findServed(api, workspace, { call, grant }), served => {
    if (!served) return undefined
    const { addresses, openPublication } = api
    return api.responseCache.reply(keyOf(call, served), request, async () => {
      const publication = openPublication(served.record)
      return publication && representProject(id, { publication, addresses, page: call.page })
    })
  })
}

/**
 * Returns the cache key of the reply to a call. Making such a long string costs more than all checks before it, so it
 * is kept until the served content changes.
 */
function keyOf(call: Call, served: Served): string {
  const known = keys.get(call)
  if (known?.record === served.record && known.published === served.published) return known.key
  const { id } = call.operation
  const key = contentEntryKey(id === 'getProject' ? stateKey(served) : replyKey(served), `${id}:${call.page}`)
  keys.set(call, { ...served, key })
  return key
}

const keys = new WeakMap<Call, Served & { key: string }>()

/** Finds the served state of a project, current or at the requested revision. */
function findServed(
  { revisions }: ApiParts,
  { projects }: WorkspaceState,
  { call, grant }: Permit,
): MaybePromise<Served | undefined> {
  const record = projects.get(call.project)
  if (!record || !coversProject(grant, record)) return undefined
  return call.revision === undefined ? { record, published: record.published } : revisions.find(record, call.revision)
}
