import type { Database } from './database/database.ts'

/**
 * The time of day that a store uses: the time of its database, which all machines share, or of this machine. Otherwise a
 * token could be invalid on a machine whose clock is behind, and dates of revisions out of order. TLS, signatures for
 * buckets and the `Date` header use the machine's clock, because others check them.
 */
export type StoreClock = {
  /** In milliseconds. */
  now: () => number
  date: () => Date
  /** The latest measured lead over the clock of this machine, in milliseconds; 0 if the database is on this machine. */
  offsetMs: () => number
  /** Queries the database time again. Throws if the database does not answer, and keeps the previous offset. */
  refresh: () => Promise<void>
}

/** The largest harmless difference between clocks, in milliseconds: the leeway of tokens. */
const CLOCK_LEEWAY_MS = 5000

/** Opens the clock of a store. `machine` is the clock of this machine, in milliseconds. */
export async function openClock({ timeOfDay }: Pick<Database, 'timeOfDay'>, machine = Date.now): Promise<StoreClock> {
  let offsetMs = 0
  const clock: StoreClock = {
    now: () => machine() + offsetMs,
    date: () => new Date(clock.now()),
    offsetMs: () => offsetMs,
    refresh: async () => {
      if (timeOfDay) offsetMs = await measureOffset(timeOfDay, machine)
    },
  }
  await clock.refresh()
  return clock
}

/** Measures the offset several times and uses the quickest answer, which is the most precise. */
async function measureOffset(timeOfDay: () => Promise<number>, machine: () => number): Promise<number> {
  let best = { offsetMs: 0, tookMs: Number.POSITIVE_INFINITY }
  for (let tries = 0; tries < TRIES && best.tookMs > QUICK_MS; tries++) {
    const startedAt = machine()
    const time = await timeOfDay()
    const tookMs = machine() - startedAt
    // The database read its clock about in the middle of that time.
    if (tookMs < best.tookMs) best = { offsetMs: time - (startedAt + tookMs / 2), tookMs }
  }
  return Math.round(best.offsetMs)
}

const TRIES = 3
/** An answer in this time is precise enough. */
const QUICK_MS = 50

/** The difference between the clocks for messages, if it is too large: `30 s behind the database clock`. */
export function clockDifference(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) <= CLOCK_LEEWAY_MS) return undefined
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return `${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the database clock`
}
