import type { Scope } from '#brand/contract/operations.ts'
import { refusalReply, refuseScope } from '#brand/contract/refusals.ts'
import type { ProjectRef } from '#brand/ids.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { withinWorkspaceLimit } from '#serving/access/permitted-reply.ts'
import { covers, coversDraft, manages } from '#serving/access/session/rights.ts'
import type { Person } from '#serving/access/session/session-verifier.ts'
import type { Admission } from '#serving/access/share/share-verifier.ts'
import { findCovered, type Grant } from '#serving/access/token/grant.ts'
import type { Pointers } from '#serving/pointers/pointers.ts'
import { publishedIn, type WorkspaceState } from '#serving/pointers/workspace-state.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { managedRevision } from '#serving/publications/revisions.ts'
import { type Rights, seesDrafts } from '#store/access/sessions.ts'
import type { PublishedProject } from '#store/catalogue/catalogue.ts'
import { notFound } from './pages/not-found.ts'
import type { Site } from './site.ts'

/**
 * The content that a request may see, and the share link or the person that says so. `hasToken` is set for requests that
 * may also see private revisions: requests with a token, or of people who manage the project.
 */
export type Access = Admitted & { publication: Publication; hasToken: boolean }

/** The share link or the person that a request proves. */
type Admitted = Admission & { person?: Person }

/**
 * A project that a request asks for. `scopes` gives the scopes that a token needs in addition to document.read, for
 * downloads, which answer a refused token as the API does. Without it, a refused token finds nothing, as at all pages.
 */
export type Wanted = {
  ref: ProjectRef
  scopes?: (() => Promise<readonly Scope[]>) | undefined
  reply: (access: Access) => Promise<Reply | undefined>
}

/**
 * The reply to a request that may see a project: any request if it is public, otherwise one of a person who is signed
 * in, with the cookie of its share link, or with a bearer token that covers it. Otherwise undefined, as for an unknown
 * project. A private workspace is not looked up before the request has proven access to it, so that response time does
 * not reveal whether it exists.
 */
export async function withAccess(site: Site, request: Request, wanted: Wanted): Promise<Reply | undefined> {
  const { pointers, openPublication, shares, sessions } = site.service
  const { ref, reply } = wanted
  const replyFrom = async (record: Publication['record'] | undefined, admitted?: Admitted) => {
    const publication = openPublication(record)
    return publication && reply({ ...admitted, publication, hasToken: false })
  }
  const openProject = (await pointers.openWorkspace(ref.workspace))?.openProjects.get(ref.project)
  if (openProject) return replyFrom(openProject)
  const person = await sessions.person(request, ref.workspace)
  const personsProject = person && (await recordFor(pointers, person, ref))
  if (personsProject) return replyFrom(personsProject, { person })
  const instance = async () => (await recordAt(pointers, ref))?.instance
  const admission = await shares.admission(request, ref.workspace, ref.project, instance)
  if (admission) return replyFrom(await recordAt(pointers, ref), admission)
  return request.authorizations === 0 ? undefined : replyToBearer(site, request, wanted)
}

/** The reply to a request that may see the draft of a project; undefined for others, as for an unknown project. */
export async function withDraftAccess(
  site: Site,
  request: Request,
  ref: ProjectRef,
  reply: Wanted['reply'],
): Promise<Reply | undefined> {
  const admission = await draftAdmission(site, request, ref)
  const publication = admission && site.service.openPublication(await site.service.pointers.drafts.find(ref))
  return publication && reply({ ...admission, publication, hasToken: false })
}

/** The reply to a request of a person who manages a project, with any revision of it; undefined for others. */
export async function withRevisionAccess(
  site: Site,
  request: Request,
  { revision, ...ref }: ProjectRef & { revision: string },
  reply: Wanted['reply'],
): Promise<Reply | undefined> {
  const { pointers, sessions } = site.service
  const person = await sessions.person(request, ref.workspace)
  const draft = person?.manages ? await pointers.drafts.find(ref) : undefined
  if (!person || !draft || !manages(person, draft) || !REVISION.test(revision)) return undefined
  const publication = await managedRevision(site.service, draft.draftOf, Number(revision))
  return publication && reply({ person, publication, hasToken: true })
}

