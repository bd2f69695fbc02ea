import assert from 'node:assert/strict'
import type { Rate } from '../../src/access/allowance.ts'

/** When an allowed request was asked and when its answer was there, in milliseconds; it was decided in between. */
export type Allowed = readonly [askedMs: number, answeredMs: number]

/**
 * Checks what clients saw who asked without pause between two moments: no window holds more than the rate, counting what
 * was surely decided in it, and none less than 99 % of it, counting what may have been.
 */
export function assertWindows({ requests, seconds }: Rate, allowed: readonly Allowed[], fromMs: number, toMs: number) {
  const windowMs = seconds * 1000
  for (const [startMs] of allowed) {
    const sure = allowed.filter(([asked, answered]) => asked >= startMs && answered + 1 <= startMs + windowMs)
    assert.ok(sure.length <= requests, `${sure.length} were allowed in the window from ${startMs}`)
  }
  for (let startMs = fromMs; startMs + windowMs <= toMs; startMs += 10) {
    const possible = allowed.filter(([asked, answered]) => answered + 1 >= startMs && asked <= startMs + windowMs)
    assert.ok(possible.length >= requests * 0.99, `only ${possible.length} were allowed in the window from ${startMs}`)
  }
}
