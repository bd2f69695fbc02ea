import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '#platform/base/promise.ts'
import type { OutageLog, OutageReporter } from '#platform/telemetry/outage-log.ts'
import { assertWritable, type Moves } from '#store/catalogue/changes.ts'
import type { Database } from '#store/database/database.ts'
import type { Pointers } from './pointers.ts'

export type ChangeWatcher = {
  /** Handles committed changes now, before they are noticed. */
  checkNow: () => Promise<void>
  /**
   * Resolves once the store has been checked, or after three seconds, if this process was stopped, suspended or blocked
   * for more than half a second. Undefined otherwise, and if the store could not be read before.
   */
  afterPause: () => Promise<void> | undefined
  stop: () => Promise<void>
}

/**
 * Calls the handler soon after any process has committed something to the store. Calls never overlap; a commit during a
 * call causes one more call. A failure of the handler is logged, and it is called again. `isReplaced` is true if the
 * database may be another one. `clock` is the time of day in milliseconds, because monotonic clocks stop while a
 * machine is suspended; a step of it costs one check (decisions/0003).
 */
export function watchChanges(
  database: Database,
  handle: (isReplaced: boolean) => Promise<void>,
  outages: Pick<OutageLog, 'reporter'>,
  clock: () => number,
): ChangeWatcher {
  const calls = openCalls(handle, outages.reporter())
  const unwatch = database.watch(calls.request, outages.reporter())
  void calls.request()
  const afterPause = checkAfterPauses(clock, () => (calls.isFailing() ? undefined : calls.request()))
  const timer = setInterval(afterPause, ALIVE_MS).unref()
  return {
    checkNow: () => calls.request(),
    afterPause,
    stop: async () => {
      unwatch()
      clearInterval(timer)
      await calls.stop()
    },
  }
}

/** Calls of a handler that never overlap: requests during a call cause one more, as does a failure. */
function openCalls(handle: (isReplaced: boolean) => Promise<void>, reporter: OutageReporter) {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isDue = false
  let isReplaced = false
  let isFailing = false
  const call = async () => {
    isDue = false
    const wasReplaced = isReplaced
    isReplaced = false
    try {
      await handle(wasReplaced)
      isFailing = false
      reporter.worked()
    } catch (error) {
      isFailing = true
      reporter.failed(error)
      isDue = true
      await sleep(RETRY_MS, undefined, stopping).catch(() => undefined)
    }
  }
  const run = async () => {
    while (isDue && !stopping.signal.aborted) await call()
    running = undefined
  }
  return {
    /** Resolves once the handler has succeeded after this request, or was stopped. */
    request: (mayDiffer = false): Promise<void> => {
      isReplaced ||= mayDiffer
      isDue = true
      running ??= run()
      return running
    },
    isFailing: () => isFailing,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

const RETRY_MS = 500
/** A process that runs calls `afterPause` at least this often, so a longer time without a call is a pause. */
const ALIVE_MS = 100

/** Returns a function that notes each time it is called, and checks after a long time without a call. */
function checkAfterPauses(
  clock: () => number,
  check: () => Promise<void> | undefined,
): () => Promise<void> | undefined {
  let aliveMs = clock()
  /** Ends when the latest check after a pause has ended. */
  let recovery: Promise<void> | undefined
  return () => {
    const pausedMs = Math.abs(clock() - aliveMs)
    aliveMs = clock()
    const checked = pausedMs > PAUSE_MS ? check() : undefined
    if (!checked) return recovery
    const latest = withTimeout(MAX_WAIT_MS, checked, () => undefined).then(() => {
      if (recovery === latest) recovery = undefined
    })
    recovery = latest
    return recovery
  }
}

/** The longest wait for a check after a pause. */
const MAX_WAIT_MS = 3000
/** A longer time without a call is a pause. */
const PAUSE_MS = 500

/** The effects of changes in the rest of the service. */
export type ChangeEffects = {
  /** Forgets the data of a database that is now an older one; refuses tokens until `refreshAccess` succeeds. */
  forgetAll?: () => void
  /** Reloads the data that tokens and share links are checked against; if replaced, even without a new change. */
  refreshAccess: (isReplaced: boolean) => Promise<unknown>
  /** Drops cached content of a workspace that is no longer served. */
  dropReplaced: (workspace: string) => Promise<void>
  /** Called with the number of projects published and unpublished since the last call. */
  recordMoves?: (moves: Moves) => void
  /** Sends the events of the changes, after access data is reloaded. */
  deliverEvents?: () => Promise<void>
}

/**
 * Creates the change handler: it reads the new pointers and repeats each effect until it succeeds. If the database lacks
 * known changes, the handler starts again with it, once it can be written. If the database was replaced, but has at least
 * as many changes, the handler reads access and the pointers of recent changes again. `mayDiffer` says that it may have
 * been replaced.
 */
export function changeHandler(
  database: Database,
  pointers: Pointers,
  effects: ChangeEffects,
): (mayDiffer?: boolean) => Promise<void> {
  const { refreshAccess, dropReplaced, recordMoves, deliverEvents } = effects
  const restart = openRestart(database, pointers, effects)
  // Each stays true until its effect has succeeded, because a failure ends a call at any step.
  let isOutdated = false
  let isReplaced = false
  let isAccessDue = false
  /** The workspaces whose replaced content is not dropped yet. */
  const due = new Set<string>()
  return async (mayDiffer = false) => {
    isReplaced ||= mayDiffer
    // Remains true for a late standby: after its promotion, new changes may reuse the numbers of lost ones.
    isOutdated ||= await pointers.isOutdated()
    if (isOutdated) {
      await restart()
      isOutdated = false
      isAccessDue = true
    }
    const { workspaces, access, moves } = await pointers.refresh(isReplaced)
    if (!isReplaced) recordMoves?.(moves)
    isAccessDue ||= access || isReplaced
    for (const workspace of workspaces) due.add(workspace)
    if (isAccessDue) await refreshAccess(isReplaced)
    isAccessDue = false
    isReplaced = false
    await deliverEvents?.()
    for (const workspace of due) {
      await dropReplaced(workspace)
      due.delete(workspace)
    }
  }
}

/** Makes the function that starts again with another database. It forgets all once, even if it must be called again. */
function openRestart(database: Database, pointers: Pointers, { forgetAll }: ChangeEffects): () => Promise<void> {
  let hasForgotten = false
  return async () => {
    if (!hasForgotten) {
      await assertWritable(database)
      forgetAll?.()
      hasForgotten = true
    }
    await pointers.restart()
    hasForgotten = false
  }
}
