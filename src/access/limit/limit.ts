import type { MaybePromise } from '../../base/promise.ts'

/** The number of requests that a workspace may make in a time window. */
export type Rate = { requests: number; seconds: number }

/** Whether a request was allowed, and the remaining limit of its workspace. */
export type Allowance = {
  isAllowed: boolean
  /** The remaining requests in the window after this one. */
  remaining: number
  /** Whole seconds until another request is allowed. */
  resetSeconds: number
}

/** Counts requests by workspace in an exact sliding window. A refused request does not count. */
export type Limit<Answer extends MaybePromise<Allowance> = MaybePromise<Allowance>> = {
  rate: Rate
  spend: (workspace: string, nowMs: number) => Answer
}
