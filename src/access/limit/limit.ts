import type { MaybePromise } from '../../base/promise.ts'

/** How many requests a workspace may make in a window of time. */
export type Rate = { requests: number; seconds: number }

/** Whether a request was allowed, and what is left to its workspace. */
export type Allowance = {
  isAllowed: boolean
  /** Requests left in the window after this one. */
  remaining: number
  /** Whole seconds until one more is free. */
  resetSeconds: number
}

/** Counts requests by workspace in an exact sliding window. A refused request is not charged. */
export type Limit<Answer extends MaybePromise<Allowance> = MaybePromise<Allowance>> = {
  rate: Rate
  spend: (workspace: string, nowMs: number) => Answer
}
