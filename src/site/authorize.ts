import type { Shares } from '../access/share/share-verifier.ts'
import { coversProject } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import type { Request } from '../exchange/message.ts'
import type { Pointers } from '../serving/pointers/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications/publications.ts'

/** What authorization is decided with. */
type AuthorizeParts = {
  pointers: Pointers
  openPublication: OpenPublication
  verifier: TokenVerifier
  shares: Shares
  clock: () => number
}

/** The workspace and project that a path names, which need not exist. */
export type ProjectRef = { workspace: string; project: string }

/**
 * What is published of a project, if this request may see it: everyone a public one, others with the cookie of a share
 * link to it, or a bearer token that covers it and has document.read. Otherwise undefined, as for an unknown project.
 */
export async function authorize(
  parts: AuthorizeParts,
  request: Request,
  ref: ProjectRef,
): Promise<Publication | undefined> {
  const record = (await parts.pointers.workspace(ref.workspace))?.projects.get(ref.project)
  const isPublic = record?.published.visibility === 'public'
  return isPublic || (await hasAccess(parts, request, ref, record)) ? parts.openPublication(record) : undefined
}

/** Checks as much even if there is no such project, so that the time it takes does not tell which ones exist. */
async function hasAccess(
  { shares, verifier, clock }: AuthorizeParts,
  request: Request,
  { workspace, project }: ProjectRef,
  record: Publication['record'] | undefined,
): Promise<boolean> {
  if (await shares.admits(request, workspace, project, record?.instance)) return true
  if (request.authorizations === 0) return false
  const verified = await verifier.verify(request, clock())
  if (!verified.ok) return false
  const grant = verified.value
  if (grant.workspace !== workspace || !grant.scopes.has('document.read')) return false
  return record === undefined || coversProject(grant, record)
}
