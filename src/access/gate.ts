import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type Refusal, refuseInvalidToken, refuseNoCredentials } from '../contract/refusals.ts'
import { type Request, requestHeader } from '../exchange/message.ts'
import type { Record } from '../telemetry/access-event.ts'
import { type Refused, readUnverified } from './compact-token.ts'
import type { Grant } from './grant.ts'
import type { Issuer } from './issuer.ts'
import { LEEWAY_SECONDS, verifyToken } from './verify.ts'

/** Where tokens are checked: each once, then known by its full text until it expires or anything is revoked. */
export type Gate = {
  verify: (request: Request, nowMs: number) => MaybePromise<Grant | Refusal>
  /** Reads keys, clients and revocations again, and forgets what was verified before. */
  refresh: () => Promise<void>
  /** Forgets what was verified before. */
  forget: () => void
}

/** What a gate is made of. */
export type GateParts = {
  /** Reads this store's own issuer as it stands. */
  readOwn: () => Promise<Issuer>
  others: readonly Issuer[]
  record: Record
}

/** Opens a gate. */
export async function openGate({ readOwn, others, record }: GateParts): Promise<Gate> {
  const verified = new LRUCache<string, Grant>({ maxSize: 32 << 20, sizeCalculation: (_, token) => token.length + 500 })
  const look = await keepIssuers(readOwn, others)
  let generation = 0
  let lookedAt = 0
  const forget = () => {
    generation++
    verified.clear()
  }
  const refuse = (reason: string, token: string): Refusal => {
    record({ event: 'token-refused', reason, ...claimed(token) })
    return reason === 'no-credentials' ? refuseNoCredentials() : refuseInvalidToken()
  }
  const verifyAgain = async (token: string, nowMs: number): Promise<Grant | Refused> => {
    const grant = await verifyToken(token, look.issuers(), nowMs)
    const mayBeNews = 'reason' in grant && NEWS.has(grant.reason) && nowMs - lookedAt > LOOK_MS
    if (!mayBeNews) return grant
    lookedAt = nowMs
    await look.again()
    return verifyToken(token, look.issuers(), nowMs)
  }
  const verifyOnce = async (token: string, nowMs: number): Promise<Grant | Refusal> => {
    const started = generation
    const grant = await verifyAgain(token, nowMs)
    if ('reason' in grant) return refuse(grant.reason, token)
    if (started === generation) verified.set(token, grant)
    return grant
  }
  return {
    verify: (request, nowMs) => {
      const token = bearerToken(request)
      if (typeof token !== 'string') return refuse(token.reason, '')
      const grant = verified.get(token)
      return grant && isCurrent(grant, nowMs) ? grant : verifyOnce(token, nowMs)
    },
    refresh: async () => {
      await look.again()
      forget()
    },
    forget,
  }
}

/** The issuers as they were last read; of two looks that overlap, the one that began later counts. */
async function keepIssuers(readOwn: GateParts['readOwn'], others: readonly Issuer[]) {
  let issuers = [await readOwn(), ...others]
  let begun = 0
  let current = 0
  const again = async () => {
    begun++
    const mine = begun
    const own = await readOwn()
    if (mine < current) return
    current = mine
    issuers = [own, ...others]
  }
  return { issuers: () => issuers, again }
}

/**
 * What another process may have added a moment ago: worth a look at the store, but not more than once a second. Anyone
 * can make such a token up, so a look forgets nothing: what was revoked is for `refresh`.
 */
const NEWS: ReadonlySet<string> = new Set(['key-unknown', 'client'])
const LOOK_MS = 1000

/** The token of the one `Authorization` field (RFC 6750 §2.1), whose scheme is read in any case (RFC 9110 §11.1). */
function bearerToken({ headers, authorizations }: Request): string | Refused {
  if (authorizations > 1) return { reason: 'repeated' }
  const credentials = requestHeader(headers, 'authorization') ?? ''
  const [scheme] = /^bearer(?: +|$)/i.exec(credentials) ?? []
  return scheme === undefined ? { reason: 'no-credentials' } : credentials.slice(scheme.length)
}

function isCurrent(grant: Grant, nowMs: number): boolean {
  return nowMs < grant.expiresAt + LEEWAY_SECONDS * 1000
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
