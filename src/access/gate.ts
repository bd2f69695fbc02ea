import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../brand/maybe-promise.ts'
import { type Refusal, refuseInvalidToken, refuseNoCredentials } from '../contract/refusals.ts'
import { type Request, requestHeader } from '../exchange/message.ts'
import type { Database } from '../store/database.ts'
import { revokedTokens } from '../store/tokens.ts'
import type { Audience } from './audience.ts'
import type { Grant } from './grant.ts'
import { verificationKeys } from './signing.ts'
import { LEEWAY_SECONDS, type Trust, verifyToken } from './verify.ts'

/** Where tokens are checked: each once, then known by its full text until it expires or anything is revoked. */
export type Gate = {
  verify: (request: Request, nowMs: number) => MaybePromise<Grant | Refusal>
  /** Reads keys and revocations again, and forgets what was verified before. */
  refresh: () => Promise<void>
}

/** Opens the gate of a store; `refused` hears why a token was refused, for the log. */
export async function openGate(
  database: Database,
  audience: Audience,
  refused: (reason: string) => void,
): Promise<Gate> {
  const verified = new LRUCache<string, Grant>({ maxSize: 32 << 20, sizeCalculation: (_, token) => token.length + 500 })
  let trust = await readTrust(database, audience)
  const verifyOnce = async (token: string, nowMs: number): Promise<Grant | Refusal> => {
    const current = trust
    const grant = await verifyToken(token, current, nowMs)
    if ('reason' in grant) {
      refused(grant.reason)
      return refuseInvalidToken()
    }
    if (current === trust) verified.set(token, grant)
    return grant
  }
  return {
    verify: (request, nowMs) => {
      const token = bearerToken(request)
      if (typeof token !== 'string') return token
      const grant = verified.get(token)
      return grant && isCurrent(grant, nowMs) ? grant : verifyOnce(token, nowMs)
    },
    refresh: async () => {
      trust = await readTrust(database, audience)
      verified.clear()
    },
  }
}

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

async function readTrust(database: Database, audience: Audience): Promise<Trust> {
  return { audience, keys: await verificationKeys(database), revoked: await revokedTokens(database, new Date()) }
}
