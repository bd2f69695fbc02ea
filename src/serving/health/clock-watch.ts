import { clockDifference, type StoreClock } from '../../store/clock.ts'
import type { Log } from '../../telemetry/log.ts'

/**
 * Asks the database for its time each minute, and logs when its clock and that of this machine are too far apart, and
 * when they are so no longer. Gives the function that ends it.
 */
export function watchClock(clock: StoreClock, log: Log): () => void {
  let isApart = false
  const tell = () => {
    const difference = clockDifference(clock.offsetMs())
    if (difference !== undefined && !isApart) log.warn({ offsetMs: clock.offsetMs() }, apart(difference))
    if (difference === undefined && isApart) log.info({}, 'the clock of this machine agrees with the database again')
    isApart = difference !== undefined
  }
  tell()
  // That the database does not answer is told by others.
  const timer = setInterval(() => void clock.refresh().then(tell, () => undefined), REFRESH_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const REFRESH_MS = 60_000

function apart(difference: string): string {
  return `the clock of this machine is ${difference}, which the service goes by: set it, as with NTP`
}
