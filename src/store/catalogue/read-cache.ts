import { numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** What an import read of a file, as it is kept for the next. */
export type CachedReading = { path: string; stamp: string; kind: 'page' | 'file'; content: string; reading: string }

/** The paths of all files of a workspace that something is kept of. */
export async function listReadings(queries: Queries, workspace: string): Promise<string[]> {
  const rows = await queries.all('SELECT path FROM seen WHERE workspace = ?', workspace)
  return rows.map(row => textOf(row, 'path'))
}

/** What is kept of a file, and whether the catalogue has an object of this content. */
export type FoundReading = CachedReading & { isObject: boolean }

/** What is kept of a file and of the next few, by path: files are asked for nearly in that order. */
export async function findReadingsFrom(queries: Queries, workspace: string, path: string): Promise<FoundReading[]> {
  return (await queries.all(FROM, workspace, path)).map(foundOf)
}

/** So few that their readings take little memory, each of which may be as long as a page. */
const FROM = `SELECT path, stamp, kind, content, reading, CASE WHEN EXISTS
    (SELECT 1 FROM object o WHERE o.workspace = s.workspace AND o.hash = s.content) THEN 1 ELSE 0 END AS is_object
  FROM seen s WHERE workspace = ? AND path >= ? ORDER BY path LIMIT 16`

function foundOf(row: Row): FoundReading {
  return {
    path: textOf(row, 'path'),
    stamp: textOf(row, 'stamp'),
    kind: textOf(row, 'kind') === 'page' ? 'page' : 'file',
    content: textOf(row, 'content'),
    reading: textOf(row, 'reading'),
    isObject: numberOf(row, 'is_object') === 1,
  }
}

/** Keeps what was read of a file in place of what was kept before. */
export async function putReadings(queries: Queries, workspace: string, file: CachedReading): Promise<void> {
  const { path, stamp, kind, content, reading } = file
  await queries.run(
    `INSERT INTO seen (workspace, path, stamp, kind, content, reading) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspace, path) DO UPDATE SET
       stamp = excluded.stamp, kind = excluded.kind, content = excluded.content, reading = excluded.reading`,
    workspace,
    path,
    stamp,
    kind,
    content,
    reading,
  )
}

/** Keeps nothing of a file any more. */
export async function removeReadings(queries: Queries, workspace: string, path: string): Promise<void> {
  await queries.run('DELETE FROM seen WHERE workspace = ? AND path = ?', workspace, path)
}
