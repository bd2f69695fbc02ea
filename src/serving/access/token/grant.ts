import type { Scope } from '#brand/contract/operations.ts'
import { type Refusal, refuse, refuseScope } from '#brand/contract/refusals.ts'
import type { Call } from '#brand/contract/route.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import type { UsedKind } from '#store/access/last-uses.ts'
import type { PublishedProject } from '#store/catalogue/catalogue.ts'
import { publishedIn, type WorkspaceState } from '../../pointers/workspace-state.ts'

/** The rights of a verified token: its scopes, in a workspace or in some of its projects. */
export type Grant = {
  workspace: string
  scopes: ReadonlySet<Scope>
  /** The projects in the token, keyed by id. If absent, it covers the whole workspace. */
  projects?: ReadonlyMap<string, ClaimedProject>
  client: string
  jti: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The stored items that a request with this token uses. Absent for tokens of other issuers, which are not stored. */
  uses?: readonly UsedItem[]
}

/** A stored item whose last use is recorded, such as a token by its `jti`. */
export type UsedItem = { kind: UsedKind; id: string }

/**
 * The instance of a project that a token covers. A project that is deleted and created again keeps its id, but is
 * another instance. A token of another issuer covers the instance at the time of issue (milliseconds since 1970).
 */
type ClaimedProject = { instance: string } | { issuedAt: number }

/** Proof that a grant covers a call, even if its target does not exist. Published content needs a permit. */
export type Permit = { grant: Grant; call: Call }

/** Checks the scope (403), then the workspace and project (404, the same as for missing ones). */
export function permit(grant: Grant, call: Call): Result<Permit, Refusal> {
  if (!grant.scopes.has(call.operation.scope)) return failed(refuseScope(call.operation.scope))
  if (grant.workspace !== call.workspace) return failed(refuse('not-found'))
  if (call.project !== '' && grant.projects?.has(call.project) === false) return failed(refuse('not-found'))
  return ok({ grant, call })
}

/** A published project that a grant covers. The row of another one is not needed, so its damage is not noticed. */
export function findCovered(
  state: WorkspaceState | undefined,
  grant: Grant,
  project: string,
): PublishedProject | undefined {
  if (grant.projects?.has(project) === false) return undefined
  const record = state?.projects.get(project)
  return record && coversProject(grant, record) ? record : undefined
}

/** The published projects that a grant covers, in order. Throws if the row of one is damaged. */
export function listCovered(state: WorkspaceState | undefined, grant: Grant): readonly PublishedProject[] {
  const named = grant.projects && Array.from(grant.projects.keys(), project => ({ project }))
  const published = state ? publishedIn(state, named) : []
  return named ? published.filter(record => coversProject(grant, record)) : published
}

/** Whether a grant covers this instance of a project. */
export function coversProject(
  { projects }: Grant,
  { project, instance, createdAt }: { project: string; instance: string; createdAt: Date },
): boolean {
  if (!projects) return true
  const claimed = projects.get(project)
  if (!claimed) return false
  return 'instance' in claimed ? claimed.instance === instance : claimed.issuedAt >= createdAt.getTime()
}
