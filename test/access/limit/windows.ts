import assert from 'node:assert/strict'
import type { Rate } from '../../../src/access/limit/limit-memory.ts'

/** The observations of a client that sends requests without pause. */
export type Observation = {
  /** The times at which each allowed request was sent and answered; the decision was made in between. */
  allowed: [askedMs: number, answeredMs: number][]
  fromMs: number
  toMs: number
  /** The longest wait for an answer, during which it sent nothing. */
  longestMs: number
}

/** Sends requests without pause, several at a time. `ask` returns whether one was allowed. */
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
 * Checks the observations of all clients of a workspace: no window holds more than the rate, counting only certain
 * decisions, and no window holds less, counting possible decisions and requests that could only be sent a moment later.
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
