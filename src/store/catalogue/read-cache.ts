import type { Queries } from '../database/database.ts'
import { choice, defineRows, defineTable, flag, type RecordOf, readTexts, text } from '../database/table.ts'

const FILE = {
  path: text('path'),
  /** The size and times of the file, and the version of the readers that read it. */
  fingerprint: text('stamp'),
  kind: choice('kind', 'file', 'page'),
  /** The hash of the file's content. */
  content: text('content'),
  /** The data as JSON. */
  value: text('reading'),
}

/** The data that imports have read from files, kept for the next import. */
const CACHED = defineTable('seen', { workspace: text('workspace'), ...FILE })

export type CachedFile = Omit<RecordOf<typeof CACHED>, 'workspace'>

/** The paths of all cached files of a workspace. */
export function listCachedPaths(queries: Queries, workspace: string): Promise<string[]> {
  return readTexts(queries, 'SELECT path FROM seen WHERE workspace = ?', workspace)
}

const FOUND = defineRows('seen', {
  ...FILE,
  isObject: flag(`CASE WHEN EXISTS (SELECT 1 FROM object o WHERE o.workspace = seen.workspace AND o.hash = seen.content)
    THEN 1 ELSE 0 END AS is_object`),
})

/** A cached file, and whether the catalogue has an object with its content. */
export type FoundFile = RecordOf<typeof FOUND>

/**
 * The next cached files starting at a path, by path. An import requests them in nearly this order. They are few, because
 * each value may be as long as a page.
 */
export function findCachedFrom(queries: Queries, workspace: string, path: string): Promise<FoundFile[]> {
  return FOUND.all(queries, 'WHERE workspace = ? AND path >= ? ORDER BY path LIMIT 16', workspace, path)
}

/** Caches a file, and replaces its previous entry. */
export async function putCached(queries: Queries, workspace: string, file: CachedFile): Promise<void> {
  const replace = `ON CONFLICT (workspace, path) DO UPDATE SET
    stamp = excluded.stamp, kind = excluded.kind, content = excluded.content, reading = excluded.reading`
  await CACHED.add(queries, { workspace, ...file }, replace)
}

/** Removes a file from the cache. */
export async function removeCached(queries: Queries, workspace: string, path: string): Promise<void> {
  await queries.run('DELETE FROM seen WHERE workspace = ? AND path = ?', workspace, path)
}
