import type { Database } from './database/database.ts'

/** The time of day that a store goes by: that of its database, which all machines share, or that of this machine. */
export type StoreClock = {
  /** In milliseconds. */
  now: () => number
  date: () => Date
  /** By how many milliseconds it is ahead of the clock of this machine, as found last; 0 if the database is on it. */
  offsetMs: () => number
  /** Asks the database again. Throws if it does not answer, and goes on with what was found last. */
  refresh: () => Promise<void>
}

/** How far apart clocks may be before anything goes wrong, in milliseconds: the leeway of tokens. */
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

/** Of some questions, the one with the quickest answer says most: it was asked and answered within that time. */
async function measureOffset(timeOfDay: () => Promise<number>, machine: () => number): Promise<number> {
  let best = { offsetMs: 0, tookMs: Number.POSITIVE_INFINITY }
  for (let tries = 0; tries < TRIES && best.tookMs > QUICK_MS; tries++) {
    const asked = machine()
    const time = await timeOfDay()
    const tookMs = machine() - asked
    if (tookMs < best.tookMs) best = { offsetMs: time - (asked + tookMs / 2), tookMs }
  }
  return Math.round(best.offsetMs)
}

const TRIES = 3
const QUICK_MS = 50

/** How far apart the clocks are, for people, if it is more than may be: `30 s behind the database clock`. */
export function clockDifference(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) <= CLOCK_LEEWAY_MS) return undefined
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return `${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the database clock`
}
