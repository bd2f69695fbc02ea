import { type PermitParts, permittedReply } from '../access/permitted-reply.ts'
import { coversProject, type Permit } from '../access/token/grant.ts'
import { andThen, type MaybePromise } from '../base/promise.ts'
import { contentEntryKey } from '../caches/caches.ts'
import { refusalReply, refuseUnservedRevision } from '../contract/refusals.ts'
import { type Call, routePath } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Addresses } from '../serving/addresses.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { WorkspaceState } from '../serving/pointers/workspace-state.ts'
import type { OpenPublication } from '../serving/publications/publications.ts'
import { type ServedRevisions, servesRevisions } from '../serving/publications/revisions.ts'
import { replyKey, type Served, stateKey, workspaceKey } from '../serving/replies/content-keys.ts'
import type { Representation, ResponseCache } from '../serving/replies/response-cache.ts'
import { representProject, representProjectList, representWorkspace } from './bodies.ts'

/** The parts that the API uses to answer. */
export type ApiParts = PermitParts & {
  pointers: Pointers
  openPublication: OpenPublication
  revisions: ServedRevisions
  responseCache: ResponseCache
  addresses: Addresses
}

/** Answers an API request: after the form of its path (400, 404), `permittedReply` checks the rest. */
export function answer(api: ApiParts, request: Request): MaybePromise<Reply> {
  const routed = routePath(request.path)
  if (!routed.ok) return refusalReply(routed.problem, api.publicUrl)
  const call = routed.value
  return permittedReply(api, request, {
    call,
    operation: call.operation.id,
    find: permitted =>
      andThen(api.pointers.workspace(call.workspace), found => found && findIn(found, { api, request }, permitted)),
  })
}

/** A request, and the parts that answer it. */
type Context = { api: ApiParts; request: Request }

/** Finds the reply to a permitted call, from the cache if possible; undefined if the content does not exist. */
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
  const record = workspace.projects.get(call.project)
  if (!record || !coversProject(grant, record)) return undefined
  if (call.revision !== undefined && !servesRevisions(record))
    return refusalReply(refuseUnservedRevision(), api.publicUrl)
  return andThen(findServed(api, record, call), served => {
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
  const kept = keys.get(call)
  if (kept?.record === served.record && kept.published === served.published) return kept.key
  const { id } = call.operation
  const key = contentEntryKey(id === 'getProject' ? stateKey(served) : replyKey(served), `${id}:${call.page}`)
  keys.set(call, { ...served, key })
  return key
}

const keys = new WeakMap<Call, Served & { key: string }>()

/** Finds the served state of a project, current or at the requested revision. */
function findServed(
  { revisions }: ApiParts,
  record: WorkspaceState['published'][number],
  call: Call,
): MaybePromise<Served | undefined> {
  return call.revision === undefined ? { record, published: record.published } : revisions.find(record, call.revision)
}
