import type { MaybePromise } from '../../base/promise.ts'
import type { Caches } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { type Refusal, refuseInvalidToken, refuseNoCredentials } from '../../contract/refusals.ts'
import { type Request, requestHeader } from '../../exchange/message.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import { type Refused, readUnverified } from './compact-token.ts'
import type { Grant } from './grant.ts'
import type { Issuer } from './issuer.ts'
import { keepIssuers } from './issuers.ts'
import { LEEWAY_SECONDS, verifyToken } from './verify.ts'

/** Where tokens are checked: each once, then known by its full text until it expires or anything is revoked. */
export type TokenVerifier = {
  verify: (request: Request, nowMs: number) => MaybePromise<Grant | Refusal>
  /** Reads keys, clients and revocations again where they have changed, and then forgets what was verified before. */
  refresh: () => Promise<void>
  /** Forgets what was verified before. */
  forget: () => void
}

/** What a verifier is made of. */
export type TokenVerifierParts = {
  /** Reads this store's own issuer as it stands; the same value where nothing has changed. */
  readOwn: () => Promise<Issuer>
  others: readonly Issuer[]
  record: Audit
  caches: Caches
}

/** What a verified token is proof of, and how long that is taken for granted. */
type Verified = { grant: Grant; untilMs: number }

/** Opens a verifier. */
export async function openTokenVerifier({
  readOwn,
  others,
  record,
  caches,
}: TokenVerifierParts): Promise<TokenVerifier> {
  const verified = caches.open<Verified>('tokens')
  let generation = 0
  const forget = () => {
    generation++
    verified.drop(() => true)
  }
  const refuse = (reason: string, token: string, { address }: Request): Refusal => {
    record({ event: 'token-refused', reason, address, ...claimed(token) })
    return reason === 'no-credentials' ? refuseNoCredentials() : refuseInvalidToken()
  }
  const issuers = await keepIssuers(readOwn, others, forget)
  /** A store that cannot be read is told by whoever follows it, and brings no news. */
  const verifyAgain = async (token: string, nowMs: number): Promise<Grant | Refused> => {
    const known = issuers.current()
    const grant = await verifyToken(token, known, nowMs)
    if (!('reason' in grant && NEWS.has(grant.reason))) return grant
    await issuers.refresh().catch(() => undefined)
    return issuers.current() === known ? grant : verifyToken(token, issuers.current(), nowMs)
  }
  const verifyOnce = async (token: string, request: Request, nowMs: number): Promise<Grant | Refusal> => {
    const started = generation
    const grant = await verifyAgain(token, nowMs)
    if ('reason' in grant) return refuse(grant.reason, token, request)
    const known = { grant, untilMs: knownUntil(grant, nowMs) }
    if (started === generation) verified.set(token, known, memoryOf(known))
    return grant
  }
  return {
    verify: (request, nowMs) => {
      const token = bearerToken(request)
      if (typeof token !== 'string') return refuse(token.reason, '', request)
      const known = verified.get(token)
      return known && nowMs < known.untilMs ? known.grant : verifyOnce(token, request, nowMs)
    },
    refresh: issuers.refresh,
    forget,
  }
}

/**
 * What another process may have added a moment ago: worth a look at the store. Anyone can make such a token up, so a
 * look costs one row and forgets nothing, unless something has changed.
 */
const NEWS: ReadonlySet<string> = new Set(['key-unknown', 'client'])
const KNOWN_MS = 10 * 60_000

/** The token of the one `Authorization` field (RFC 6750 §2.1), whose scheme is read in any case (RFC 9110 §11.1). */
function bearerToken({ headers, authorizations }: Request): string | Refused {
  if (authorizations > 1) return { reason: 'repeated' }
  const credentials = requestHeader(headers, 'authorization') ?? ''
  const [scheme] = /^bearer(?: +|$)/i.exec(credentials) ?? []
  return scheme === undefined ? { reason: 'no-credentials' } : credentials.slice(scheme.length)
}

/** A token is verified anew from time to time, so that a key that its issuer has taken back is missed. */
function knownUntil(grant: Grant, nowMs: number): number {
  return Math.min(grant.expiresAt + LEEWAY_SECONDS * 1000, nowMs + KNOWN_MS)
}

/** What a refused token says of itself, for the log: nobody has vouched for it, so it is cut short. */
function claimed(token: string): { client?: string; workspace?: string; jti?: string } {
  const read = readUnverified(token)
  if ('reason' in read) return {}
  const { client_id: client, workspace, jti } = read.claims
  const short = Object.entries({ client, workspace, jti }).flatMap(([name, claim]) =>
    typeof claim === 'string' ? [[name, claim.slice(0, 100)]] : [],
  )
  return Object.fromEntries(short)
}
