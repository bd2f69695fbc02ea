/** How many requests a workspace may make in a window of time. */
export type Rate = { requests: number; seconds: number }

/** What is left to a workspace after a request, and whether that request was allowed. */
export type Allowance = {
  isAllowed: boolean
  /** Requests left in the window, after this one. */
  remaining: number
  /** Whole seconds until one more is free. */
  resetSeconds: number
}

/** Counts requests by workspace in a sliding window; a refused one is not charged. */
export type Limit = { rate: Rate; spend: (workspace: string) => Allowance }

/**
 * A limit in this process's memory. The window is exact: a ring for each workspace keeps when its last requests were
 * allowed, so a request is allowed when the one `rate.requests` before it has left the window. `ticks` gives milliseconds
 * that never go back, as the time of day does when it is set right.
 */
export function memoryLimit(rate: Rate, ticks: () => number): Limit {
  const rings = new Map<string, Ring>()
  const windowMs = rate.seconds * 1000
  return {
    rate,
    spend: workspace => {
      let ring = rings.get(workspace)
      if (!ring) {
        ring = { times: new Float64Array(Math.min(rate.requests, 64)), first: 0, count: 0 }
        rings.set(workspace, ring)
      }
      return spend(ring, rate.requests, windowMs, ticks())
    },
  }
}

/** The times of the requests in the window, oldest first, in a ring that grows up to the rate. */
type Ring = { times: Float64Array; first: number; count: number }

function spend(ring: Ring, most: number, windowMs: number, nowMs: number): Allowance {
  while (ring.count > 0 && at(ring, 0) <= nowMs - windowMs) {
    ring.first = (ring.first + 1) % ring.times.length
    ring.count--
  }
  const isAllowed = ring.count < most
  if (isAllowed) push(ring, most, nowMs)
  const resetMs = ring.count === 0 ? 0 : at(ring, 0) + windowMs - nowMs
  return { isAllowed, remaining: most - ring.count, resetSeconds: Math.max(0, Math.ceil(resetMs / 1000)) }
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
