import type { MaybePromise } from '#platform/base/promise.ts'

export type Rate = { requests: number; seconds: number }

/** The answer of a limit to a request, or to several at once. */
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
  let currentWindow: Window = { sinceMs: 0, byWorkspace: new Map() }
  let earlierWindow = currentWindow
  /** The times of a workspace in the current window. Its first request in a window takes them from the earlier one. */
  const timesOf = (workspace: string, nowMs: number) => {
    const hasEnded = Math.abs(nowMs - currentWindow.sinceMs) >= windowMs
    if (hasEnded) {
      earlierWindow = currentWindow
      currentWindow = { sinceMs: nowMs, byWorkspace: new Map() }
    }
    const { byWorkspace } = currentWindow
    const currentTimes = byWorkspace.get(workspace)
    if (currentTimes) return currentTimes
    const times = earlierWindow.byWorkspace.get(workspace) ?? { list: [], first: 0 }
    const [oldestName] = byWorkspace.keys()
    const isFull = byWorkspace.size >= MAX_NAMES
    if (oldestName !== undefined && isFull) byWorkspace.delete(oldestName)
    byWorkspace.set(workspace, times)
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

/** Counts requests if all of them fit into the window. */
function spend(times: Times, rate: Rate, clockMs: number, requests: number): Allowance {
  const windowMs = rate.seconds * 1000
  const nowMs = timeOfRequest(times, clockMs, windowMs)
  removeUntil(times, nowMs - windowMs)
  const isAllowed = countOf(times) + requests <= rate.requests
  for (let request = 0; isAllowed && request < requests; request++) times.list.push(nowMs)
  const count = countOf(times)
  const blocking = isAllowed ? 0 : blockingIndex(count, rate.requests, requests)
  const blockingMs = times.list[times.first + blocking] ?? nowMs
  // Computed in this order, because a sum of fractions may be slightly larger than its parts.
  const resetMs = windowMs - (clockMs - blockingMs)
  return { isAllowed, remaining: rate.requests - count, resetSeconds: Math.ceil(resetMs / 1000) }
}

/**
 * The time that a request gets: that of the clock, or of the newest request if the clock was set back since. If it was
 * set back by more than a window, the earlier requests are forgotten.
 */
function timeOfRequest(times: Times, clockMs: number, windowMs: number): number {
  const newestMs = times.list.at(-1) ?? clockMs
  if (newestMs <= clockMs + windowMs) return Math.max(clockMs, newestMs)
  times.first = times.list.length
  return clockMs
}

/** Removes the times up to a moment. They are cut off once they are half of the list, so that this is rarely done. */
function removeUntil(times: Times, untilMs: number): void {
  const { list } = times
  while ((list[times.first] ?? Number.POSITIVE_INFINITY) <= untilMs) times.first++
  if (times.first <= list.length / 2) return
  list.splice(0, times.first)
  times.first = 0
}

function countOf({ list, first }: Times): number {
  return list.length - first
}

/**
 * The index of the time that must leave the window before refused requests are allowed. If 10 are allowed and 9 are
 * counted, 3 requests must wait until two have left: for that at index 1. For more requests than the rate, it is the newest.
 */
function blockingIndex(count: number, max: number, requests: number): number {
  const leaving = Math.min(count + requests - max, count)
  return Math.max(0, leaving - 1)
}
