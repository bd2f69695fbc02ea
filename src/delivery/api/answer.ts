import { API_PATH, OPERATIONS, type Operation, type OperationId } from '#brand/contract/operations.ts'
import { refusalReply, refuseUnservedRevision } from '#brand/contract/refusals.ts'
import { type CorsFields, type Ids, READ, type Route, refusePath } from '#brand/contract/route.ts'
import { andThen, type MaybePromise } from '#platform/base/promise.ts'
import { contentEntryKey } from '#platform/caches/caches.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { permittedReply } from '#serving/access/permitted-reply.ts'
import type { ServiceContext } from '#serving/access/service-context.ts'
import { findCovered, listCovered, type Permit } from '#serving/access/token/grant.ts'
import type { WorkspaceState } from '#serving/pointers/workspace-state.ts'
import { servesRevisions } from '#serving/publications/revisions.ts'
import { replyKey, type Served, stateKey, workspaceKey } from '#serving/replies/content-keys.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { countReply } from '#serving/usage.ts'
import { representProject, representProjectList, representWorkspace } from './bodies.ts'

const REVISION_PATH = `/revision/{revision}${API_PATH}`
const PATTERNS = OPERATIONS.flatMap(({ path }) => [API_PATH + path, REVISION_PATH + path])
/** The header fields that pages of other origins may send and read. */
const API_FIELDS: CorsFields = {
  sent: 'Authorization, If-None-Match',
  read: 'ETag, Retry-After, RateLimit, RateLimit-Policy, Housestyle-Revision, X-Request-Id',
}

/** The addresses of the seven operations, also at an earlier revision, and of every other path of the API. */
export const API_ROUTES: readonly Route<{ service: ServiceContext }>[] = [
  ...OPERATIONS.flatMap(operation => {
    const current = operationRoute(operation, API_PATH)
    return operation.isFrozen ? [current, operationRoute(operation, REVISION_PATH)] : [current]
  }),
  unknownRoute(`${API_PATH}/{rest}`),
  unknownRoute('/revision/{rest}'),
]

function operationRoute(operation: Operation, start: string): (typeof API_ROUTES)[number] {
  return {
    pattern: start + operation.path,
    // Only the first word of an address must be sent without percent-encoding.
    sent: 1,
    methods: READ,
    name: operation.id,
    who: operation.scope,
    limit: 'workspace',
    cors: API_FIELDS,
    answer: ({ service }, request, ids) => answerOperation(service, request, operation, ids),
  }
}

function unknownRoute(pattern: string): (typeof API_ROUTES)[number] {
  return {
    pattern,
    methods: READ,
    hasOwnMethods: true,
    name: 'unknown',
    who: 'everyone',
    limit: 'none',
    cors: API_FIELDS,
    answer: ({ service }, { path }) => refusalReply(refusePath(path, PATTERNS), service.access.publicUrl),
  }
}

function answerOperation(
  service: ServiceContext,
  request: Request,
  operation: Operation,
  ids: Ids,
): MaybePromise<Reply> {
  const { workspace, project } = ids
  return permittedReply(service, request, {
    call: { operation, workspace, project },
    operation: operation.id,
    find: permit =>
      andThen(
        service.pointers.workspace(workspace),
        state => state && findIn(state, { service, request, ids }, permit),
      ),
  })
}

/** A request with the ids of its path, and what answers it. */
type Asked = { service: ServiceContext; request: Request; ids: Ids }

/** Finds the reply to a permitted call, from the cache if possible; undefined if the content does not exist. */
function findIn(
  workspace: WorkspaceState,
  { service, request, ids }: Asked,
  { call, grant }: Permit,
): MaybePromise<Reply | undefined> {
  const reply = (content: string, variant: string, make: () => Representation) =>
    service.replies.reply(contentEntryKey(content, variant), request, make)
  const { id } = call.operation
  if (id === 'getWorkspace') return reply(workspaceKey(workspace), id, () => representWorkspace(workspace))
  if (id === 'listProjects') {
    const covered = listCovered(workspace, grant)
    // Tokens for the same projects share a reply.
    const coveredIds = grant.projects ? JSON.stringify(covered.map(({ project }) => project)) : '*'
    return reply(workspaceKey(workspace), `${id}:${coveredIds}`, () => representProjectList(workspace.id, covered))
  }
  const record = findCovered(workspace, grant, ids.project)
  if (!record) return undefined
  if (ids.revision !== '' && !servesRevisions(record))
    return refusalReply(refuseUnservedRevision(), service.access.publicUrl)
  return andThen(findServed(service, record, ids.revision), served => {
    if (!served) return undefined
    const { urls: addresses, openPublication } = service
    // The reply may be in the cache, so that it comes at once, without a promise.
    const found = service.replies.reply(answerKey(id, ids, served), request, async () => {
      const publication = openPublication(served.record)
      return publication && representProject(id, { publication, addresses, page: ids.page })
    })
    return andThen(found, reply => {
      countReply(service.usage, request, reply, ids, 'api', id)
      return reply
    })
  })
}

/**
 * Returns the cache key of the reply to a call. Making such a long string costs more than all checks before it, so it
 * is kept until the served content changes. Only the reply to `getProject` also has the status and the dates of the project,
 * which imports change without a new revision.
 */
function answerKey(id: OperationId, ids: Ids, served: Served): string {
  const last = keys.get(ids)
  if (last?.record === served.record && last.published === served.published) return last.key
  const contentKey = id === 'getProject' ? stateKey(served) : replyKey(served)
  const key = contentEntryKey(contentKey, `${id}:${ids.page}`)
  keys.set(ids, { ...served, key })
  return key
}

/** The ids of a path are the same object whenever it is sent again. */
const keys = new WeakMap<Ids, Served & { key: string }>()

/** Finds the served state of a project, current or at the requested revision. */
function findServed(
  { revisions }: ServiceContext,
  record: WorkspaceState['published'][number],
  revision: string,
): MaybePromise<Served | undefined> {
  return revision === '' ? { record, published: record.published } : revisions.find(record, Number(revision))
}
