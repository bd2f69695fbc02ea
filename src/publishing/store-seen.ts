import { readerVersion } from '../intake/reader-version.ts'
import type { Seen } from '../intake/seen.ts'
import { listSeen, putSeen, removeSeen, type SeenFile } from '../store/seen.ts'
import type { Store } from '../store/store.ts'

/** What was read of a workspace before; `save` when all is read. */
export type StoreSeen = Seen & { save: () => Promise<void> }

/**
 * Remembers in the catalogue what this version of the readers has read. It gives only what refers to content that the
 * store has, so it may be kept before that is safely there, and forgotten at any time.
 */
export async function storeSeen({ database, files }: Store, workspace: string): Promise<StoreSeen> {
  const version = readerVersion()
  const present = await files.list(workspace)
  const known = new Map<string, SeenFile>()
  const gone = new Set<string>()
  for (const file of await listSeen(database, workspace)) {
    gone.add(file.path)
    if (file.kind === 'page' || present.has(file.content)) known.set(file.path, file)
  }
  let batch: SeenFile[] = []
  let size = 0
  const saveBatch = async () => {
    const files = batch
    batch = []
    size = 0
    if (files.length === 0) return
    await database.transaction(async queries => {
      for (const file of files) await putSeen(queries, workspace, file)
    })
  }
  return {
    find: (path, stamp) => {
      const file = known.get(path)
      if (file?.stamp !== `${version} ${stamp}`) return undefined
      gone.delete(path)
      known.delete(path)
      return file.reading
    },
    keep: (path, stamp, file) => {
      gone.delete(path)
      batch.push({ path, stamp: `${version} ${stamp}`, ...file })
      size += file.reading.length
      return size < BATCH_LENGTH ? undefined : saveBatch()
    },
    save: async () => {
      await saveBatch()
      if (gone.size === 0) return
      await database.transaction(async queries => {
        for (const path of gone) await removeSeen(queries, workspace, path)
      })
    },
  }
}

const BATCH_LENGTH = 4 << 20
