import type { Allowance, Limit, Rate } from './limit.ts'

/**
 * Makes a limit in this process's memory: a ring for each workspace or address holds the times of its allowed requests.
 * A workspace without requests for two windows is forgotten. Setting the clock back never shortens a window, unless it
 * goes back by more than a window: then earlier requests no longer count.
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
    if (current.byWorkspace.size >= MAX_RINGS) dropFirst(current.byWorkspace)
    current.byWorkspace.set(workspace, ring)
    return ring
  }
  return { rate, spend: (workspace, nowMs, requests = 1) => spend(ringOf(workspace, nowMs), rate, nowMs, requests) }
}

/**
 * Clients may have any number of IPv6 networks, so the number of names is limited: the oldest names of a window are
 * dropped.
 */
const MAX_RINGS = 100_000

function dropFirst(rings: Map<string, Ring>): void {
  for (const name of rings.keys()) {
    rings.delete(name)
    return
  }
}

/** The rings of workspaces with requests in one window. Idle workspaces are dropped with the window. */
type Rings = { sinceMs: number; byWorkspace: Map<string, Ring> }

/** A ring buffer of the times of requests, oldest first. It grows up to the rate. */
type Ring = { times: Float64Array; first: number; count: number }

function newRing(max: number): Ring {
  return { times: new Float64Array(Math.min(max, 8)), first: 0, count: 0 }
}

function spend(ring: Ring, rate: Rate, clockMs: number, requests: number): Allowance {
  const max = rate.requests
  const windowMs = rate.seconds * 1000
  const newestMs = ring.count > 0 ? at(ring, ring.count - 1) : clockMs
  if (newestMs > clockMs + windowMs) ring.count = 0
  const nowMs = ring.count > 0 ? Math.max(clockMs, newestMs) : clockMs
  while (ring.count > 0 && at(ring, 0) <= nowMs - windowMs) {
    ring.first = (ring.first + 1) % ring.times.length
    ring.count--
  }
  const isAllowed = ring.count + requests <= max
  for (let request = 0; isAllowed && request < requests; request++) push(ring, max, nowMs)
  // The last request that must leave the window; for more requests than the rate, the newest.
  const blocking = isAllowed ? 0 : Math.min(ring.count + requests - max, ring.count) - 1
  const sinceMs = ring.count === 0 ? nowMs : at(ring, Math.max(0, blocking))
  // Computed in this order, because a sum of fractions may be slightly larger than its parts.
  const resetMs = windowMs - (clockMs - sinceMs)
  return { isAllowed, remaining: max - ring.count, resetSeconds: Math.ceil(resetMs / 1000) }
}

function at(ring: Ring, index: number): number {
  return ring.times[(ring.first + index) % ring.times.length] ?? 0
}

function push(ring: Ring, max: number, nowMs: number): void {
  if (ring.count === ring.times.length) grow(ring, max)
  ring.times[(ring.first + ring.count) % ring.times.length] = nowMs
  ring.count++
}

function grow(ring: Ring, max: number): void {
  const times = new Float64Array(Math.min(max, ring.times.length * 2))
  for (let index = 0; index < ring.count; index++) times[index] = at(ring, index)
  ring.times = times
  ring.first = 0
}
