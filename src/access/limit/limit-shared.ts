import { randomInt } from 'node:crypto'
import { lockMemory, openLock } from '../../threads/lock.ts'
import { type NamesMemory, namesMemory, openNames, type SharedNames } from '../../threads/names.ts'
import type { Allowance, Limit, Rate } from './limit.ts'
import { openTimes, type SharedTimes, type TimesMemory, timesMemory } from './shared-times.ts'

/** What threads share to count together. */
export type LimitMemory = {
  rate: Rate
  lock: SharedArrayBuffer
  names: NamesMemory
  times: TimesMemory
  /** When each row last asked, also if it was refused. */
  asked: SharedArrayBuffer
  /** Whose turn it is to be looked at, to see whether it may be forgotten. */
  turn: SharedArrayBuffer
}

/** Memory for the limit of threads, with nothing spent. The system gives a part of it when that is first used. */
export function limitMemory(rate: Rate, maxNames: number = MAX_NAMES): LimitMemory {
  return {
    rate,
    lock: lockMemory(),
    names: namesMemory(maxNames, randomInt(2 ** 32)),
    times: timesMemory(maxNames, rate.requests),
    asked: new SharedArrayBuffer((maxNames + 1) * Float64Array.BYTES_PER_ELEMENT),
    turn: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  }
}

/** As many as the limit of one thread keeps. */
const MAX_NAMES = 100_000

/** The limit of a thread that counts together with others. */
export type SharedLimit = Limit<Allowance> & {
  /** To be called when another thread has ended. */
  ended: (thread: number) => void
}

/**
 * A limit that threads share: the exact sliding window of `memoryLimit`, in memory that all of them see. `thread` is a
 * number from 1 on that no other thread has. The clocks of the threads have to agree. Workspaces and addresses without
 * requests for a window are forgotten as new ones come. If there is no room for a new one, or for the times of its
 * requests, others are forgotten, of some that were looked at the one that was quiet for longest. If a thread is ended while
 * it counts, which takes it less than a microsecond, all counts begin anew.
 */
export function sharedLimit(memory: LimitMemory, thread: number): SharedLimit {
  const { rate } = memory
  const windowMs = rate.seconds * 1000
  const [lock, names, times] = [openLock(memory.lock, thread), openNames(memory.names), openTimes(memory.times)]
  const asked = new Float64Array(memory.asked)
  const forgetter = openForgetter(new Int32Array(memory.turn), asked, names, times)
  const rowOf = (name: string, nowMs: number) => names.find(name) || forgetter.add(name, nowMs - windowMs)
  const spend = (name: string, clockMs: number): Allowance => {
    const row = rowOf(name, clockMs)
    asked[row] = clockMs
    if (times.count(row) > 0 && times.newest(row) > clockMs + windowMs) times.clear(row)
    const nowMs = times.count(row) > 0 ? Math.max(clockMs, times.newest(row)) : clockMs
    while (times.count(row) > 0 && times.oldest(row) <= nowMs - windowMs) times.shift(row)
    const isAllowed = times.count(row) < rate.requests
    if (isAllowed) while (!times.push(row, nowMs)) forgetter.makeRoom(row)
    // In this order, since a sum of fractions may be a little more than its parts.
    const resetMs = windowMs - (clockMs - times.oldest(row))
    return { isAllowed, remaining: rate.requests - times.count(row), resetSeconds: Math.ceil(resetMs / 1000) }
  }
  return {
    rate,
    spend: (name, nowMs) => {
      lock.take()
      try {
        return spend(name, nowMs)
      } finally {
        lock.free()
      }
    },
    ended: ended =>
      lock.ended(ended, () => {
        names.clear()
        times.clearAll()
      }),
  }
}

/** Forgets who asks nothing any more, and who was quiet for longest if there is no room. */
function openForgetter(turn: Int32Array, asked: Float64Array, names: SharedNames, times: SharedTimes) {
  const next = () => {
    const row = ((turn[0] ?? 0) % names.used()) + 1
    turn[0] = row
    return row
  }
  const forget = (row: number) => {
    times.clear(row)
    names.remove(row)
  }
  const quietest = (except: number) => {
    let found = 0
    for (let looks = 0; looks < LOOKS || (found === 0 && looks < MOST_LOOKS); looks++) {
      const row = next()
      if (row === except || times.count(row) === 0) continue
      if (found === 0 || (asked[row] ?? 0) < (asked[found] ?? 0)) found = row
    }
    return found
  }
  return {
    /** Gives a new name a row. On the way it looks at some that have one. */
    add: (name: string, expiredMs: number): number => {
      for (let looks = 0; looks < LOOKS_EACH && names.used() > 0; looks++) {
        const row = next()
        if (times.count(row) > 0 && times.newest(row) <= expiredMs) forget(row)
      }
      const row = names.add(name)
      if (row > 0) return row
      forget(quietest(0))
      return names.add(name)
    },
    /** Makes room for times of a row; if no other has any, its own oldest is forgotten. */
    makeRoom: (row: number): void => {
      const other = quietest(row)
      if (other > 0) forget(other)
      else times.shift(row)
    },
  }
}

const LOOKS = 16
const MOST_LOOKS = 1024
/** Two, so that those that may be forgotten are, while new ones come. */
const LOOKS_EACH = 2
