import assert from 'node:assert/strict'
import type { Rate } from '../../../src/access/limit/limit.ts'

/** What a client saw that asked without pause. */
export type Observation = {
  /** When each allowed request was asked, and when its answer was there; it was decided in between. */
  allowed: [askedMs: number, answeredMs: number][]
  fromMs: number
  toMs: number
  /** The longest that it waited for an answer, and so did not ask. */
  longestMs: number
}

/** Asks without pause, several requests at a time. `ask` gives whether one was allowed. */
export async function askWithoutPause(
  atOnce: number,
  forMs: number,
  ask: () => Promise<boolean>,
): Promise<Observation> {
  const fromMs = Date.now()
  const seen: Observation = { allowed: [], fromMs, toMs: fromMs + forMs, longestMs: 0 }
  const one = async () => {
    for (let askedMs = fromMs; askedMs < seen.toMs; ) {
      askedMs = Date.now()
      const isAllowed = await ask()
      const answeredMs = Date.now()
      if (isAllowed) seen.allowed.push([askedMs, answeredMs])
      seen.longestMs = Math.max(seen.longestMs, answeredMs + 1 - askedMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return seen
}

/**
 * Checks what clients of one workspace saw together: no window holds more than the rate, counting what was surely decided
 * in it, and none holds less, counting what may have been, and what could be asked only a moment later.
 */
export function assertWindows({ requests, seconds }: Rate, clients: readonly Observation[]): void {
  const allowed = clients.flatMap(client => client.allowed)
  const windowMs = seconds * 1000
  for (const [startMs] of allowed) {
    const sure = allowed.filter(([asked, answered]) => asked >= startMs && answered + 1 <= startMs + windowMs)
    assert.ok(sure.length <= requests, `${sure.length} were allowed in the window from ${startMs}`)
  }
  const laterMs = windowMs + Math.max(...clients.map(({ longestMs }) => longestMs))
  const toMs = Math.min(...clients.map(client => client.toMs))
  for (let startMs = Math.max(...clients.map(client => client.fromMs)); startMs + laterMs <= toMs; startMs += 10) {
    const possible = allowed.filter(([asked, answered]) => answered + 1 >= startMs && asked <= startMs + laterMs)
    assert.ok(possible.length >= requests, `only ${possible.length} were allowed in the window from ${startMs}`)
  }
}
