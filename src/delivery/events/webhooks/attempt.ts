import { createHmac, randomBytes } from 'node:crypto'
import { errorCode, errorMessage } from '#platform/base/error.ts'
import { field } from '#platform/base/object.ts'
import { memoize } from '#platform/base/text.ts'
import { decryptKey, EncryptedKeyError, encryptKey } from '#serving/access/keys/key-encryption.ts'
import type { WebhookRecord } from '#store/catalogue/webhooks.ts'

/** The requests of webhooks: a `fetch` for untrusted addresses with a limit on the time. */
export type Deliver = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; redirect: 'manual' },
) => Promise<Response>

export type AttemptParts = {
  deliver: Deliver
  openSecret: (sealed: string) => Promise<string>
}

export type AttemptReply = {
  isDelivered: boolean
  status?: number
  retryAfter?: string | null
  problem?: string
  /** The code of the problem, for the log: the address in `problem` may contain a secret. */
  code?: string
}

/** Sends a message as Standard Webhooks 1.0 says, signed with each valid secret. Never throws. */
export async function attempt(
  { deliver, openSecret }: AttemptParts,
  { url, secret, oldSecret }: Pick<WebhookRecord, 'url' | 'secret' | 'oldSecret'>,
  { id, payload }: { id: string; payload: string },
  now: Date,
): Promise<AttemptReply> {
  try {
    const sealedSecrets = oldSecret && oldSecret.until > now ? [secret, oldSecret.secret] : [secret]
    const secrets = await Promise.all(sealedSecrets.map(openSecret))
    const timestamp = Math.floor(now.getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id, timestamp, payload }, secrets),
    }
    const response = await deliver(url, { method: 'POST', headers, body: payload, redirect: 'manual' })
    const { ok, status } = response
    return {
      isDelivered: ok,
      status,
      retryAfter: response.headers.get('retry-after'),
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
  const spreadSeconds = wait * (1 + JITTER * random)
  const isBusy = failed.status !== undefined && BUSY.has(failed.status)
  const askedSeconds = retryAfterSeconds(failed.retryAfter ?? '', now)
  const seconds = Math.max(spreadSeconds, isBusy ? BUSY_SECONDS : 0, Math.min(askedSeconds, MAX_ASKED_SECONDS))
  return new Date(now.getTime() + Math.round(seconds * 1000))
}

const JITTER = 0.1

/** Too many requests, and failures of gateways: the receiver needs at least a minute. */
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

/** Makes a secret in the form of Standard Webhooks 1.0: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

const PREFIX = 'whsec_'

/** The secret as the store keeps it: JSON, encrypted if there is a key secret. */
export async function sealSecret(secret: string, keySecret: string | undefined): Promise<string> {
  const text = JSON.stringify({ secret })
  return keySecret === undefined ? text : encryptKey(text, keySecret)
}

/**
 * Makes a function that opens sealed secrets. It opens each one once, because decryption takes a tenth of a second.
 *
 * @throws {EncryptedKeyError} if the key secret is missing or wrong
 */
export function secretOpener(keySecret: string | undefined): (sealed: string) => Promise<string> {
  const opened = memoize(sealed => openSecret(sealed, keySecret), { maxLength: 4096 })
  return opened
}

async function openSecret(sealed: string, keySecret: string | undefined): Promise<string> {
  const text = await decryptKey(sealed, keySecret).catch(error => {
    if (!(error instanceof EncryptedKeyError)) throw error
    throw new EncryptedKeyError(ENCRYPTED, { cause: error })
  })
  const secret = field(JSON.parse(text), 'secret')
  if (typeof secret !== 'string') throw new Error('the store has a webhook without a secret')
  return secret
}

const ENCRYPTED =
  'the secret of the webhook is encrypted: give the --key-secret that it was made with (or HOUSESTYLE_KEY_SECRET, or HOUSESTYLE_KEY_SECRET_FILE)'

/** A message to sign. `timestamp` is in seconds since 1970. */
type SignedContent = { id: string; timestamp: number; payload: string }

/** The signatures with several secrets, separated by spaces (Standard Webhooks 1.0, "Webhook headers"). */
export function signatures({ id, timestamp, payload }: SignedContent, secrets: readonly string[]): string {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${payload}`)
      .digest('base64')
  return secrets.map(secret => `v1,${sign(secret)}`).join(' ')
}
