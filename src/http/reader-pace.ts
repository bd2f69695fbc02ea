import type { LeastRate } from '../exchange/message.ts'

/** How fast a client reads, by the time that we wait for it alone: what we ourselves take does not count against it. */
export type ReaderPace = {
  /** How long it may take over the next piece, of so many bytes, in milliseconds. */
  patienceMs: (bytes: number) => number
  /** Told after each piece: how long it was, and how long we waited until it was taken. */
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
