import { randomUUID } from 'node:crypto'
import { copyLock, type ProjectRef } from '../../src/publishing/project-ref.ts'
import { addCopy } from '../../src/store/catalogue/copies.ts'
import type { Store } from '../../src/store/store.ts'

/** Makes a store say that a copy is under way until whoever makes it is gone, which is what it gives. */
export async function copyUnderWay(store: Store, source: ProjectRef, target: ProjectRef): Promise<() => void> {
  const id = randomUUID()
  const release = store.locks.take(copyLock(id), 'exclusive')
  if (!release) throw new Error('a new lock is held already')
  await store.database.transaction(queries => addCopy(queries, { id, source, target }))
  return release
}
