import { allEnded } from '../brand/all-ended.ts'
import type { WorkspaceId } from '../brand/ids.ts'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type StoredObject, storedObject } from '../brand/snapshot.ts'
import type { Sink } from '../intake/sink.ts'
import { putObjects } from '../store/objects.ts'
import type { Store } from '../store/store.ts'
import { inBatches } from './batches.ts'

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
  const objects = inBatches<StoredObject>(
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
      await allEnded([objects.flush(), incoming.settle()])
    },
    discard: incoming.discard,
  }
}

const BATCH_BYTES = 4 << 20
