import { failed, ok, type Result } from '../../base/result.ts'
import { isSigned } from '../keys/verifying.ts'
import { readUnverified, type TokenProblem, type UnverifiedToken } from './compact-token.ts'
import type { Grant } from './grant.ts'
import { MAX_LIFETIME_SECONDS } from './issue.ts'
import { type Claims, type Issuer, readStringList } from './issuer.ts'

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
  if (!expiry.ok) return expiry
  const read = issuer.value.readClaims(claims)
  if (!read.ok) return read
  const workspace = issuer.value.workspace ?? claims.workspace
  if (typeof workspace !== 'string') return failed('workspace')
  const key = await issuer.value.key(header.kid, header.alg)
  if (!key) return failed('key-unknown')
  if (!(await isSigned(token, header.alg, key.key()))) return failed('signature')
  return ok({ ...read.value, workspace, expiresAt: expiry.value })
}

/**
 * Finds the issuer that matches the token's issuer, type, audience and workspace. A token that matches none or several
 * is refused.
 */
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

/**
 * Whether a workspace claim fits the issuer. A token of an issuer that is trusted for one workspace may omit the claim;
 * if present, it must agree.
 */
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
