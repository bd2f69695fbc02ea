import type { Queries } from '../database/database.ts'
import { defineRows, derive, number, type RecordOf, readTexts, text } from '../database/table.ts'

/** The condition of the index on public projects. */
const IS_PUBLIC = "published_visibility = 'public'"

/**
 * Workspaces with the number of their public projects (`open`), that of all workspaces up to and including them (`up_to`), and
 * that of all (`total`).
 */
const WORKSPACES = defineRows(
  `(SELECT workspace, COUNT(*) AS open, SUM(COUNT(*)) OVER (ORDER BY workspace) AS up_to, SUM(COUNT(*)) OVER () AS total
    FROM project WHERE ${IS_PUBLIC} GROUP BY workspace
  ) AS c JOIN workspace w ON w.id = c.workspace`,
  {
    id: text('c.workspace'),
    name: text('w.name'),
    before: number('c.up_to - c.open AS before'),
    total: number('c.total'),
  },
)

/** A workspace with public projects, and their number in all workspaces before it. */
export type OpenWorkspace = Omit<RecordOf<typeof WORKSPACES>, 'total'>

/** The workspaces, by id, with the first `max` public projects, and the number of all public projects. */
export async function listOpenWorkspaces(
  queries: Queries,
  max: number,
): Promise<{ total: number; workspaces: OpenWorkspace[] }> {
  const workspaces = await WORKSPACES.all(queries, 'WHERE c.up_to - c.open < ? ORDER BY c.workspace', max)
  return { total: workspaces[0]?.total ?? 0, workspaces }
}

/** The ids of the workspaces with a public project. */
export function listOpenWorkspaceIds(queries: Queries): Promise<string[]> {
  return readTexts(queries, `SELECT DISTINCT workspace FROM project WHERE ${IS_PUBLIC}`)
}

/** Whether a workspace has a public project. */
export async function hasOpenProject(queries: Queries, workspace: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM project WHERE ${IS_PUBLIC} AND workspace = ? LIMIT 1`
  return (await queries.get(sql, workspace)) !== undefined
}

/** A page of public projects. Selects the projects before their names; otherwise Postgres may start with all revisions. */
const PROJECTS = defineRows(
  `(SELECT workspace, id, published_revision, published_at FROM project
    WHERE ${IS_PUBLIC} AND (workspace, id) > (?, ?) AND workspace <= ? ORDER BY workspace, id LIMIT ?
  ) AS p JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision`,
  {
    workspace: text('p.workspace'),
    project: text('p.id'),
    name: text('r.name'),
    publishedAt: derive(number('p.published_at'), ms => new Date(ms)),
  },
)

/** A public project in a list over all workspaces. */
export type OpenProject = RecordOf<typeof PROJECTS>

/** A page of public projects after a given one, by workspace, then id, up to the last project of a workspace. */
export function listOpenAfter(
  queries: Queries,
  { workspace, project }: Pick<OpenProject, 'workspace' | 'project'>,
  lastWorkspace: string,
  limit: number,
): Promise<OpenProject[]> {
  return PROJECTS.all(queries, 'ORDER BY p.workspace, p.id', workspace, project, lastWorkspace, limit)
}
