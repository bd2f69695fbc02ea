import { clockDifference, type StoreClock } from '../../store/clock.ts'
import type { Log } from '../../telemetry/log.ts'

/**
 * Compares the clock of this machine with the database clock every minute. Logs when they differ too much, and when
 * they agree again. Returns the function that ends it.
 */
export function watchClock(clock: StoreClock, log: Log): () => void {
  let isApart = false
  const logChange = () => {
    const difference = clockDifference(clock.offsetMs())
    if (difference !== undefined && !isApart) log.warn({ offsetMs: clock.offsetMs() }, apart(difference))
    if (difference === undefined && isApart) log.info({}, 'the clock of this machine agrees with the database again')
    isApart = difference !== undefined
  }
  logChange()
  // Other code reports a database that does not answer.
  const timer = setInterval(() => void clock.refresh().then(logChange, () => undefined), REFRESH_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const REFRESH_MS = 60_000

function apart(difference: string): string {
  return `the clock of this machine is ${difference}, which the service uses: set it, for example with NTP`
}
