import { readerVersion } from '../intake/reader-version.ts'
import type { Seen } from '../intake/seen.ts'
import { type FoundSeen, findSeenFrom, listSeen, putSeen, removeSeen, type SeenFile } from '../store/seen.ts'
import type { Store } from '../store/store.ts'
import { inBatches } from './batches.ts'

/** What was read of a workspace before; `save` when all is read. */
export type StoreSeen = Seen & { save: () => Promise<void> }

/**
 * Remembers in the catalogue what this version of the readers has read. It gives only what refers to content that the
 * store has, so it may be kept before that is safely there, and forgotten at any time.
 */
export async function storeSeen({ database, files }: Store, workspace: string): Promise<StoreSeen> {
  const version = readerVersion()
  const present = await files.list(workspace)
  const gone = new Set(await listSeen(database, workspace))
  const take = takeInTurn(path => findSeenFrom(database, workspace, path))
  const kept = inBatches<SeenFile>(
    BATCH_LENGTH,
    ({ reading }) => reading.length,
    batch =>
      database.transaction(async queries => {
        for (const file of batch) await putSeen(queries, workspace, file)
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
        for (const path of gone) await removeSeen(queries, workspace, path)
      })
    },
  }
}

const BATCH_LENGTH = 4 << 20

/** Takes each file once, with one look into the catalogue for some that follow each other. */
function takeInTurn(
  lookFrom: (path: string) => Promise<FoundSeen[]>,
): (path: string) => Promise<FoundSeen | undefined> {
  const near = new Map<string, FoundSeen>()
  let last: Promise<unknown> = Promise.resolve()
  const take = async (path: string) => {
    if (near.size > MOST_NEAR) near.clear() // Files that are gone are never taken.
    if (!near.has(path)) for (const file of await lookFrom(path)) near.set(file.path, file)
    const file = near.get(path)
    near.delete(path)
    return file
  }
  return path => {
    const next = last.then(() => take(path))
    last = next
    return next
  }
}

const MOST_NEAR = 32
