import assert from 'node:assert/strict'
import type { Rate } from '#serving/access/limit/limit-memory.ts'

/** When a request was sent and answered, in milliseconds; the decision was made in between. */
type Asked = [askedMs: number, answeredMs: number]

/** The requests of a client that sends them without pause. */
export type Observation = { allowed: Asked[]; denied: Asked[] }

/** Sends requests without pause, several at a time. `ask` returns whether one was allowed. */
export async function askWithoutPause(
  atOnce: number,
  forMs: number,
  ask: () => Promise<boolean>,
): Promise<Observation> {
  const seen: Observation = { allowed: [], denied: [] }
  const toMs = Date.now() + forMs
  const one = async () => {
    for (let askedMs = Date.now(); askedMs < toMs; askedMs = Date.now()) {
      const isAllowed = await ask()
      seen[isAllowed ? 'allowed' : 'denied'].push([askedMs, Date.now()])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return seen
}

/**
 * Checks the observations of all clients of a workspace, at any speed of the machine: no window holds more than the
 * rate, counting decisions that were certainly in it, and before each denied request a window was full, counting
 * decisions that were possibly in it.
 */
export function assertWindows({ requests, seconds }: Rate, clients: readonly Observation[]): void {
  const [allowed, denied] = [clients.flatMap(client => client.allowed), clients.flatMap(client => client.denied)]
  const windowMs = seconds * 1000
  for (const [startMs] of allowed) {
    const sure = allowed.filter(([asked, answered]) => asked >= startMs && answered + 1 <= startMs + windowMs)
    assert.ok(sure.length <= requests, `${sure.length} were allowed in the window from ${startMs}`)
  }
  assert.ok(denied.length > 0)
  for (const [deniedMs, toMs] of denied) {
    const possible = allowed.filter(([asked, answered]) => answered + 1 >= deniedMs - windowMs && asked <= toMs)
    assert.ok(possible.length >= requests, `only ${possible.length} were allowed before the request at ${deniedMs}`)
  }
}
