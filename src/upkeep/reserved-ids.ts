import { RESERVED_WORKSPACE_IDS } from '../brand/ids.ts'
import { type Queries, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Workspaces whose ids were reserved after they were made: they are served, but should be renamed. */
export async function reservedIdProblems(queries: Queries): Promise<Problem[]> {
  const rows = await queries.all('SELECT workspace, id FROM project ORDER BY workspace, id')
  const projects = Map.groupBy(rows, row => textOf(row, 'workspace'))
  return [...projects]
    .filter(([workspace]) => RESERVED_WORKSPACE_IDS.includes(workspace))
    .map(([workspace, own]) => ({
      check: 'workspace',
      subject: `the workspace ${workspace}`,
      message: 'has an id that the service keeps for itself: it is served, but cannot be imported any more',
      fix: renaming(
        workspace,
        own.map(row => textOf(row, 'id')),
      ),
    }))
}

/** A copy makes the workspace that it is for. */
function renaming(workspace: string, projects: readonly string[]): string {
  const renamed = `${workspace}-brand`
  const commands = projects.flatMap(project => [
    `housestyle copy ${workspace}/${project} ${renamed}/${project}`,
    `housestyle delete ${workspace}/${project}`,
  ])
  return `rename it: write another id in its workspace.yaml, as in "id: ${renamed}"; ${commands.join('; ')}; and issue its tokens, clients and share links again`
}
