import type { KeyObject } from 'node:crypto'
import type { MaybePromise } from '#platform/base/promise.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { type Algorithm, unlessRefused } from '../keys/jose.ts'
import type { VerificationKey } from '../keys/keys.ts'
import { readUnverified, type TokenProblem, type UnverifiedToken } from './compact-token.ts'
import type { Grant } from './grant.ts'
import { MAX_LIFETIME_SECONDS } from './issue.ts'

/** The tolerated clock difference, in seconds. */
export const LEEWAY_SECONDS = 5

/** Verifies an access token (RFC 9068 §4, RFC 8725). Checks the signature last, because that takes longest. */
export async function verifyToken(
  token: string,
  issuers: readonly Issuer[],
  nowMs: number,
): Promise<Result<Grant, TokenProblem>> {
  const unverified = readUnverified(token)
  if (!unverified.ok) return unverified
  const { header, claims } = unverified.value
  const issuer = findIssuer(unverified.value, issuers)
  if (!issuer.ok) return issuer
  const expiry = checkDates(claims, nowMs)
  if (!expiry.ok) {
    if (expiry.problem === 'not-yet-valid') await reportEarly(token, unverified.value, issuer.value, nowMs)
    return expiry
  }
  const read = issuer.value.readClaims(claims)
  if (!read.ok) return read
  const workspace = issuer.value.workspace ?? claims.workspace
  if (typeof workspace !== 'string') return failed('workspace')
  const key = await issuer.value.key(header.kid, header.alg)
  if (!key) return failed('key-unknown')
  if (!(await isSigned(token, header.alg, key.key()))) return failed('signature')
  return ok({ ...read.value, workspace, expiresAt: expiry.value })
}

/** Finds the issuer that fits the token's issuer, type, audience and workspace. None or several: refused. */
function findIssuer({ header, claims }: UnverifiedToken, issuers: readonly Issuer[]): Result<Issuer, TokenProblem> {
  const ofIssuer = issuers.filter(({ issuer }) => issuer === claims.iss)
  if (ofIssuer.length === 0) return failed('issuer')
  const ofType = ofIssuer.filter(({ types }) => types.includes(header.typ.toLowerCase()))
  if (ofType.length === 0) return failed('type')
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : readStringList(claims.aud)
  const ofAudience = ofType.filter(({ audience }) => audiences?.includes(audience))
  if (ofAudience.length === 0) return failed('audience')
  const ofWorkspace = ofAudience.filter(({ workspace }) => isForWorkspace(claims.workspace, workspace))
  const [only] = ofWorkspace
  return only && ofWorkspace.length === 1 ? ok(only) : failed('workspace')
}

/** Whether a workspace claim fits the issuer. A token of an issuer for one workspace may omit it. */
function isForWorkspace(claim: unknown, trusted: string | undefined): boolean {
  return trusted === undefined ? typeof claim === 'string' && claim !== '' : claim === undefined || claim === trusted
}

/**
 * Checks the dates, and returns the expiry in milliseconds. `exp` is required and may have a fraction; `nbf` and `iat`
 * are optional and must not be in the future (RFC 7519 §4.1).
 */
function checkDates({ exp, nbf, iat }: Claims, nowMs: number): Result<number, TokenProblem> {
  const now = nowMs / 1000
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return failed('claims')
  if (exp + LEEWAY_SECONDS <= now) return failed('expired')
  if (exp > now + MAX_LIFETIME_SECONDS + LEEWAY_SECONDS) return failed('expires-too-late')
  for (const start of [nbf, iat]) {
    if (start === undefined) continue
    if (typeof start !== 'number' || !Number.isFinite(start)) return failed('claims')
    if (start > now + LEEWAY_SECONDS) return failed('not-yet-valid')
  }
  return ok(exp * 1000)
}

/** Reports a genuine token that begins in the future, because then the clock of this machine may be wrong. */
async function reportEarly(
  token: string,
  { header, claims: { nbf, iat } }: UnverifiedToken,
  { key: keyOf, early }: Issuer,
  nowMs: number,
): Promise<void> {
  const key = early && (await keyOf(header.kid, header.alg))
  if (key && (await isSigned(token, header.alg, key.key())))
    early(Math.max(Number(nbf ?? 0), Number(iat ?? 0)) * 1000 - nowMs)
}

/** Whether a compact JWS (RFC 7515 §7.1), which passed the checks above, is signed by a key with this algorithm. */
export async function isSigned(token: string, algorithm: Algorithm, key: KeyObject): Promise<boolean> {
  const verified = await unlessRefused(({ compactVerify }) => compactVerify(token, key, { algorithms: [algorithm] }))
  return verified !== undefined
}

/** An issuer whose tokens for an audience are accepted. */
export type Issuer = {
  /** `iss` */
  issuer: string
  /** A value that `aud` must contain. */
  audience: string
  /** Accepted values of `typ`, in lower case (RFC 8725 §3.11). */
  types: readonly string[]
  /** The workspace of a trusted issuer. If absent, the claim `workspace` names it, as in our own tokens. */
  workspace?: string
  /** Returns the key that verifies a signature; undefined if the issuer has no key with this id and algorithm. */
  key: (kid: string, algorithm: Algorithm) => MaybePromise<VerificationKey | undefined>
  /** Called with a signed token that begins in the future, by this many milliseconds. */
  early?: (aheadMs: number) => void
  /** Reads the claims of a token of this issuer. Fails if they are malformed, or if the token is no longer valid. */
  readClaims: (claims: Claims) => Result<TokenClaims, TokenProblem>
}

/**
 * Reads this store's own issuer; returns the same value until something changes. With `isReplaced`, always reads it
 * again: the database was replaced, perhaps by one that lacks known changes.
 */
export type ReadOwn = (isReplaced?: boolean) => Promise<Issuer>

/** The claims of a token (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>

/** The claims of a token that become a part of its grant. */
export type TokenClaims = Pick<Grant, 'client' | 'scopes' | 'projects' | 'jti' | 'uses'>

/** Reads a claim that is a list of strings; undefined for anything else. */
export function readStringList(claim: unknown): readonly string[] | undefined {
  if (!Array.isArray(claim)) return undefined
  const texts = claim.filter(each => typeof each === 'string')
  return texts.length === claim.length ? texts : undefined
}
