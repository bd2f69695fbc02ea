import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { isProjectId, isStoredWorkspaceId } from '../../brand/ids.ts'
import { isScope, SCOPES, type Scope } from '../../contract/operations.ts'
import { findProject, findWorkspace, type ProjectInstance } from '../../store/catalogue/catalogue.ts'
import { unknownMessage } from '../../store/catalogue/unknown.ts'
import type { Database } from '../../store/database/database.ts'

/** The requested coverage of a token or client, not validated yet. */
export type RequestedScopes = {
  workspace: string
  /** If empty: all scopes. */
  scopes: readonly string[]
  /** If empty: all projects. */
  projects: readonly string[]
}

/** The coverage of a token or client. All of it exists in the store. */
export type ScopeSelection = {
  workspace: string
  scopes: readonly Scope[]
  /** If absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
}

/** Looks up the requested coverage in the store. The problem is a message for the user. */
export async function selectScopes(
  database: Database,
  { workspace, scopes, projects }: RequestedScopes,
): Promise<Result<ScopeSelection, string>> {
  if (!isStoredWorkspaceId(workspace) || !(await findWorkspace(database, workspace)))
    return failed(await unknownMessage(database, { workspace }))
  const unknown = scopes.find(scope => !isScope(scope))
  if (unknown !== undefined) return failed(await unknownScope(unknown))
  const instances: ProjectInstance[] = []
  for (const project of new Set(projects)) {
    const record = isProjectId(project) ? await findProject(database, workspace, project) : undefined
    if (!record) return failed(await unknownMessage(database, { workspace, project }))
    instances.push({ project, instance: record.instance })
  }
  const selected = SCOPES.filter(scope => scopes.includes(scope))
  return ok({
    workspace,
    scopes: selected.length > 0 ? selected : SCOPES,
    ...(instances.length > 0 && { projects: instances }),
  })
}

async function unknownScope(scope: string): Promise<string> {
  const { mostSimilar } = await import('../../brand/similar.ts') // Only a failure needs it.
  const similar = mostSimilar(scope, SCOPES)
  const suggestion = similar === undefined ? '' : `; did you mean ${quote(similar)}?`
  return `there is no scope ${quote(scope)}: the scopes are ${SCOPES.join(', ')}${suggestion}`
}
