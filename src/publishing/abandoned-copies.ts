import { listCopies, removeCopy } from '#store/catalogue/copies.ts'
import type { Store } from '#store/store.ts'

/** The name of the lock that a process holds while it copies. Repeated copies over one target share a lock file. */
export function copyLock(id: string): string {
  return `copy ${id}`
}

/** Removes the entries of copies whose processes are gone. A copy moves its pointers last, so there is nothing to undo. */
export async function undoAbandonedCopies({ database, locks }: Store): Promise<void> {
  for (const copy of await listCopies(database)) {
    await using lock = await locks.tryAcquire(copyLock(copy.id), 'exclusive')
    if (lock) await database.transaction(queries => removeCopy(queries, copy))
  }
}
