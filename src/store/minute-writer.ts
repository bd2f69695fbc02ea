import { joinRuns, withTimeout } from '#platform/base/promise.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { outageOf } from './store-error.ts'

/** Writes to the store what a process has collected, until it is stopped. */
export type MinuteWriter = {
  /** Writes what is due. After a failure, it stays due. Concurrent callers share one write. */
  write: () => Promise<void>
  /** Writes for the last time; gives up after two seconds, for example if the store is unavailable. */
  stop: () => Promise<void>
}

/**
 * Writes each minute. `writeDue` does not use the store if nothing is due. Outages of the store are not logged here,
 * because its monitor and failed requests report them; other failures are logged with `problem`.
 */
export function openMinuteWriter(
  writeDue: () => Promise<void>,
  log: Pick<Log, 'error'>,
  problem: string,
): MinuteWriter {
  const write = joinRuns(() =>
    writeDue().catch((error: unknown) => {
      if (outageOf(error) === undefined) log.error({ err: error }, problem)
    }),
  )
  const timer = setInterval(write, EVERY_MS).unref()
  return {
    write,
    stop: async () => {
      clearInterval(timer)
      // A write that is under way may miss what became due since it began.
      await withTimeout(STOP_MS, write().then(write), () => undefined)
    },
  }
}

const EVERY_MS = 60_000
const STOP_MS = 2000
