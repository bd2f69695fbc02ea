import type { MaybePromise } from '../../base/promise.ts'

/** The number of requests that a workspace may make in a time window. */
export type Rate = { requests: number; seconds: number }

/** Whether a request was allowed, and the remaining limit of its workspace. */
export type Allowance = {
  isAllowed: boolean
  /** The remaining requests in the window after these. */
  remaining: number
  /** Whole seconds until another request is allowed, or the same ones if they were refused. */
  resetSeconds: number
}

/** Counts requests by workspace in an exact sliding window. A refused request does not count. */
export type Limit<Answer extends MaybePromise<Allowance> = MaybePromise<Allowance>> = {
  rate: Rate
  /** Counts a request, or several that are allowed or refused together. */
  spend: (workspace: string, nowMs: number, requests?: number) => Answer
}
