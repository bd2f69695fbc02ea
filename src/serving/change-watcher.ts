import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../store/database/database.ts'
import type { Outage } from '../telemetry/tell-once.ts'
import type { Pointers } from './pointers.ts'

/**
 * Runs the work soon after anything has been committed to the store, by this process or another: never twice at once,
 * and once more for what comes while it runs. Work that fails is told, once for the outage, and tried again.
 */
export function watchChanges(
  database: Database,
  work: () => Promise<void>,
  { look }: Pick<Outage, 'look'>,
): ChangeWatcher {
  const ending = new AbortController()
  const working = look()
  let running: Promise<void> | undefined
  let isDue = true
  const run = async () => {
    while (isDue && !ending.signal.aborted) {
      isDue = false
      try {
        await work()
        working.worked()
      } catch (error) {
        working.failed(error)
        isDue = true
        await sleep(RETRY_MS, undefined, ending).catch(() => undefined)
      }
    }
    running = undefined
  }
  const now = () => {
    isDue = true
    running ??= run()
    return running
  }
  const unwatch = database.watch(now, look())
  running = run()
  return {
    now,
    end: async () => {
      unwatch()
      ending.abort()
      await running
    },
  }
}

/** Follows a store until its end. */
export type ChangeWatcher = {
  /** Runs the work without waiting to notice that something was committed; done when it is. */
  now: () => Promise<void>
  end: () => Promise<void>
}

const RETRY_MS = 500

/** What a service does when something has moved. */
export type Moved = {
  /** Reads anew what tokens are checked against. */
  refreshAccess: () => Promise<unknown>
  /** Drops what is kept of a workspace and no longer served. */
  dropReplaced: (workspace: string) => Promise<void>
}

/** The work that a service does then: it reads what has moved, and does what follows from it until that has worked. */
export function followerOf(pointers: Pointers, { refreshAccess, dropReplaced }: Moved): () => Promise<void> {
  let isAccessDue = false
  const due = new Set<string>()
  return async () => {
    const { workspaces, access } = await pointers.follow()
    isAccessDue ||= access
    for (const workspace of workspaces) due.add(workspace)
    if (isAccessDue) await refreshAccess()
    isAccessDue = false
    for (const workspace of due) {
      await dropReplaced(workspace)
      due.delete(workspace)
    }
  }
}
