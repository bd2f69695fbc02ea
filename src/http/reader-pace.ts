import type { LeastRate } from '../exchange/message.ts'

/** How fast a client reads. Only the time that we wait for it counts, not the time that we take ourselves. */
export type ReaderPace = {
  /** How long it may take to read the next piece, of so many bytes, in milliseconds. */
  patienceMs: (bytes: number) => number
  /** Called after each piece: its length, and how long we waited until it was read. */
  took: (bytes: number, waitedMs: number) => void
}

/** Measures a client against the least rate, over so many milliseconds before now. */
export function readerPace({ bytes: asked, milliseconds }: LeastRate): ReaderPace {
  /** What was taken last, as much as is still less than asked; all of it since a moment of our waiting. */
  const recent: { bytes: number; at: number }[] = []
  let [inRecent, since, waited] = [0, 0, 0]
  return {
    patienceMs: bytes => since + Math.max(1, (inRecent + bytes) / asked) * milliseconds - waited,
    took: (bytes, waitedMs) => {
      waited += waitedMs
      inRecent += bytes
      recent.push({ bytes, at: waited })
      for (let [first] = recent; first && inRecent >= asked; [first] = recent) {
        recent.shift()
        inRecent -= first.bytes
        since = first.at
      }
    },
  }
}
