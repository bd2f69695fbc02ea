import { serial } from '../../base/promise.ts'
import type { ReadCache } from '../../intake/cache/read-cache.ts'
import { readerVersion } from '../../intake/cache/reader-version.ts'
import {
  type CachedReading,
  type FoundReading,
  findReadingsFrom,
  listReadings,
  putReadings,
  removeReadings,
} from '../../store/catalogue/read-cache.ts'
import type { Store } from '../../store/store.ts'
import { batchWriter } from './batch-writer.ts'

/** What was read of a workspace before; `save` when all is read. */
export type StoreReadCache = ReadCache & { save: () => Promise<void> }

/**
 * Remembers in the catalogue what this version of the readers has read. It gives only what refers to content that the
 * store has, so it may be kept before that is safely there, and forgotten at any time.
 */
export async function storeReadCache({ database, files }: Store, workspace: string): Promise<StoreReadCache> {
  const version = readerVersion()
  const present = await files.list(workspace)
  const gone = new Set(await listReadings(database, workspace))
  const take = takeInTurn(path => findReadingsFrom(database, workspace, path))
  const kept = batchWriter<CachedReading>(
    BATCH_LENGTH,
    ({ reading }) => reading.length,
    batch =>
      database.transaction(async queries => {
        for (const file of batch) await putReadings(queries, workspace, file)
      }),
  )
  return {
    find: async (path, stamp) => {
      const file = gone.has(path) ? await take(path) : undefined
      if (file?.stamp !== `${version} ${stamp}`) return undefined
      if (file.kind === 'file' ? !present.has(file.content) : !file.isObject) return undefined
      gone.delete(path)
      return file.reading
    },
    keep: (path, stamp, file) => {
      gone.delete(path)
      return kept.add({ path, stamp: `${version} ${stamp}`, ...file })
    },
    save: async () => {
      await kept.flush()
      if (gone.size === 0) return
      await database.transaction(async queries => {
        for (const path of gone) await removeReadings(queries, workspace, path)
      })
    },
  }
}

const BATCH_LENGTH = 4 << 20

/** Takes each file once, with one look into the catalogue for some that follow each other. */
function takeInTurn(
  lookFrom: (path: string) => Promise<FoundReading[]>,
): (path: string) => Promise<FoundReading | undefined> {
  const near = new Map<string, FoundReading>()
  const inTurn = serial()
  const take = async (path: string) => {
    if (near.size > MAX_NEAR) near.clear() // Files that are gone are never taken.
    if (!near.has(path)) for (const file of await lookFrom(path)) near.set(file.path, file)
    const file = near.get(path)
    near.delete(path)
    return file
  }
  return path => inTurn(() => take(path))
}

const MAX_NEAR = 32
