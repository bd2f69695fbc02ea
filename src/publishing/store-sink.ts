import { allEnded } from '../brand/all-ended.ts'
import type { WorkspaceId } from '../brand/ids.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type StoredObject, storedObject } from '../brand/snapshot.ts'
import type { Sink } from '../intake/sink.ts'
import { putObjects } from '../store/objects.ts'
import type { Store } from '../store/store.ts'

/** A sink that keeps what is read in the store: safely once it was flushed, before a pointer moves. */
export type StoreSink = Sink & {
  object: (object: StoredObject) => MaybePromise<void>
  flush: () => Promise<void>
  /** Forgets files that were not flushed. */
  discard: () => void
}

/** Keeps texts and other objects in batches, so that an import makes few transactions, and files together. */
export function storeSink(store: Store, workspace: WorkspaceId): StoreSink {
  const incoming = store.files.receive(workspace)
  let batch: StoredObject[] = []
  let size = 0
  const flushObjects = async () => {
    const objects = batch
    batch = []
    size = 0
    if (objects.length > 0) await store.database.transaction(queries => putObjects(queries, workspace, objects))
  }
  const keep = (object: StoredObject) => {
    batch.push(object)
    size += object.bytes.length
    return size < BATCH_BYTES ? undefined : flushObjects()
  }
  return {
    object: keep,
    text: bytes => {
      const object = storedObject(bytes)
      return keep(object)?.then(() => object.hash) ?? object.hash
    },
    file: incoming.add,
    flush: async () => {
      await allEnded([flushObjects(), incoming.settle()])
    },
    discard: incoming.discard,
  }
}

const BATCH_BYTES = 4 << 20
