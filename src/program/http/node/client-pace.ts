import type { MinRate } from '#platform/exchange/message.ts'

/**
 * Measures a client against a minimum rate. Measuring starts again when `minRate` gives another object. All times count
 * only the time spent waiting for the client, in milliseconds.
 */
export function clientPace(minRate: () => MinRate): ClientPace {
  /** The latest pieces with fewer bytes in total than the minimum, and the waiting time at which each was read. */
  let recent: { bytes: number; at: number }[] = []
  /** The bytes of the recent pieces. */
  let inRecent = 0
  /** The waiting time at which the first recent piece began. */
  let since = 0
  /** The waiting time for all pieces so far. */
  let waited = 0
  let rate = minRate()
  return {
    patienceMs: (bytes, waitedMs = 0) => {
      const current = minRate()
      if (current !== rate) {
        rate = current
        recent = []
        inRecent = 0
        since = waited + waitedMs
      }
      return since + Math.max(1, (inRecent + bytes) / rate.bytes) * rate.milliseconds - waited - waitedMs
    },
    took: (bytes, waitedMs) => {
      waited += waitedMs
      inRecent += bytes
      recent.push({ bytes, at: waited })
      for (let [first] = recent; first && inRecent >= rate.bytes; [first] = recent) {
        recent.shift()
        inRecent -= first.bytes
        since = first.at
      }
    },
  }
}

/** The speed at which a client reads or sends. Only the time spent waiting for the client counts. */
type ClientPace = {
  /** The remaining time for the next `bytes` bytes, in milliseconds, after waiting for `waitedMs`. */
  patienceMs: (bytes: number, waitedMs?: number) => number
  /** Call after each piece with its length and the time that it took. */
  took: (bytes: number, waitedMs: number) => void
}
