import type { Call, Scope } from '../contract/operations.ts'
import { type Refusal, refuse, refuseScope } from '../contract/refusals.ts'

/** Proof that a request's token was checked. */
export type Grant = {
  workspace: string
  scopes: ReadonlySet<Scope>
  /** The projects that the token covers; absent: all of the workspace. */
  projects?: ReadonlySet<string>
  client: string
  jti: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Proof that a grant covers this call: only a permit opens what is published. */
export type Permit = { grant: Grant; call: Call }

/**
 * Whether a grant covers a call: first its scope (403), then its place (404, as for a place that does not exist).
 * Whether there is anything at that place is for the permit's user to find out.
 */
export function permit(grant: Grant, call: Call): Permit | Refusal {
  if (!grant.scopes.has(call.operation.scope)) return refuseScope(call.operation.scope)
  if (grant.workspace !== call.workspace) return refuse('not-found')
  if (call.project !== '' && !coversProject(grant, call.project)) return refuse('not-found')
  return { grant, call }
}

/** Whether a grant covers a project of its workspace. */
export function coversProject(grant: Grant, project: string): boolean {
  return grant.projects === undefined || grant.projects.has(project)
}
