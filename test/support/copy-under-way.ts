import type { ProjectRef } from '#brand/ids.ts'
import { copyLock } from '#publishing/abandoned-copies.ts'
import { addCopy } from '#store/catalogue/copies.ts'
import type { Store } from '#store/store.ts'

/** Records a copy as in progress. Returns a function that makes it look abandoned. */
export async function copyUnderWay(store: Store, source: ProjectRef, target: ProjectRef): Promise<() => void> {
  const id = `${target.workspace}/${target.project}`
  const lock = await store.locks.tryAcquire(copyLock(id), 'exclusive')
  if (!lock) throw new Error('a new lock is already held')
  await store.database.transaction(queries => addCopy(queries, { id, source, target }))
  return () => void lock.release()
}
