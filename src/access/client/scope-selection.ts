import { failed, ok, type Result } from '../../base/result.ts'
import { isProjectId, isWorkspaceId } from '../../brand/ids.ts'
import { isScope, SCOPES, type Scope } from '../../contract/operations.ts'
import { findProject, findWorkspace, type ProjectInstance } from '../../store/catalogue/catalogue.ts'
import type { Database } from '../../store/database/database.ts'

/** What a token or a client is to cover. None of it need exist. */
export type WantedScopes = {
  workspace: string
  /** Empty: all scopes. */
  scopes: readonly string[]
  /** Empty: all projects. */
  projects: readonly string[]
}

/** What a token or a client covers. All of it exists. */
export type ScopeSelection = {
  workspace: string
  scopes: readonly Scope[]
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
}

/** Looks up what is wanted in the store. The problem is a message for whoever asked. */
export async function selectScopes(
  database: Database,
  { workspace, scopes, projects }: WantedScopes,
): Promise<Result<ScopeSelection, string>> {
  if (!isWorkspaceId(workspace) || !(await findWorkspace(database, workspace)))
    return failed(`there is no workspace ${JSON.stringify(workspace)}: import its folder first`)
  const unknown = scopes.find(scope => !isScope(scope))
  if (unknown !== undefined)
    return failed(`there is no scope ${JSON.stringify(unknown)}: the scopes are ${SCOPES.join(', ')}`)
  const found: ProjectInstance[] = []
  for (const project of new Set(projects)) {
    const record = isProjectId(project) ? await findProject(database, workspace, project) : undefined
    if (!record) return failed(`workspace ${workspace} has no project ${JSON.stringify(project)}`)
    found.push({ project, instance: record.instance })
  }
  const selected = SCOPES.filter(scope => scopes.includes(scope))
  return ok({
    workspace,
    scopes: selected.length > 0 ? selected : SCOPES,
    ...(found.length > 0 && { projects: found }),
  })
}
