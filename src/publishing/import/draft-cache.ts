import { type MaybePromise, once } from '../../base/promise.ts'
import type { Hash, WorkspaceId } from '../../brand/ids.ts'
import type { SnapshotRoot } from '../../brand/snapshot.ts'
import type { DraftHead, DraftOrigin, DraftSource } from '../../intake/reading.ts'
import { findProject } from '../../store/catalogue/catalogue.ts'
import { findObject, hasObjects } from '../../store/catalogue/objects.ts'
import { type CachedFile, findCachedFrom, listLostPaths } from '../../store/catalogue/read-cache.ts'
import type { Database } from '../../store/database/database.ts'

/** The drafts of a workspace, each with a fingerprint of its source and its findings. */
export type DraftCache = {
  /** The draft made from the same source, if it is still the current draft and the store has all its content. */
  find: (head: DraftHead, source: DraftSource) => Promise<{ snapshot: Hash; found: string } | undefined>
  keep: (snapshot: Hash, origin: DraftOrigin) => MaybePromise<void>
}

/** The rows of the read cache: the paths not used so far, and a function that writes rows. */
type CacheRows = {
  version: string
  unused: Set<string>
  storedFiles: ReadonlySet<string>
  write: (row: CachedFile) => MaybePromise<void>
}

/** Keeps drafts in rows of the read cache. A draft counts only if the rows of its files exist, too. */
export function draftCache(
  database: Database,
  workspace: WorkspaceId,
  { version, unused, storedFiles, write }: CacheRows,
): DraftCache {
  const lostPaths = once(() => listLostPaths(database, workspace, storedFiles))
  const isWhole = async (snapshot: Hash, files: readonly string[]) => {
    const lost = await lostPaths()
    return files.every(file => unused.has(file) && !lost.has(file)) && hasSnapshot(database, workspace, snapshot)
  }
  return {
    find: async ({ project }, { folder, files, fingerprint }) => {
      const path = `${folder}/`
      const [row] = unused.has(path) ? await findCachedFrom(database, workspace, path) : []
      if (row?.path !== path || row.fingerprint !== `${version} ${fingerprint}`) return undefined
      const snapshot = (await findProject(database, workspace, project))?.draft.snapshot
      if (snapshot === undefined || snapshot !== row.content || !(await isWhole(snapshot, files))) return undefined
      for (const used of [path, ...files]) unused.delete(used)
      return { snapshot, found: row.value }
    },
    keep: (snapshot, { folder, fingerprint, found }) => {
      const path = `${folder}/`
      unused.delete(path)
      return write({ path, fingerprint: `${version} ${fingerprint}`, kind: 'draft', content: snapshot, value: found })
    },
  }
}

/** Whether the store has the root and the lists of a snapshot. */
async function hasSnapshot(database: Database, workspace: WorkspaceId, snapshot: Hash): Promise<boolean> {
  const bytes = await findObject(database, workspace, snapshot)
  if (!bytes) return false
  const { pages, colors, types, files }: SnapshotRoot = JSON.parse(new TextDecoder().decode(bytes))
  return hasObjects(database, workspace, [...pages, ...colors, ...types, ...files])
}
