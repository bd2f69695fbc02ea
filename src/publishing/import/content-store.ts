import { type MaybePromise, settleAll } from '../../base/promise.ts'
import type { WorkspaceId } from '../../brand/ids.ts'
import { type StoredObject, storedObject } from '../../brand/snapshot.ts'
import type { ContentWriter } from '../../intake/reading.ts'
import { putObjects } from '../../store/catalogue/objects.ts'
import type { Store } from '../../store/store.ts'

/** Writes content into the store. After `flush` it is durable, and pointers may refer to it. */
export type StoreWriter = ContentWriter & {
  object: (object: StoredObject) => MaybePromise<void>
  flush: () => Promise<void>
  discard: () => void
}

/** Writes objects in batches, so that an import needs few transactions, and commits all files at once. */
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

type BatchWriter<Item> = {
  add: (item: Item) => Promise<void> | undefined
  flush: () => Promise<void>
}

/** Collects items and writes them in one batch as soon as their sizes add up to `batchSize`. */
export function batchWriter<Item>(
  batchSize: number,
  sizeOf: (item: Item) => number,
  write: (items: readonly Item[]) => Promise<unknown>,
): BatchWriter<Item> {
  let batch: Item[] = []
  let size = 0
  const flush = async () => {
    const items = batch
    batch = []
    size = 0
    if (items.length > 0) await write(items)
  }
  return {
    add: item => {
      batch.push(item)
      size += sizeOf(item)
      return size < batchSize ? undefined : flush()
    },
    flush,
  }
}
