import { type Queries, textOf } from './database.ts'

/** What an import read of a file, as it is kept for the next. */
export type SeenFile = { path: string; stamp: string; kind: 'page' | 'file'; content: string; reading: string }

/** All that is kept of a workspace, but for pages whose content is not in the catalogue. */
export async function listSeen(queries: Queries, workspace: string): Promise<SeenFile[]> {
  const rows = await queries.all(
    `SELECT path, stamp, kind, content, reading FROM seen s WHERE workspace = ? AND (kind = 'file'
       OR EXISTS (SELECT 1 FROM object o WHERE o.workspace = s.workspace AND o.hash = s.content))`,
    workspace,
  )
  return rows.map(row => ({
    path: textOf(row, 'path'),
    stamp: textOf(row, 'stamp'),
    kind: textOf(row, 'kind') === 'page' ? 'page' : 'file',
    content: textOf(row, 'content'),
    reading: textOf(row, 'reading'),
  }))
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
