import type { ProjectRef } from '../../brand/ids.ts'
import { numberOf, type Queries, type Row, textOf, textsOf } from '../database/database.ts'

/** A public project in a list over all workspaces. */
export type OpenProject = ProjectRef & { name: string; publishedAt: Date }

/** A workspace with public projects, and their number in all workspaces before it. */
export type OpenWorkspace = { id: string; name: string; before: number }

/** The workspaces, by id, with the first `max` public projects, and the number of all public projects. */
export async function listOpenWorkspaces(
  queries: Queries,
  max: number,
): Promise<{ total: number; workspaces: OpenWorkspace[] }> {
  const rows = await queries.all(COUNTED, max)
  const [first] = rows
  return { total: first ? numberOf(first, 'total') : 0, workspaces: rows.map(workspaceOf) }
}

/** The condition of the index on public projects. */
const OPEN = "published_visibility = 'public'"
const COUNTED = `SELECT c.workspace, w.name, c.up_to - c.open AS before, c.total FROM (
    SELECT workspace, COUNT(*) AS open, SUM(COUNT(*)) OVER (ORDER BY workspace) AS up_to, SUM(COUNT(*)) OVER () AS total
    FROM project WHERE ${OPEN} GROUP BY workspace
  ) AS c JOIN workspace w ON w.id = c.workspace
  WHERE c.up_to - c.open < ? ORDER BY c.workspace`

function workspaceOf(row: Row): OpenWorkspace {
  return { id: textOf(row, 'workspace'), name: textOf(row, 'name'), before: numberOf(row, 'before') }
}

/** The ids of the workspaces with a public project. */
export async function listOpenWorkspaceIds(queries: Queries): Promise<string[]> {
  const rows = await queries.all(`SELECT DISTINCT workspace FROM project WHERE ${OPEN}`)
  return textsOf(rows, 'workspace')
}

/** Whether a workspace has a public project. */
export async function hasOpenProject(queries: Queries, workspace: string): Promise<boolean> {
  return (
    (await queries.get(`SELECT 1 AS found FROM project WHERE ${OPEN} AND workspace = ? LIMIT 1`, workspace)) !==
    undefined
  )
}

/** A page of public projects after a given one, by workspace, then id, up to the last project of a workspace. */
export async function listOpenAfter(
  queries: Queries,
  { workspace, project }: Pick<OpenProject, 'workspace' | 'project'>,
  lastWorkspace: string,
  limit: number,
): Promise<OpenProject[]> {
  return (await queries.all(AFTER, workspace, project, lastWorkspace, limit)).map(openOf)
}

/** Selects the projects before their names; otherwise Postgres may start with all revisions. */
const AFTER = `SELECT p.workspace, p.id, p.published_at, r.name FROM (
    SELECT workspace, id, published_revision, published_at FROM project
    WHERE ${OPEN} AND (workspace, id) > (?, ?) AND workspace <= ? ORDER BY workspace, id LIMIT ?
  ) AS p JOIN revision r ON r.workspace = p.workspace AND r.project = p.id AND r.number = p.published_revision
  ORDER BY p.workspace, p.id`

function openOf(row: Row): OpenProject {
  return {
    workspace: textOf(row, 'workspace'),
    project: textOf(row, 'id'),
    name: textOf(row, 'name'),
    publishedAt: new Date(numberOf(row, 'published_at')),
  }
}
