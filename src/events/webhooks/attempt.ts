import { errorCode, errorMessage } from '../../base/error.ts'
import type { WebhookRecord } from '../../store/catalogue/webhooks.ts'
import { signatures } from './secret.ts'

/** The requests of webhooks: a `fetch` for untrusted addresses with a limit on the time. */
export type Deliver = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; redirect: 'manual' },
) => Promise<Response>

export type AttemptParts = {
  deliver: Deliver
  openSecret: (sealed: string) => Promise<string>
}

/** The reply to an attempt, or the problem why there was none. */
export type AttemptReply = {
  isDelivered: boolean
  status?: number
  retryAfter?: string | null
  problem?: string
  /** The code of the problem, for the log: the address in `problem` may contain a secret. */
  code?: string
}

/**
 * Sends a message to a webhook as Standard Webhooks 1.0 says: with its id, the time of this attempt, and a signature for
 * each valid secret. Never throws: any failure is a problem of this webhook.
 */
export async function attempt(
  { deliver, openSecret }: AttemptParts,
  { url, secret, oldSecret }: Pick<WebhookRecord, 'url' | 'secret' | 'oldSecret'>,
  { id, payload }: { id: string; payload: string },
  now: Date,
): Promise<AttemptReply> {
  try {
    const sealed = oldSecret && oldSecret.until > now ? [secret, oldSecret.secret] : [secret]
    const secrets = await Promise.all(sealed.map(openSecret))
    const timestamp = Math.floor(now.getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id, timestamp, payload }, secrets),
    }
    const {
      ok,
      status,
      headers: fields,
    } = await deliver(url, {
      method: 'POST',
      headers,
      body: payload,
      redirect: 'manual',
    })
    return {
      isDelivered: ok,
      status,
      retryAfter: fields.get('retry-after'),
      ...(!ok && { problem: problemOf(status) }),
    }
  } catch (error) {
    return { isDelivered: false, problem: errorMessage(error).slice(0, MAX_PROBLEM), code: errorCode(error) }
  }
}

const MAX_PROBLEM = 500

function problemOf(status: number): string {
  if (status === GONE) return `answered ${status}: the receiver wants no more messages`
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed; use the final address`
  return `answered ${status}`
}

/** The receiver wants no more messages (RFC 9110 §15.5.11). */
export const GONE = 410
