/** The waits before each attempt (Standard Webhooks 1.0, "Deliverability and reliability"). */
const WAITS_SECONDS = [0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600]

/** A failed attempt: the number of attempts so far, and what its reply said about the next one. */
export type FailedAttempt = { attempts: number; status: number | undefined; retryAfter: string | null | undefined }

/**
 * When to try again; undefined after the last attempt. A reply can only lengthen the wait. `random` is from 0 to 1, and
 * spreads attempts that failed together.
 */
export function nextAttempt(failed: FailedAttempt, now: Date, random: number): Date | undefined {
  const wait = WAITS_SECONDS[failed.attempts]
  if (wait === undefined) return undefined
  const spread = wait * (1 + JITTER * random)
  const isBusy = failed.status !== undefined && BUSY.has(failed.status)
  const asked = retryAfterSeconds(failed.retryAfter ?? '', now)
  const seconds = Math.max(spread, isBusy ? BUSY_SECONDS : 0, Math.min(asked, MAX_ASKED_SECONDS))
  return new Date(now.getTime() + Math.round(seconds * 1000))
}

const JITTER = 0.1

/** Statuses of a receiver under load. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 504])
const BUSY_SECONDS = 60

/** The longest wait in the list. */
const MAX_ASKED_SECONDS = 24 * 3600

/** The value of `Retry-After` in seconds (RFC 9110 §10.2.3); 0 if it is invalid. */
function retryAfterSeconds(value: string, now: Date): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, (date - now.getTime()) / 1000)
}
