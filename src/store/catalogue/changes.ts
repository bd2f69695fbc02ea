import { type Database, nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** The changes after a certain number. */
export type Changes = {
  upTo: number
  /** The changed workspaces by id, each with its changes. */
  workspaces: Map<string, ChangedWorkspace>
  /** Whether keys, revocations, clients or share links have changed. */
  access: boolean
  moves: Moves
}

/** Projects by id; or `all` if anything in the workspace may have changed, including its name. */
type ChangedWorkspace = Set<string> | 'all'

/** The number of publications, and of projects that were unpublished. */
export type Moves = { published: number; unpublished: number }

/** An event of a project that is reported to others. */
type ProjectEvent = keyof Moves

/**
 * Records a change, inside its transaction, so that every process reloads it: a project of a workspace or, without a
 * project, anything in the workspace. No workspace means access: keys, revocations, clients or share links.
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

/** The changes after this number. */
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

/**
 * Throws if a database cannot be written, as a standby (`pg_is_in_recovery`), which may lack the latest changes of its
 * primary.
 */
export async function assertWritable({ transaction }: Database): Promise<void> {
  await transaction(queries => queries.run('DELETE FROM change WHERE number < 0'), { durable: false })
}

/** The number of the latest change, or 0. */
export async function latestChange(queries: Queries): Promise<number> {
  const row = await queries.get('SELECT COALESCE(MAX(number), 0) AS number FROM change')
  return row ? numberOf(row, 'number') : 0
}
