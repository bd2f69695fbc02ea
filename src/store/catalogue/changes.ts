import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** What has changed since a number. */
export type Changes = {
  upTo: number
  /** Workspaces by id, each with what of it has changed. */
  workspaces: Map<string, ChangedWorkspace>
  /** Whether keys, revocations, clients or share links have. */
  access: boolean
  moves: Moves
}

/** Projects by id; or `all` if anything of the workspace may have changed, its name among it. */
export type ChangedWorkspace = Set<string> | 'all'

/** How many projects were published at a revision, and how many are published no longer. */
export type Moves = { published: number; unpublished: number }

/** What was done to a project, if others have to be told. */
type ProjectEvent = keyof Moves

/**
 * Records a change, inside its transaction, so that every process reads anew what has changed: a project of a workspace
 * or, without one, anything of it. No workspace means access: keys, revocations, clients or share links.
 */
export async function recordChange(
  queries: Queries,
  workspace: string | undefined,
  project?: string,
  event?: ProjectEvent,
): Promise<void> {
  await queries.run(
    'INSERT INTO change (number, workspace, project, event) SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM change',
    workspace ?? null,
    project ?? null,
    event ?? null,
  )
}

/** What has changed after the change of this number. */
export async function changesSince(queries: Queries, number: number): Promise<Changes> {
  const rows = await queries.all('SELECT * FROM change WHERE number > ? ORDER BY number', number)
  const changes: Changes = {
    upTo: number,
    workspaces: new Map(),
    access: false,
    moves: { published: 0, unpublished: 0 },
  }
  for (const row of rows) addChange(changes, row)
  return changes
}

function addChange(changes: Changes, row: Row): void {
  changes.upTo = numberOf(row, 'number')
  const workspace = nullable(row, 'workspace', textOf)
  if (workspace === undefined) {
    changes.access = true
    return
  }
  const project = nullable(row, 'project', textOf)
  const known = changes.workspaces.get(workspace) ?? new Set()
  changes.workspaces.set(workspace, project === undefined || known === 'all' ? 'all' : known.add(project))
  if (row.event === 'published' || row.event === 'unpublished') changes.moves[row.event]++
}

/** The number of the latest change, or 0. */
export async function latestChange(queries: Queries): Promise<number> {
  const row = await queries.get('SELECT COALESCE(MAX(number), 0) AS number FROM change')
  return row ? numberOf(row, 'number') : 0
}
