import type { MaybePromise } from '#platform/base/promise.ts'

export type Rate = { requests: number; seconds: number }

export type Allowance = {
  isAllowed: boolean
  /** The remaining requests in the window after these. */
  remaining: number
  /** Whole seconds until another request is allowed, or the same ones if they were refused. */
  resetSeconds: number
}

/** Counts requests by workspace in an exact sliding window (decisions/0040). A refused request does not count. */
export type Limit<Answer extends MaybePromise<Allowance> = MaybePromise<Allowance>> = {
  rate: Rate
  /** Counts a request, or several that are allowed or refused together. */
  spend: (workspace: string, nowMs: number, requests?: number) => Answer
}

/**
 * Makes a limit in this process's memory, with the times of the allowed requests of each workspace or address. A
 * workspace without requests for two windows is forgotten. Setting the clock back never shortens a window, unless it
 * goes back by more than a window: then earlier requests no longer count.
 */
export function memoryLimit(rate: Rate): Limit<Allowance> {
  const windowMs = rate.seconds * 1000
  const isOver = (sinceMs: number, nowMs: number) => Math.abs(nowMs - sinceMs) >= windowMs
  let current: Window = { sinceMs: 0, byWorkspace: new Map() }
  let before = current
  const timesOf = (workspace: string, nowMs: number) => {
    if (isOver(current.sinceMs, nowMs)) {
      before = current
      current = { sinceMs: nowMs, byWorkspace: new Map() }
    }
    const known = current.byWorkspace.get(workspace)
    if (known) return known
    const times = before.byWorkspace.get(workspace) ?? { list: [], first: 0 }
    const [oldest] = current.byWorkspace.size >= MAX_NAMES ? current.byWorkspace.keys() : []
    if (oldest !== undefined) current.byWorkspace.delete(oldest)
    current.byWorkspace.set(workspace, times)
    return times
  }
  return { rate, spend: (workspace, nowMs, requests = 1) => spend(timesOf(workspace, nowMs), rate, nowMs, requests) }
}

/** Clients may have any number of IPv6 networks, so the oldest names of a window are dropped beyond this number. */
const MAX_NAMES = 100_000

/** The workspaces with requests in one window. Idle workspaces are dropped with the window. */
type Window = { sinceMs: number; byWorkspace: Map<string, Times> }

/** The times of requests, oldest first. Those before `first` have left the window. */
type Times = { list: number[]; first: number }

function spend(times: Times, rate: Rate, clockMs: number, requests: number): Allowance {
  const max = rate.requests
  const windowMs = rate.seconds * 1000
  const { list } = times
  const newestMs = list.at(-1) ?? clockMs
  if (newestMs > clockMs + windowMs) times.first = list.length
  const nowMs = times.first < list.length ? Math.max(clockMs, newestMs) : clockMs
  while ((list[times.first] ?? Number.POSITIVE_INFINITY) <= nowMs - windowMs) times.first++
  if (times.first > list.length / 2) times.first -= list.splice(0, times.first).length
  const count = list.length - times.first
  const isAllowed = count + requests <= max
  for (let request = 0; isAllowed && request < requests; request++) list.push(nowMs)
  const allowed = list.length - times.first
  // The last request that must leave the window; for more requests than the rate, the newest.
  const blocking = isAllowed ? 0 : Math.max(0, Math.min(allowed + requests - max, allowed) - 1)
  // Computed in this order, because a sum of fractions may be slightly larger than its parts.
  const resetMs = windowMs - (clockMs - (list[times.first + blocking] ?? nowMs))
  return { isAllowed, remaining: max - allowed, resetSeconds: Math.ceil(resetMs / 1000) }
}