/** A revision number without leading zeros, of at most nine digits. */
const REVISION = /^[1-9]\d{0,8}$/

/**
 * The proof that a request may see the draft of a project: a person whose sign-in includes drafts, or the cookie of a
 * link to the draft. A token never proves it. The draft is looked up only with such a proof.
 */
async function draftAdmission(site: Site, request: Request, ref: ProjectRef): Promise<Admitted | undefined> {
  const { pointers, sessions } = site.service
  const person = await sessions.person(request, ref.workspace)
  const draft = person && seesDrafts(person) ? await pointers.drafts.find(ref) : undefined
  return person && draft && coversDraft(person, draft) ? { person } : linkAdmission(site, request, ref)
}

/** The proof by the cookie of a link to the draft of a project. */
export function linkAdmission(
  { service }: Site,
  request: Request,
  ref: ProjectRef,
): MaybePromise<Admission | undefined> {
  const instance = async () => (await service.pointers.drafts.find(ref))?.instance
  return service.shares.drafts.admission(request, ref.workspace, ref.project, instance)
}

/** A project of a workspace to which the request has proven access. */
export async function recordAt(
  pointers: Pointers,
  { workspace, project }: ProjectRef,
): Promise<Publication['record'] | undefined> {
  return (await pointers.workspace(workspace))?.projects.get(project)
}

type Covering = Pick<Rights, 'projects'>

/** A published project that a person may see. The row of another one is not needed, so its damage is not noticed. */
export async function recordFor(
  pointers: Pointers,
  { projects }: Covering,
  ref: ProjectRef,
): Promise<PublishedProject | undefined> {
  if (projects?.every(({ project }) => project !== ref.project)) return undefined
  const record = (await pointers.workspace(ref.workspace))?.projects.get(ref.project)
  return record && covers({ projects }, record) ? record : undefined
}

/** The published projects that a person may see. Throws if the row of one is damaged. */
export function coveredIn(state: WorkspaceState, { projects }: Covering): WorkspaceState['published'] {
  return publishedIn(state, projects).filter(record => covers({ projects }, record))
}

/**
 * The reply to a request with a token, counted as in the API; at a page, undefined for a token of another workspace.
 * Invalid tokens are refused at unknown addresses, too. Credentials for a proxy in front are not a token.
 */
async function replyToBearer(site: Site, request: Request, wanted: Wanted): Promise<Reply | undefined> {
  const { access, verifier } = site.service
  const verified = await verifier.verify(request, access.clock())
  if (!verified.ok) {
    const isRefused = wanted.scopes && verified.problem.id !== 'no-credentials'
    return isRefused ? refusalReply(verified.problem, access.publicUrl) : undefined
  }
  const grant = verified.value
  if (!wanted.scopes && grant.workspace !== wanted.ref.workspace) return undefined
  const reply = async () => (await replyToGrant(site, request, grant, wanted)) ?? notFound(request, site)
  return withinWorkspaceLimit(site.service, grant.workspace, reply, () => audit(site, request, grant, 'limit-refused'))
}

/**
 * The reply with the content that a token covers, or the refusal of one without a needed scope. The scopes are checked
 * before the project, so that a 403 does not reveal which projects exist.
 */
async function replyToGrant(
  site: Site,
  request: Request,
  grant: Grant,
  { ref, scopes, reply }: Wanted,
): Promise<Reply | undefined> {
  const needed = new Set<Scope>(['document.read', ...((await scopes?.()) ?? [])])
  const missing = [...needed].filter(scope => !grant.scopes.has(scope))
  if (missing.length > 0) {
    if (!scopes) return undefined
    audit(site, request, grant, 'scope-refused')
    return refusalReply(refuseScope(...missing), site.service.access.publicUrl)
  }
  if (grant.workspace !== ref.workspace) return undefined
  const state = await site.service.pointers.workspace(ref.workspace)
  const publication = site.service.openPublication(findCovered(state, grant, ref.project))
  return publication && reply({ publication, hasToken: true })
}

function audit(
  { service }: Site,
  { address }: Request,
  { client, workspace, jti }: Grant,
  event: 'limit-refused' | 'scope-refused',
): void {
  service.access.record({ event, client, workspace, jti, address })
}
