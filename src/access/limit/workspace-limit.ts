import { andThen, type MaybePromise } from '../../base/promise.ts'
import { refusalReply, refuse } from '../../contract/refusals.ts'
import { type HeaderList, type Reply, withHeaders } from '../../exchange/message.ts'
import type { Allowance, Limit, Rate } from './limit.ts'

/** The limit that a workspace has for the requests of its tokens. */
export type WorkspaceLimit = {
  /** Undefined if requests are not limited. */
  limit: Limit | undefined
  /** Milliseconds that never go back. */
  ticks: () => number
  publicUrl: string
}

/**
 * Charges a request to the workspace of its token and answers it if the limit allows, otherwise with 429 after calling
 * `refused`. Either reply says what is left of the limit.
 */
export function withinWorkspaceLimit(
  { limit, ticks, publicUrl }: WorkspaceLimit,
  workspace: string,
  reply: () => MaybePromise<Reply>,
  refused: () => void,
): MaybePromise<Reply> {
  if (!limit) return reply()
  return andThen(limit.spend(workspace, ticks()), allowance => {
    const headers = rateHeaders(limit.rate, allowance)
    if (allowance.isAllowed) return andThen(reply(), each => withHeaders(each, headers))
    refused()
    return withHeaders(refusalReply(refuse('too-many-requests'), publicUrl), headers)
  })
}

/**
 * The limit and what is left of it, as structured fields (draft-ietf-httpapi-ratelimit-headers-11). `t` never
 * passes the window. A refusal also says how long to wait (RFC 9110 §10.2.3): longer, if the clock was set back.
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
