import type { Shares } from '../access/share/share-verifier.ts'
import { coversProject, type Grant } from '../access/token/grant.ts'
import type { TokenVerifier } from '../access/token/token-verifier.ts'
import type { Request } from '../exchange/message.ts'
import type { Pointers } from '../serving/pointers.ts'
import type { OpenPublication, Publication } from '../serving/publications.ts'

/** What tells who may see a project. */
type AuthorizeParts = {
  pointers: Pointers
  openPublication: OpenPublication
  verifier: TokenVerifier
  shares: Shares
  clock: () => number
}

/**
 * What is published of a project, where this request may see it: everyone a public one, others with the cookie of a
 * share link to it, or a bearer token that covers it and has document.read. Undefined for whatever else, a project that does not exist among it.
 */
export async function authorize(
  parts: AuthorizeParts,
  request: Request,
  workspace: string,
  project: string,
): Promise<Publication | undefined> {
  const record = parts.pointers.workspace(workspace)?.projects.get(project)
  if (record?.published.visibility === 'public') return parts.openPublication(record)
  const isCovered = (grant: Grant) => record === undefined || coversProject(grant, record)
  return (await mayRead(parts, request, workspace, project, record?.instance, isCovered))
    ? parts.openPublication(record)
    : undefined
}

/** Found out where there is no such project as well, so that the time it takes does not tell which ones there are. */
async function mayRead(
  parts: AuthorizeParts,
  request: Request,
  workspace: string,
  project: string,
  instance: string | undefined,
  isCovered: (grant: Grant) => boolean,
): Promise<boolean> {
  if (parts.shares.admits(request, workspace, project, instance)) return true
  if (request.authorizations === 0) return false
  const verified = await parts.verifier.verify(request, parts.clock())
  if (!verified.ok) return false
  const grant = verified.value
  return grant.workspace === workspace && grant.scopes.has('document.read') && isCovered(grant)
}
