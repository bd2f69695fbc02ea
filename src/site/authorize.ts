import { type WorkspaceLimit, withinWorkspaceLimit } from '../access/limit/workspace-limit.ts'
import { covers, type Person, type Sessions } from '../access/session/session-verifier.ts'
import type { Admission, Shares } from '../access/share/share-verifier.ts'
import { coversProject, type Grant } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { Scope } from '../contract/operations.ts'
import { refusalReply, refuseScope } from '../contract/refusals.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications/publications.ts'
import type { Audit } from '../telemetry/access-event.ts'
import { type NotFoundParts, notFound } from './pages/not-found.ts'

/** The parts that authorize a request. */
export type AuthorizeParts = WorkspaceLimit &
  NotFoundParts & {
    pointers: Pointers
    openPublication: OpenPublication
    verifier: TokenVerifier
    shares: Shares
    sessions: Pick<Sessions, 'person' | 'people'>
    clock: () => number
    record: Audit
  }

/** The content that a request may see, and the token, the share link or the person that says so. */
export type Access = Admitted & { publication: Publication; hasToken: boolean }

/** The share link or the person that a request proves. */
type Admitted = Admission & { person?: Person }

/** A project that a request asks for. `scopes` gives the scopes that a token needs in addition to document.read. */
export type Wanted = {
  ref: ProjectRef
  scopes: () => Promise<readonly Scope[]>
  reply: (access: Access) => Promise<Reply | undefined>
}

/**
 * The reply to a request that may see a project: any request if it is public, otherwise one of a person who is signed
 * in, with the cookie of its share link, or with a bearer token that covers it. Otherwise undefined, as for an unknown
 * project. A private workspace is not looked up before the request has proven access to it, so that response time does
 * not reveal whether it exists.
 */
export async function withAccess(parts: AuthorizeParts, request: Request, wanted: Wanted): Promise<Reply | undefined> {
  const { pointers, openPublication, shares, sessions } = parts
  const { ref, reply } = wanted
  const replyFrom = async (record: Publication['record'] | undefined, admitted?: Admitted) => {
    const publication = openPublication(record)
    return publication && reply({ ...admitted, publication, hasToken: false })
  }
  const open = (await pointers.openWorkspace(ref.workspace))?.projects.get(ref.project)
  if (open?.published.visibility === 'public') return replyFrom(open)
  const person = await sessions.person(request, ref.workspace)
  const record = person && (await recordAt(pointers, ref))
  if (record && covers(person, record)) return replyFrom(record, { person })
  const instance = async () => (await recordAt(pointers, ref))?.instance
  const admission = await shares.admission(request, ref.workspace, ref.project, instance)
  if (admission) return replyFrom(await recordAt(pointers, ref), admission)
  return request.authorizations === 0 ? undefined : replyToBearer(parts, request, wanted)
}

/** The reply to a request that may see the draft of a project; undefined for others, as for an unknown project. */
export async function withDraftAccess(
  parts: AuthorizeParts,
  request: Request,
  ref: ProjectRef,
  reply: Wanted['reply'],
): Promise<Reply | undefined> {
  const admission = await draftAdmission(parts, request, ref)
  const publication = admission && parts.openPublication(await parts.pointers.drafts.find(ref))
  return publication && reply({ ...admission, publication, hasToken: false })
}

/**
 * The proof that a request may see the draft of a project: a person whose sign-in includes drafts, or the cookie of a
 * link to the draft. A token never proves it. The draft is looked up only with such a proof.
 */
async function draftAdmission(
  { pointers, shares, sessions }: AuthorizeParts,
  request: Request,
  ref: ProjectRef,
): Promise<Admitted | undefined> {
  const person = await sessions.person(request, ref.workspace)
  const draft = person?.drafts ? await pointers.drafts.find(ref) : undefined
  if (person && draft && covers(person, draft)) return { person }
  const instance = async () => (await pointers.drafts.find(ref))?.instance
  return shares.drafts.admission(request, ref.workspace, ref.project, instance)
}

/** A project of a workspace to which the request has proven access. */
export async function recordAt(
  pointers: Pointers,
  { workspace, project }: ProjectRef,
): Promise<Publication['record'] | undefined> {
  return (await pointers.workspace(workspace))?.projects.get(project)
}

/**
 * The reply to a request with a token for this workspace, which counts against its limit as in the API. Undefined for any
 * other token.
 */
async function replyToBearer(parts: AuthorizeParts, request: Request, wanted: Wanted): Promise<Reply | undefined> {
  const verified = await parts.verifier.verify(request, parts.clock())
  if (!verified.ok || verified.value.workspace !== wanted.ref.workspace) return undefined
  const grant = verified.value
  const reply = async () => (await replyToGrant(parts, request, grant, wanted)) ?? notFound(request, parts)
  return withinWorkspaceLimit(parts, grant.workspace, reply, () => audit(parts, request, grant, 'limit-refused'))
}

/** The scopes are checked before the project, so that a 403 does not reveal which projects exist. */
async function replyToGrant(
  parts: AuthorizeParts,
  request: Request,
  grant: Grant,
  { ref, scopes, reply }: Wanted,
): Promise<Reply | undefined> {
  if (!grant.scopes.has('document.read')) return undefined
  const missing = (await scopes()).filter(scope => !grant.scopes.has(scope))
  if (missing.length > 0) {
    audit(parts, request, grant, 'scope-refused')
    return refusalReply(refuseScope(...missing), parts.publicUrl)
  }
  const record = await recordAt(parts.pointers, ref)
  const publication = record && coversProject(grant, record) ? parts.openPublication(record) : undefined
  return publication && reply({ publication, hasToken: true })
}

function audit(
  { record }: AuthorizeParts,
  { address }: Request,
  { client, workspace, jti }: Grant,
  event: 'limit-refused' | 'scope-refused',
): void {
  record({ event, client, workspace, jti, address })
}
