import type { Database, Queries } from '../database/database.ts'
import { defineRows, number, optional, text } from '../database/table.ts'

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

const CHANGES = defineRows(
  'change',
  {
    number: number('number'),
    workspace: optional(text('workspace')),
    project: optional(text('project')),
    event: optional(text('event')),
  },
  'change',
)

/** The changes after this number. */
export async function changesSince(queries: Queries, number: number): Promise<Changes> {
  const changes: Changes = {
    upTo: number,
    workspaces: new Map(),
    access: false,
    moves: { published: 0, unpublished: 0 },
  }
  for (const change of await CHANGES.sound(queries, 'WHERE number > ? ORDER BY number', number)) {
    const { workspace, project, event } = change
    changes.upTo = change.number
    if (workspace === undefined) {
      changes.access = true
      continue
    }
    const projects = changes.workspaces.get(workspace) ?? new Set()
    const isWhole = project === undefined || projects === 'all'
    changes.workspaces.set(workspace, isWhole ? 'all' : projects.add(project))
    if (event === 'published' || event === 'unpublished') changes.moves[event]++
  }
  return changes
}

/**
 * Throws if a database cannot be written, such as a standby, which may lack the latest changes of its primary. Deletes nothing:
 * numbers of changes are not negative.
 */
export async function assertWritable({ transaction }: Database): Promise<void> {
  await transaction(queries => queries.run('DELETE FROM change WHERE number < 0'), { durable: false })
}

/** The number of the latest change, or 0. */
export async function latestChange(queries: Queries): Promise<number> {
  return (await LATEST.one(queries, ''))?.number ?? 0
}

const LATEST = defineRows('change', { number: number('COALESCE(MAX(number), 0) AS number') })
