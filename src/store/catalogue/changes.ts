import { nullable, numberOf, type Queries, textOf } from '../database/database.ts'

/** What has changed since a number: workspaces by id, and whether keys, revocations, clients or share links have. */
export type Changes = { upTo: number; workspaces: Set<string>; access: boolean }

/**
 * Records a change, inside its transaction, so that every process reads anew what has changed. No workspace means access:
 * keys, revocations, clients or share links.
 */
export async function recordChange(queries: Queries, workspace: string | undefined): Promise<void> {
  await queries.run(
    'INSERT INTO change (number, workspace) SELECT COALESCE(MAX(number), 0) + 1, ? FROM change',
    workspace ?? null,
  )
}

/** What has changed after the change of this number. */
export async function changesSince(queries: Queries, number: number): Promise<Changes> {
  const rows = await queries.all('SELECT number, workspace FROM change WHERE number > ? ORDER BY number', number)
  const changes: Changes = { upTo: number, workspaces: new Set(), access: false }
  for (const row of rows) {
    const workspace = nullable(row, 'workspace', textOf)
    if (workspace === undefined) changes.access = true
    else changes.workspaces.add(workspace)
    changes.upTo = numberOf(row, 'number')
  }
  return changes
}

/** The number of the latest change, or 0. */
export async function latestChange(queries: Queries): Promise<number> {
  const row = await queries.get('SELECT COALESCE(MAX(number), 0) AS number FROM change')
  return row ? numberOf(row, 'number') : 0
}
