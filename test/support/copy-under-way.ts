import { randomUUID } from 'node:crypto'
import { copyLock, type Place } from '../../src/publishing/place.ts'
import { addCopy } from '../../src/store/copies.ts'
import type { Store } from '../../src/store/store.ts'

/** Makes a store say that a copy is under way until whoever makes it is gone, which is what it gives. */
export async function copyUnderWay(store: Store, source: Place, target: Place): Promise<() => void> {
  const id = randomUUID()
  const letGo = store.locks.take(copyLock(id), 'exclusive')
  if (!letGo) throw new Error('a new lock is held already')
  await store.database.transaction(queries => addCopy(queries, { id, source, target }))
  return letGo
}
