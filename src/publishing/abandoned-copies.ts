import { serial } from '../base/promise.ts'
import { listCopies, removeCopy } from '../store/catalogue/copies.ts'
import type { Store } from '../store/store.ts'
import type { OutageReporter } from '../telemetry/outage-log.ts'

/** The name of the lock that a process holds while it copies. Repeated copies over one target share a lock file. */
export function copyLock(id: string): string {
  return `copy ${id}`
}

/** Removes the entries of copies whose processes are gone. A copy moves its pointers last, so there is nothing to undo. */
export async function undoAbandonedCopies({ database, locks }: Store): Promise<void> {
  for (const copy of await listCopies(database)) {
    const lock = await locks.tryAcquire(copyLock(copy.id), 'exclusive')
    if (!lock) continue
    try {
      await database.transaction(queries => removeCopy(queries, copy))
    } finally {
      await lock.release()
    }
  }
}

/** Does such work once a second, so that a running service soon has its result. Returns the function that stops it. */
export function everySecond(work: () => Promise<void>, reporter: OutageReporter): () => Promise<void> {
  const inTurn = serial()
  const attempt = () => work().then(reporter.worked, reporter.failed)
  const timer = setInterval(() => void inTurn(attempt), INTERVAL_MS).unref()
  return async () => {
    clearInterval(timer)
    await inTurn(() => undefined)
  }
}

const INTERVAL_MS = 1000
