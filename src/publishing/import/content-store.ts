import type { WorkspaceId } from '#brand/ids.ts'
import { type StoredObject, storedObject } from '#brand/snapshot.ts'
import { readerVersion } from '#intake/reader-version.ts'
import type { ContentWriter, ReadCache } from '#intake/reading.ts'
import { type MaybePromise, serial, settleAll } from '#platform/base/promise.ts'
import { putObjects } from '#store/catalogue/objects.ts'
import {
  type CachedFile,
  type FoundFile,
  findCachedFrom,
  listCachedPaths,
  putCached,
  removeCached,
} from '#store/catalogue/read-cache.ts'
import type { Store } from '#store/store.ts'

/** Writes content into the store. After `flush` it is durable, and pointers may refer to it. */
export type StoreWriter = ContentWriter & {
  object: (object: StoredObject) => MaybePromise<void>
  flush: () => Promise<void>
  discard: () => void
}

/** Makes a writer for the content of a workspace. `discard` removes files that were not flushed. */
export function storeWriter(store: Store, workspace: WorkspaceId): StoreWriter {
  const incoming = store.files.receive(workspace)
  const objects = batchWriter<StoredObject>(
    BATCH_BYTES,
    ({ bytes }) => bytes.length,
    batch => store.database.transaction(queries => putObjects(queries, workspace, batch)),
  )
  return {
    object: objects.add,
    text: bytes => {
      const object = storedObject(bytes)
      return objects.add(object)?.then(() => object.hash) ?? object.hash
    },
    file: incoming.add,
    flush: async () => {
      await settleAll([objects.flush(), incoming.commit()])
    },
    discard: incoming.discard,
  }
}

const BATCH_BYTES = 4 << 20

/**
 * Collects items and writes them in one batch as soon as their sizes add up to `batchSize`. `add` returns a promise only
 * if it writes.
 */
function batchWriter<Item>(
  batchSize: number,
  sizeOf: (item: Item) => number,
  write: (items: readonly Item[]) => Promise<unknown>,
) {
  let batch: Item[] = []
  let size = 0
  const flush = async () => {
    const items = batch
    batch = []
    size = 0
    if (items.length > 0) await write(items)
  }
  return {
    add: (item: Item) => {
      batch.push(item)
      size += sizeOf(item)
      return size < batchSize ? undefined : flush()
    },
    flush,
  }
}

/** The read cache of a workspace; `save` is called once everything is read. */
export type StoreReadCache = ReadCache & { save: () => Promise<void> }

/** Caches what the readers have read. An entry counts only if the store has its content, so order does not matter. */
export async function storeReadCache({ database, files }: Store, workspace: WorkspaceId): Promise<StoreReadCache> {
  const version = readerVersion()
  const storedFiles = await files.list(workspace)
  /** The cached paths that no reader has requested yet. In the end, their files are gone from the folder. */
  const unused = new Set(await listCachedPaths(database, workspace))
  const lookUp = withPrefetch(path => findCachedFrom(database, workspace, path))
  const writer = batchWriter<CachedFile>(
    BATCH_LENGTH,
    ({ value }) => value.length,
    batch =>
      database.transaction(async queries => {
        for (const file of batch) await putCached(queries, workspace, file)
      }),
  )
  return {
    find: async (path, fingerprint) => {
      const file = unused.has(path) ? await lookUp(path) : undefined
      if (file?.fingerprint !== `${version} ${fingerprint}`) return undefined
      const isStored = file.kind === 'file' ? storedFiles.has(file.content) : file.isObject
      if (!isStored) return undefined
      unused.delete(path)
      return file.value
    },
    keep: (path, fingerprint, { kind, content, reading: value }) => {
      unused.delete(path)
      return writer.add({ path, fingerprint: `${version} ${fingerprint}`, kind, content, value })
    },
    save: async () => {
      await writer.flush()
      if (unused.size === 0) return
      await database.transaction(async queries => {
        for (const path of unused) await removeCached(queries, workspace, path)
      })
    },
  }
}

/** The total length of the values in a batch, in characters. */
const BATCH_LENGTH = 4 << 20

/** Looks up each path once. A query also fetches the following files, because they are needed next. */
function withPrefetch(
  findFrom: (path: string) => Promise<FoundFile[]>,
): (path: string) => Promise<FoundFile | undefined> {
  const prefetched = new Map<string, FoundFile>()
  const inTurn = serial()
  const lookUp = async (path: string) => {
    if (prefetched.size > MAX_PREFETCHED) prefetched.clear() // Files that were removed from the folder are never looked up.
    if (!prefetched.has(path)) for (const file of await findFrom(path)) prefetched.set(file.path, file)
    const file = prefetched.get(path)
    prefetched.delete(path)
    return file
  }
  return path => inTurn(() => lookUp(path))
}

const MAX_PREFETCHED = 32
