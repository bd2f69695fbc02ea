import type { MinRate } from '../../exchange/message.ts'

/** How fast a client reads. Only the time that we wait for it counts, not the time that we need ourselves. */
export type ReaderPace = {
  /** How long it may take to read the next piece, of so many bytes, in milliseconds. */
  patienceMs: (bytes: number) => number
  /** Called after each piece: its length, and how long we waited until it was read. */
  took: (bytes: number, waitedMs: number) => void
}

/** Measures a client against a minimum rate: so many bytes in so many milliseconds of waiting. */
export function readerPace({ bytes: minBytes, milliseconds }: MinRate): ReaderPace {
  /** The latest pieces that together are fewer bytes than the minimum, with the waiting time at which each was read. */
  const recent: { bytes: number; at: number }[] = []
  let [inRecent, since, waited] = [0, 0, 0]
  return {
    patienceMs: bytes => since + Math.max(1, (inRecent + bytes) / minBytes) * milliseconds - waited,
    took: (bytes, waitedMs) => {
      waited += waitedMs
      inRecent += bytes
      recent.push({ bytes, at: waited })
      for (let [first] = recent; first && inRecent >= minBytes; [first] = recent) {
        recent.shift()
        inRecent -= first.bytes
        since = first.at
      }
    },
  }
}
