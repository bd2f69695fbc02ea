import type { Allowance, Rate } from '../access/limit/limit.ts'
import type { HeaderList } from '../exchange/message.ts'

/**
 * The limit and what is left of it, as structured fields (draft-ietf-httpapi-ratelimit-headers-11). A refusal also says
 * how long to wait (RFC 9110 §10.2.3).
 */
export function rateHeaders(rate: Rate, { isAllowed, remaining, resetSeconds }: Allowance): HeaderList {
  const headers = [
    'RateLimit-Policy',
    `"workspace";q=${rate.requests};w=${rate.seconds}`,
    'RateLimit',
    `"workspace";r=${remaining};t=${resetSeconds}`,
  ]
  if (!isAllowed) headers.push('Retry-After', String(resetSeconds))
  return headers
}
