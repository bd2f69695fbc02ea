import type { Call, Scope } from '../../contract/operations.ts'
import { type Refusal, refuse, refuseScope } from '../../contract/refusals.ts'
import type { ProjectRecord } from '../../store/catalogue/catalogue.ts'

/** Proof that a request's token was checked. */
export type Grant = {
  workspace: string
  scopes: ReadonlySet<Scope>
  /** The projects that the token names, by id; absent: it covers all of the workspace. */
  projects?: ReadonlyMap<string, Named>
  client: string
  jti: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Which project of an id a token names: the very one, or, in a token of another issuer, one that was there already when
 * the token was issued (milliseconds since 1970). A later project of the same id is another one.
 */
export type Named = { instance: string } | { issuedAt: number }

/** Proof that a grant covers this call, if what it names is still there: only a permit opens what is published. */
export type Permit = { grant: Grant; call: Call }

/**
 * Whether a grant covers a call: first its scope (403), then its place (404, as for a place that does not exist).
 * Whether there is anything at that place is for the permit's user to find out.
 */
export function permit(grant: Grant, call: Call): Permit | Refusal {
  if (!grant.scopes.has(call.operation.scope)) return refuseScope(call.operation.scope)
  if (grant.workspace !== call.workspace) return refuse('not-found')
  if (call.project !== '' && grant.projects?.has(call.project) === false) return refuse('not-found')
  return { grant, call }
}

/** Whether a grant covers a project of its workspace. */
export function coversProject(
  { projects }: Grant,
  { project, instance, createdAt }: Pick<ProjectRecord, 'project' | 'instance' | 'createdAt'>,
): boolean {
  if (!projects) return true
  const named = projects.get(project)
  if (!named) return false
  return 'instance' in named ? named.instance === instance : named.issuedAt >= createdAt.getTime()
}
