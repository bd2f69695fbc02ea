import { RESERVED_WORKSPACE_IDS } from '../brand/ids.ts'
import { type Queries, textOf } from '../store/database/database.ts'
import type { Problem } from './problem.ts'

/** Finds workspaces whose ids became reserved after their creation. They are served, but should be renamed. */
export async function reservedIdProblems(queries: Queries): Promise<Problem[]> {
  const rows = await queries.all(PROJECTS, ...RESERVED_WORKSPACE_IDS)
  const projects = Map.groupBy(rows, row => textOf(row, 'workspace'))
  return Array.from(projects, ([workspace, own]) => ({
    check: 'workspace',
    subject: `the workspace ${workspace}`,
    message: 'has an id that is now reserved for the service: it is served, but can no longer be imported',
    fix: renameFix(
      workspace,
      own.map(row => textOf(row, 'id')),
    ),
  }))
}

const RESERVED = RESERVED_WORKSPACE_IDS.map(() => '?').join(', ')
const PROJECTS = `SELECT workspace, id FROM project WHERE workspace IN (${RESERVED}) ORDER BY workspace, id`

/** `copy` creates the target workspace. */
function renameFix(workspace: string, projects: readonly string[]): string {
  const renamed = `${workspace}-brand`
  const commands = projects.flatMap(project => [
    `\`housestyle copy ${workspace}/${project} ${renamed}/${project}\``,
    `\`housestyle delete ${workspace}/${project}\``,
  ])
  return `rename it: write another id in its workspace.yaml, for example "id: ${renamed}"; ${commands.join('; ')}; and issue its tokens, clients and share links again`
}
