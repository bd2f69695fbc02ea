import { type Queries, textOf } from './database.ts'

/** What an import read of a file, as it is kept for the next. */
export type SeenFile = { path: string; stamp: string; kind: 'page' | 'file'; content: string; reading: string }

/** The paths of all files of a workspace that something is kept of. */
export async function listSeen(queries: Queries, workspace: string): Promise<string[]> {
  const rows = await queries.all('SELECT path FROM seen WHERE workspace = ?', workspace)
  return rows.map(row => textOf(row, 'path'))
}

/** What is kept of a file that had this stamp; of a page only where its content is in the catalogue. */
export async function findSeen(
  queries: Queries,
  workspace: string,
  path: string,
  stamp: string,
): Promise<Pick<SeenFile, 'kind' | 'content' | 'reading'> | undefined> {
  const row = await queries.get(
    `SELECT kind, content, reading FROM seen s WHERE workspace = ? AND path = ? AND stamp = ? AND (kind = 'file'
       OR EXISTS (SELECT 1 FROM object o WHERE o.workspace = s.workspace AND o.hash = s.content))`,
    ...[workspace, path, stamp],
  )
  const kind = row && textOf(row, 'kind') === 'page' ? 'page' : 'file'
  return row && { kind, content: textOf(row, 'content'), reading: textOf(row, 'reading') }
}

/** Keeps what was read of a file in place of what was kept before. */
export async function putSeen(queries: Queries, workspace: string, file: SeenFile): Promise<void> {
  const { path, stamp, kind, content, reading } = file
  await queries.run(
    `INSERT INTO seen (workspace, path, stamp, kind, content, reading) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspace, path) DO UPDATE SET
       stamp = excluded.stamp, kind = excluded.kind, content = excluded.content, reading = excluded.reading`,
    ...[workspace, path, stamp, kind, content, reading],
  )
}

/** Keeps nothing of a file any more. */
export async function removeSeen(queries: Queries, workspace: string, path: string): Promise<void> {
  await queries.run('DELETE FROM seen WHERE workspace = ? AND path = ?', workspace, path)
}
