import { type Refusal, refuseInvalidToken, refuseNoCredentials, refuseUnavailable } from '#brand/contract/refusals.ts'
import type { MaybePromise } from '#platform/base/promise.ts'
import { failed, type Ok, ok, type Result } from '#platform/base/result.ts'
import { groupsOf } from '#platform/base/text.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import type { Request } from '#platform/exchange/message.ts'
import type { AccessContext } from '../context.ts'
import { nextHour } from '../last-use.ts'
import { readUnverified, type TokenProblem } from './compact-token.ts'
import type { Grant } from './grant.ts'
import { type Issuer, LEEWAY_SECONDS, type ReadOwn, verifyToken } from './verify.ts'

/** A verified token is cached until it expires or anything is revoked. */
export type TokenVerifier = {
  verify: (request: Request, nowMs: number) => MaybePromise<Result<Grant, Refusal>>
  /** Reads keys, clients and revocations again if they have changed, and then clears the cache; see `ReadOwn`. */
  refresh: (isReplaced?: boolean) => Promise<void>
  forget: () => void
  /** Refuses all tokens until `refresh` has read everything from the database, which may be an older one. */
  suspend: () => void
}

/**
 * A token in the cache. `verify` returns this `result`, so that a hit allocates nothing. Its use is marked once an hour:
 * again from `markFromMs`.
 */
type CachedGrant = { result: Ok<Grant>; untilMs: number; markFromMs: number }

/** Opens the verifier for tokens of this store, and of trusted `others`. */
export async function openTokenVerifier(
  { record, caches, markUse }: Pick<AccessContext, 'record' | 'caches' | 'markUse'>,
  readOwn: ReadOwn,
  others: readonly Issuer[],
): Promise<TokenVerifier> {
  const grants = openGrantCache({ caches, markUse })
  const issuers = await openIssuers(readOwn, others, grants.forget)
  let isSuspended = false
  const refuse = (problem: TokenProblem, token: string, { address }: Request): Result<Grant, Refusal> => {
    record({ event: 'token-refused', reason: problem, address, ...unverifiedClaims(token) })
    return failed(problem === 'no-credentials' ? refuseNoCredentials() : refuseInvalidToken())
  }
  const verifyAndCache = async (token: string, request: Request, nowMs: number): Promise<Result<Grant, Refusal>> => {
    if (isSuspended) return failed(refuseUnavailable())
    const add = grants.reserve(request)
    const grant = await verifyWithCurrentKeys(issuers, token, nowMs)
    if (!grant.ok) return refuse(grant.problem, token, request)
    add(grant, nowMs)
    return grant
  }
  return {
    verify: (request, nowMs) => {
      const cached = grants.find(request, nowMs)
      if (cached) return cached
      const token = bearerToken(request)
      return token.ok ? verifyAndCache(token.value, request, nowMs) : refuse(token.problem, '', request)
    },
    refresh: async isReplaced => {
      await issuers.refresh(isReplaced || isSuspended)
      isSuspended = false
    },
    forget: grants.forget,
    suspend: () => {
      isSuspended = true
      grants.forget()
    },
  }
}

/** The grants of verified tokens, keyed by the whole field with the token. */
function openGrantCache({ caches, markUse }: Pick<AccessContext, 'caches' | 'markUse'>) {
  const cache = caches.open<CachedGrant>('tokens')
  let generation = 0
  const mark = (cached: CachedGrant, nowMs: number) => {
    cached.markFromMs = nextHour(nowMs)
    for (const { kind, id } of cached.result.value.uses ?? []) markUse?.(kind, id, nowMs)
  }
  return {
    find: (request: Request, nowMs: number): Ok<Grant> | undefined => {
      const cached = request.authorizations === 1 ? cache.get(credentialsOf(request)) : undefined
      if (!cached || nowMs >= cached.untilMs) return undefined
      if (nowMs >= cached.markFromMs) mark(cached, nowMs)
      return cached.result
    },
    /** Call before a token is verified. Returns a function that adds its grant, unless anything was revoked since. */
    reserve: (request: Request) => {
      // A revocation during the work starts a new generation, in which the result may no longer be true.
      const startedIn = generation
      return (result: Ok<Grant>, nowMs: number): void => {
        const cached = { result, untilMs: cachedUntil(result.value, nowMs), markFromMs: 0 }
        mark(cached, nowMs)
        if (startedIn === generation) cache.set(credentialsOf(request), cached, memoryOf(cached))
      }
    },
    forget: () => {
      generation++
      cache.drop(() => true)
    },
  }
}

async function verifyWithCurrentKeys(
  issuers: Issuers,
  token: string,
  nowMs: number,
): Promise<Result<Grant, TokenProblem>> {
  const accepted = issuers.current()
  const grant = await verifyToken(token, accepted, nowMs)
  if (grant.ok || !MAY_BE_NEW.has(grant.problem)) return grant
  await issuers.refresh().catch(() => undefined) // The change watcher reports an unreadable store.
  return issuers.current() === accepted ? grant : verifyToken(token, issuers.current(), nowMs)
}

/**
 * Another process may have added the key or the client recently, so the store is read again. Anyone can invent such a
 * token, so this reads only one row, and clears no cache unless something has changed.
 */
const MAY_BE_NEW: ReadonlySet<TokenProblem> = new Set(['key-unknown', 'client'])

/** Returns the cache key of a verified token: the whole field value, which is also the same each time. */
function credentialsOf({ headers }: Request): string {
  return headers.authorization ?? ''
}

/** The token of the only `Authorization` field (RFC 6750 §2.1). The scheme ignores case (RFC 9110 §11.1). */
function bearerToken(request: Request): Result<string, TokenProblem> {
  if (request.authorizations > 1) return failed('repeated')
  const credentials = credentialsOf(request)
  const [scheme] = groupsOf(/^bearer(?: +|$)/i, credentials)
  return scheme === undefined ? failed('no-credentials') : ok(credentials.slice(scheme.length))
}

/** Limits the cache time, so that a token fails after its issuer withdraws the key. */
function cachedUntil({ expiresAt }: Grant, nowMs: number): number {
  return Math.min(expiresAt + LEEWAY_SECONDS * 1000, nowMs + MAX_CACHED_MS)
}

const MAX_CACHED_MS = 10 * 60_000

/** Reads some claims of a refused token for the log. They are unverified, so they are truncated. */
function unverifiedClaims(token: string): { client?: string; workspace?: string; jti?: string } {
  const unverified = readUnverified(token)
  if (!unverified.ok) return {}
  const { client_id: client, workspace, jti } = unverified.value.claims
  const texts = Object.entries({ client, workspace, jti }).flatMap(([name, claim]) =>
    typeof claim === 'string' ? [[name, claim.slice(0, 100)]] : [],
  )
  return Object.fromEntries(texts)
}

export type Issuers = {
  /** Returns a new list after each change. */
  current: () => readonly Issuer[]
  refresh: (isReplaced?: boolean) => Promise<void>
}

/** `changed` is called for each new value of this store's own issuer. */
export async function openIssuers(readOwn: ReadOwn, others: readonly Issuer[], changed: () => void): Promise<Issuers> {
  let own = await readOwn()
  let issuers = [own, ...others]
  let calls = 0
  /** The call that read `own`. The result of an earlier call, which may arrive later, is ignored. */
  let currentCall = 0
  return {
    current: () => issuers,
    refresh: async isReplaced => {
      calls++
      const call = calls
      const latest = await readOwn(isReplaced)
      if (call < currentCall) return
      currentCall = call
      if (latest === own) return
      own = latest
      issuers = [own, ...others]
      changed()
    },
  }
}
