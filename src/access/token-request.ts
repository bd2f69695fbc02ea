import { isProjectId, isWorkspaceId } from '../brand/ids.ts'
import { isScope, SCOPES } from '../contract/operations.ts'
import { findProject, findWorkspace } from '../store/catalogue.ts'
import type { Database } from '../store/database.ts'
import { LONGEST_LIFETIME_SECONDS, type TokenRequest } from './issue.ts'

/** What someone asks a token for, before it is known whether there are such things. */
export type WantedToken = {
  workspace: string
  /** Empty: all scopes. */
  scopes: readonly string[]
  /** Empty: all projects. */
  projects: readonly string[]
  lifetimeSeconds: number
}

/** Checks what a token is asked for against the store; gives the request, or in words why it is refused. */
export async function checkTokenRequest(
  database: Database,
  { workspace, scopes, projects, lifetimeSeconds }: WantedToken,
): Promise<Omit<TokenRequest, 'client'> | { refused: string }> {
  if (!isWorkspaceId(workspace) || !(await findWorkspace(database, workspace)))
    return { refused: `there is no workspace ${JSON.stringify(workspace)}: import its folder first` }
  const strange = scopes.find(scope => !isScope(scope))
  if (strange !== undefined)
    return { refused: `there is no scope ${JSON.stringify(strange)}: the scopes are ${SCOPES.join(', ')}` }
  for (const project of projects) {
    if (!isProjectId(project) || !(await findProject(database, workspace, project)))
      return { refused: `workspace ${workspace} has no project ${JSON.stringify(project)}` }
  }
  if (lifetimeSeconds > LONGEST_LIFETIME_SECONDS) return { refused: 'a token is valid for at most 366d' }
  const ids = [...new Set(projects)].filter(isProjectId)
  const known = scopes.filter(isScope)
  return {
    ...{ workspace, lifetimeSeconds },
    scopes: known.length > 0 ? known : SCOPES,
    ...(ids.length > 0 && { projects: ids }),
  }
}
