import type { Allowance, Limit, Rate } from './limit.ts'

/**
 * A limit in this process's memory: a ring for each workspace keeps when the requests of its window were allowed.
 * Workspaces that ask nothing for two windows are forgotten. A clock that is set back never makes a window shorter,
 * unless it goes back by more than a window: then what was spent before no longer counts.
 */
export function memoryLimit(rate: Rate): Limit<Allowance> {
  const windowMs = rate.seconds * 1000
  const isOver = (sinceMs: number, nowMs: number) => Math.abs(nowMs - sinceMs) >= windowMs
  let current: Rings = { sinceMs: 0, byWorkspace: new Map() }
  let before = current
  const ringOf = (workspace: string, nowMs: number) => {
    if (isOver(current.sinceMs, nowMs)) {
      before = current
      current = { sinceMs: nowMs, byWorkspace: new Map() }
    }
    const known = current.byWorkspace.get(workspace)
    if (known) return known
    const ring = before.byWorkspace.get(workspace) ?? newRing(rate.requests)
    current.byWorkspace.set(workspace, ring)
    return ring
  }
  return { rate, spend: (workspace, nowMs) => spend(ringOf(workspace, nowMs), rate.requests, windowMs, nowMs) }
}

/** The rings of the workspaces that asked within one window, so that those of idle workspaces can be dropped. */
type Rings = { sinceMs: number; byWorkspace: Map<string, Ring> }

/** The times of the requests in the window, oldest first, in a ring that grows up to the rate. */
type Ring = { times: Float64Array; first: number; count: number }

function newRing(most: number): Ring {
  return { times: new Float64Array(Math.min(most, 64)), first: 0, count: 0 }
}

function spend(ring: Ring, most: number, windowMs: number, clockMs: number): Allowance {
  const newestMs = ring.count > 0 ? at(ring, ring.count - 1) : clockMs
  if (newestMs > clockMs + windowMs) ring.count = 0
  const nowMs = ring.count > 0 ? Math.max(clockMs, newestMs) : clockMs
  while (ring.count > 0 && at(ring, 0) <= nowMs - windowMs) {
    ring.first = (ring.first + 1) % ring.times.length
    ring.count--
  }
  const isAllowed = ring.count < most
  if (isAllowed) push(ring, most, nowMs)
  const resetMs = at(ring, 0) + windowMs - clockMs
  return { isAllowed, remaining: most - ring.count, resetSeconds: Math.ceil(resetMs / 1000) }
}

function at(ring: Ring, index: number): number {
  return ring.times[(ring.first + index) % ring.times.length] ?? 0
}

function push(ring: Ring, most: number, nowMs: number): void {
  if (ring.count === ring.times.length) grow(ring, most)
  ring.times[(ring.first + ring.count) % ring.times.length] = nowMs
  ring.count++
}

function grow(ring: Ring, most: number): void {
  const times = new Float64Array(Math.min(most, ring.times.length * 2))
  for (let index = 0; index < ring.count; index++) times[index] = at(ring, index)
  ring.times = times
  ring.first = 0
}
