import { numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** The data that an import has read from a file, kept in the table `seen` for the next import. */
export type CachedFile = {
  path: string
  /** The size and times of the file, and the version of the readers that read it. */
  fingerprint: string
  kind: 'page' | 'file'
  /** The hash of the file's content. */
  content: string
  /** The data as JSON. */
  value: string
}

/** The paths of all cached files of a workspace. */
export async function listCachedPaths(queries: Queries, workspace: string): Promise<string[]> {
  const rows = await queries.all('SELECT path FROM seen WHERE workspace = ?', workspace)
  return rows.map(row => textOf(row, 'path'))
}

/** A cached file, and whether the catalogue has an object with its content. */
export type FoundFile = CachedFile & { isObject: boolean }

/** The next cached files starting at a path, by path. An import requests them in nearly this order. */
export async function findCachedFrom(queries: Queries, workspace: string, path: string): Promise<FoundFile[]> {
  return (await queries.all(FROM, workspace, path)).map(foundOf)
}

/** Only a few rows, because each value may be as long as a page. */
const FROM = `SELECT path, stamp, kind, content, reading, CASE WHEN EXISTS
    (SELECT 1 FROM object o WHERE o.workspace = s.workspace AND o.hash = s.content) THEN 1 ELSE 0 END AS is_object
  FROM seen s WHERE workspace = ? AND path >= ? ORDER BY path LIMIT 16`

function foundOf(row: Row): FoundFile {
  return {
    path: textOf(row, 'path'),
    fingerprint: textOf(row, 'stamp'),
    kind: row.kind === 'page' ? 'page' : 'file',
    content: textOf(row, 'content'),
    value: textOf(row, 'reading'),
    isObject: numberOf(row, 'is_object') === 1,
  }
}

/** Caches a file, and replaces its previous entry. */
export async function putCached(queries: Queries, workspace: string, file: CachedFile): Promise<void> {
  const { path, fingerprint, kind, content, value } = file
  await queries.run(
    `INSERT INTO seen (workspace, path, stamp, kind, content, reading) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspace, path) DO UPDATE SET
       stamp = excluded.stamp, kind = excluded.kind, content = excluded.content, reading = excluded.reading`,
    workspace,
    path,
    fingerprint,
    kind,
    content,
    value,
  )
}

export async function removeCached(queries: Queries, workspace: string, path: string): Promise<void> {
  await queries.run('DELETE FROM seen WHERE workspace = ? AND path = ?', workspace, path)
}
