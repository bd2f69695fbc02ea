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
 * The published content of a project, if this request may see it: any request a public one, others with the cookie of a share
 * link to it, or with a bearer token that covers it and has document.read. Otherwise undefined, as for an unknown project. A
 * private workspace is not looked up before the request has proven access to it, so that the time does not tell whether
 * it exists.
 */
export async function authorize(
  parts: AuthorizeParts,
  request: Request,
  ref: ProjectRef,
): Promise<Publication | undefined> {
  const { pointers, openPublication, shares } = parts
  const open = (await pointers.openWorkspace(ref.workspace))?.projects.get(ref.project)
  if (open?.published.visibility === 'public') return openPublication(open)
  const instance = async () => (await recordAt(pointers, ref))?.instance
  if (await shares.admits(request, ref.workspace, ref.project, instance))
    return openPublication(await recordAt(pointers, ref))
  return request.authorizations === 0 ? undefined : openToBearer(parts, request, ref)
}

/** A project of a workspace to which the request has proven access. */
export async function recordAt(
  pointers: Pointers,
  { workspace, project }: ProjectRef,
): Promise<Publication['record'] | undefined> {
  return (await pointers.workspace(workspace))?.projects.get(project)
}

async function openToBearer(
  { pointers, openPublication, verifier, clock }: AuthorizeParts,
  request: Request,
  ref: ProjectRef,
): Promise<Publication | undefined> {
  const verified = await verifier.verify(request, clock())
  if (!verified.ok) return undefined
  const grant = verified.value
  if (grant.workspace !== ref.workspace || !grant.scopes.has('document.read')) return undefined
  const record = await recordAt(pointers, ref)
  return record && coversProject(grant, record) ? openPublication(record) : undefined
}
