import type { MinRate } from '../../exchange/message.ts'

/** How fast a client reads. Only the time that we wait for it counts, not the time that we need ourselves. */
export type ReaderPace = {
  /**
   * How long it may still take to read the next piece, of this number of bytes, after waiting for it for `waitedMs`; in
   * milliseconds.
   */
  patienceMs: (bytes: number, waitedMs?: number) => number
  /** Called after each piece: its length, and how long we waited until it was read. */
  took: (bytes: number, waitedMs: number) => void
}

/**
 * Measures a client against a minimum rate: this number of bytes in this number of milliseconds of waiting. When another
 * rate applies, the measurement starts again.
 */
export function readerPace(minRate: () => MinRate): ReaderPace {
  /** The latest pieces that together are fewer bytes than the minimum, with the waiting time at which each was read. */
  let recent: { bytes: number; at: number }[] = []
  let [inRecent, since, waited] = [0, 0, 0]
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
