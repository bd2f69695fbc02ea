import type { WorkspaceId } from '../brand/ids.ts'
import { type StoredObject, storedObject } from '../brand/snapshot.ts'
import type { Sink } from '../intake/sink.ts'
import { putObjects } from '../store/objects.ts'
import type { Store } from '../store/store.ts'

/** A sink that keeps what is read in the store; `flush` when all is read, before a pointer moves. */
export type StoreSink = Sink & { flush: () => Promise<void> }

/** Keeps texts in batches, so that an import makes few transactions, and files as they come. */
export function storeSink(store: Store, workspace: WorkspaceId): StoreSink {
  let batch: StoredObject[] = []
  let size = 0
  const flush = async () => {
    const objects = batch
    batch = []
    size = 0
    if (objects.length > 0) await store.database.transaction(queries => putObjects(queries, workspace, objects))
  }
  return {
    text: async bytes => {
      const object = storedObject(bytes)
      batch.push(object)
      size += bytes.length
      if (size >= BATCH_BYTES) await flush()
      return object.hash
    },
    file: (path, hash) => store.files.put(workspace, path, hash),
    flush,
  }
}

const BATCH_BYTES = 4 << 20
