import { withTimeout } from '../../base/promise.ts'
import { recordLastUses } from '../../store/access/last-uses.ts'
import type { Database } from '../../store/database/database.ts'
import { outageOf } from '../../store/outage.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Uses } from './uses.ts'

/** Writes uses to the store until it is stopped. */
export type UseWriter = {
  /** Writes the uses that are due. After a failure, they stay due. Concurrent callers share one write. */
  write: () => Promise<void>
  /** Writes the last uses; gives up after two seconds, for example if the store is unavailable. */
  stop: () => Promise<void>
}

/**
 * Writes the uses of this process each minute. Without any, it does not use the store. Outages of the store are not
 * logged here, because its monitor and failed requests report them.
 */
export function openUseWriter(database: Database, uses: Uses, log: Pick<Log, 'error'>): UseWriter {
  let writing: Promise<void> | undefined
  const writeDue = async () => {
    const due = uses.due(MAX_AT_ONCE)
    if (due.length === 0) return
    try {
      await recordLastUses(database, due)
      uses.written(due)
    } catch (error) {
      if (outageOf(error) === undefined) log.error({ err: error }, 'cannot record the last uses of tokens and links')
    }
  }
  const write = () => {
    writing ??= writeDue().finally(() => {
      writing = undefined
    })
    return writing
  }
  const timer = setInterval(write, EVERY_MS)
  timer.unref()
  return {
    write,
    stop: async () => {
      clearInterval(timer)
      const last = (writing ?? Promise.resolve()).then(write)
      await withTimeout(STOP_MS, last, () => undefined)
    },
  }
}

const EVERY_MS = 60_000
const STOP_MS = 2000
/** Others wait for the next minute, so that a transaction stays short. */
const MAX_AT_ONCE = 10_000
