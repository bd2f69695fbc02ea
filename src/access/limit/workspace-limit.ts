import { andThen, type MaybePromise } from '../../base/promise.ts'
import { refusalReply, refuse } from '../../contract/refusals.ts'
import { type HeaderList, type Reply, withHeaders } from '../../exchange/message.ts'
import type { Allowance, Limit, Rate } from './limit.ts'

/** The request limit of a workspace, for requests with its tokens. */
export type WorkspaceLimit = {
  /** Undefined if requests have no limit. */
  limit: Limit | undefined
  /** A monotonic clock in milliseconds. */
  ticks: () => number
  publicUrl: string
}

/**
 * Counts a request for the workspace of its token, or the messages that it contains. Answers it if the limit allows;
 * otherwise calls `refused` and returns 429. Both replies contain the remaining limit.
 */
export function withinWorkspaceLimit(
  { limit, ticks, publicUrl }: WorkspaceLimit,
  workspace: string,
  reply: () => MaybePromise<Reply>,
  refused: () => void,
  messages = 1,
): MaybePromise<Reply> {
  if (!limit) return reply()
  return andThen(limit.spend(workspace, ticks(), messages), allowance => {
    const headers = rateHeaders(limit.rate, allowance)
    if (allowance.isAllowed) return andThen(reply(), each => withHeaders(each, headers))
    refused()
    return withHeaders(refusalReply(refuse('too-many-requests'), publicUrl), headers)
  })
}

/**
 * Makes the limit fields, as structured fields (draft-ietf-httpapi-ratelimit-headers-11). `t` never exceeds the window.
 * A refusal also contains the waiting time (RFC 9110 §10.2.3), which is longer if the clock was set back.
 */
export function rateHeaders(rate: Rate, { isAllowed, remaining, resetSeconds }: Allowance): HeaderList {
  const headers = [
    'RateLimit-Policy',
    `"workspace";q=${rate.requests};w=${rate.seconds}`,
    'RateLimit',
    `"workspace";r=${remaining};t=${Math.min(resetSeconds, rate.seconds)}`,
  ]
  if (!isAllowed) headers.push('Retry-After', String(resetSeconds))
  return headers
}
