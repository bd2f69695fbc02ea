import { setTimeout as sleep } from 'node:timers/promises'
import type { Moves } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { OutageLog } from '../../telemetry/outage-log.ts'
import type { Pointers } from './pointers.ts'

/** Watches a store for changes until it is stopped. */
export type ChangeWatcher = {
  /** Handles what was committed, without waiting until it is noticed. */
  checkNow: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Calls the handler soon after this process or another has committed something to the store. Calls never overlap; what
 * is committed during a call leads to one more. If the handler fails, that is logged and it is called again.
 */
export function watchChanges(
  database: Database,
  handle: () => Promise<void>,
  outages: Pick<OutageLog, 'reporter'>,
): ChangeWatcher {
  const stopping = new AbortController()
  const handling = outages.reporter()
  let running: Promise<void> | undefined
  let isDue = true
  const run = async () => {
    while (isDue && !stopping.signal.aborted) {
      isDue = false
      try {
        await handle()
        handling.worked()
      } catch (error) {
        handling.failed(error)
        isDue = true
        await sleep(RETRY_MS, undefined, stopping).catch(() => undefined)
      }
    }
    running = undefined
  }
  const checkNow = () => {
    isDue = true
    running ??= run()
    return running
  }
  const unwatch = database.watch(checkNow, outages.reporter())
  running = run()
  return {
    checkNow,
    stop: async () => {
      unwatch()
      stopping.abort()
      await running
    },
  }
}

const RETRY_MS = 500

/** What follows from a change of the store. */
export type ChangeEffects = {
  /** Reads again what tokens and share links are checked against. */
  refreshAccess: () => Promise<unknown>
  /** Drops what is cached of a workspace and no longer served. */
  dropReplaced: (workspace: string) => Promise<void>
  /** Told of what was published since the last call. */
  moved?: (moves: Moves) => void
}

/** Makes the handler of changes: it reads the new pointers and applies each effect until that has worked. */
export function changeHandler(pointers: Pointers, effects: ChangeEffects): () => Promise<void> {
  const { refreshAccess, dropReplaced, moved } = effects
  let isAccessDue = false
  const due = new Set<string>()
  return async () => {
    const { workspaces, access, moves } = await pointers.refresh()
    moved?.(moves)
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
