import { RESERVED_WORKSPACE_IDS } from '../brand/ids.ts'
import { type Queries, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Workspaces whose ids were reserved after they were made: they are served, but should be renamed. */
export async function reservedIdProblems(queries: Queries): Promise<Problem[]> {
  const rows = await queries.all(PROJECTS, ...RESERVED_WORKSPACE_IDS)
  const projects = Map.groupBy(rows, row => textOf(row, 'workspace'))
  return Array.from(projects, ([workspace, own]) => ({
    check: 'workspace',
    subject: `the workspace ${workspace}`,
    message: 'has an id that the service keeps for itself: it is served, but cannot be imported any more',
    fix: renameFix(
      workspace,
      own.map(row => textOf(row, 'id')),
    ),
  }))
}

const RESERVED = RESERVED_WORKSPACE_IDS.map(() => '?').join(', ')
const PROJECTS = `SELECT workspace, id FROM project WHERE workspace IN (${RESERVED}) ORDER BY workspace, id`

/** A copy makes the workspace that it is for. */
function renameFix(workspace: string, projects: readonly string[]): string {
  const renamed = `${workspace}-brand`
  const commands = projects.flatMap(project => [
    `\`housestyle copy ${workspace}/${project} ${renamed}/${project}\``,
    `\`housestyle delete ${workspace}/${project}\``,
  ])
  return `rename it: write another id in its workspace.yaml, as in "id: ${renamed}"; ${commands.join('; ')}; and issue its tokens, clients and share links again`
}
