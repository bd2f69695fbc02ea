import { failed, ok, type Result } from '../../base/result.ts'
import type { Call, Scope } from '../../contract/operations.ts'
import { type Refusal, refuse, refuseScope } from '../../contract/refusals.ts'
import type { ProjectRecord } from '../../store/catalogue/catalogue.ts'

/** Proof that a request's token was checked. */
export type Grant = {
  workspace: string
  scopes: ReadonlySet<Scope>
  /** The projects that the token names, by id; absent: it covers all of the workspace. */
  projects?: ReadonlyMap<string, ClaimedProject>
  client: string
  jti: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Which project a token means by an id, since a project that is deleted and made again keeps its id: one instance, or,
 * in a token of another issuer, the instance that existed when the token was issued (milliseconds since 1970).
 */
export type ClaimedProject = { instance: string } | { issuedAt: number }

/** Proof that a grant covers a call, whether or not anything is there. Only a permit opens what is published. */
export type Permit = { grant: Grant; call: Call }

/**
 * Permits a call that the grant covers. Checks the scope (403), then workspace and project (404, as for one that does
 * not exist).
 */
export function permit(grant: Grant, call: Call): Result<Permit, Refusal> {
  if (!grant.scopes.has(call.operation.scope)) return failed(refuseScope(call.operation.scope))
  if (grant.workspace !== call.workspace) return failed(refuse('not-found'))
  if (call.project !== '' && grant.projects?.has(call.project) === false) return failed(refuse('not-found'))
  return ok({ grant, call })
}

/** Whether a grant covers a project of its workspace. */
export function coversProject(
  { projects }: Grant,
  { project, instance, createdAt }: Pick<ProjectRecord, 'project' | 'instance' | 'createdAt'>,
): boolean {
  if (!projects) return true
  const claimed = projects.get(project)
  if (!claimed) return false
  return 'instance' in claimed ? claimed.instance === instance : claimed.issuedAt >= createdAt.getTime()
}
