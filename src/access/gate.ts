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
  let issuers = [await readOwn(), ...others]
  let generation = 0
  let refreshedAt = 0
  const forget = () => {
    generation++
    verified.clear()
  }
  const refresh = async () => {
    issuers = [await readOwn(), ...others]
    forget()
  }
  const verifyAgain = async (token: string, nowMs: number): Promise<Grant | Refused> => {
    const grant = await verifyToken(token, issuers, nowMs)
    const mayBeNews = 'reason' in grant && NEWS.has(grant.reason) && nowMs - refreshedAt > REFRESH_MS
    if (!mayBeNews) return grant
    refreshedAt = nowMs
    await refresh()
    return verifyToken(token, issuers, nowMs)
  }
  const verifyOnce = async (token: string, nowMs: number): Promise<Grant | Refusal> => {
    const started = generation
    const grant = await verifyAgain(token, nowMs)
    if ('reason' in grant) {
      record({ event: 'token-refused', reason: grant.reason, ...claimed(token) })
      return refuseInvalidToken()
    }
    if (started === generation) verified.set(token, grant)
    return grant
  }
  return {
    verify: (request, nowMs) => {
      const token = bearerToken(request)
      if (typeof token !== 'string') return token
      const grant = verified.get(token)
      return grant && isCurrent(grant, nowMs) ? grant : verifyOnce(token, nowMs)
    },
    refresh,
    forget,
  }
}

/** What another process may have added a moment ago: worth a look at the store, but not more than once a second. */
const NEWS: ReadonlySet<string> = new Set(['key-unknown', 'client'])
const REFRESH_MS = 1000

/** The token of the `Authorization` field (RFC 6750 §2.1), whose scheme is read in any case (RFC 9110 §11.1). */
function bearerToken(request: Request): string | Refusal {
  if (request.authorizations > 1) return refuseInvalidToken()
  const credentials = requestHeader(request.headers, 'authorization')
  if (credentials === undefined) return refuseNoCredentials()
  const isBearer = credentials.slice(0, 6).toLowerCase() === 'bearer' && /^ |^$/.test(credentials.slice(6, 7))
  return isBearer ? credentials.slice(6).trimStart() : refuseNoCredentials()
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
