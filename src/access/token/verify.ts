import type { Key } from '../keys/signing.ts'
import { type Refused, readUnverified, type UnverifiedToken } from './compact-token.ts'
import type { Grant } from './grant.ts'
import { MAX_LIFETIME_SECONDS } from './issue.ts'
import type { Claims, Issuer, TokenClaims } from './issuer.ts'
import { textList } from './issuer.ts'

/** How far clocks may be apart, in seconds. */
export const LEEWAY_SECONDS = 5

/**
 * Checks an access token (RFC 9068 §4, RFC 8725): everything that can be refused without a signature check is refused
 * before it. Gives the grant that the token is proof of, or the reason why it is none: for the log, never for the client.
 */
export async function verifyToken(token: string, issuers: readonly Issuer[], nowMs: number): Promise<Grant | Refused> {
  const read = readUnverified(token)
  if ('reason' in read) return read
  const issuer = issuerOf(read, issuers)
  if ('reason' in issuer) return issuer
  const dated = checkDates(read.claims, nowMs)
  if ('reason' in dated) return dated
  const said = issuer.read(read.claims)
  if ('reason' in said) return said
  const { kid, alg } = read.header
  const key = await issuer.key(kid, alg)
  if (!key) return { reason: 'key-unknown' }
  if (!(await isSigned(token, alg, await key.key()))) return { reason: 'signature' }
  return grantOf(issuer, read.claims, said, dated.expiresAt)
}

/** The one issuer that the token is from and for; none where the token leaves it open. */
function issuerOf({ header, claims }: UnverifiedToken, issuers: readonly Issuer[]): Issuer | Refused {
  const named = issuers.filter(({ issuer }) => issuer === claims.iss)
  if (named.length === 0) return { reason: 'issuer' }
  const typed = named.filter(({ types }) => types.includes(header.typ.toLowerCase()))
  if (typed.length === 0) return { reason: 'type' }
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : textList(claims.aud)
  const meant = typed.filter(({ audience }) => audiences?.includes(audience))
  if (meant.length === 0) return { reason: 'audience' }
  const placed = meant.filter(({ workspace }) => isFor(claims.workspace, workspace))
  const [only] = placed
  return only && placed.length === 1 ? only : { reason: 'workspace' }
}

/** An issuer that is trusted for one workspace need not name it; a name that is there must agree. */
function isFor(claim: unknown, trusted: string | undefined): boolean {
  return trusted === undefined ? typeof claim === 'string' && claim !== '' : claim === undefined || claim === trusted
}

/** `exp` is required and may have a fraction; `nbf` and `iat`, where they stand, must not be ahead (RFC 7519 §4.1). */
function checkDates({ exp, nbf, iat }: Claims, nowMs: number): { expiresAt: number } | Refused {
  const now = nowMs / 1000
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return { reason: 'claims' }
  if (exp + LEEWAY_SECONDS <= now) return { reason: 'expired' }
  if (exp > now + MAX_LIFETIME_SECONDS + LEEWAY_SECONDS) return { reason: 'expires-too-late' }
  for (const start of [nbf, iat]) {
    if (start === undefined) continue
    if (typeof start !== 'number' || !Number.isFinite(start)) return { reason: 'claims' }
    if (start > now + LEEWAY_SECONDS) return { reason: 'not-yet-valid' }
  }
  return { expiresAt: exp * 1000 }
}

async function isSigned(token: string, algorithm: string, key: Awaited<ReturnType<Key['key']>>): Promise<boolean> {
  const { compactVerify, errors } = await import('jose')
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

function grantOf(issuer: Issuer, claims: Claims, said: TokenClaims, expiresAt: number): Grant | Refused {
  const workspace = issuer.workspace ?? claims.workspace
  if (typeof workspace !== 'string') return { reason: 'workspace' }
  const { client, scopes, projects, jti } = said
  return {
    workspace,
    scopes: new Set(scopes),
    client,
    jti,
    expiresAt,
    ...(projects && { projects }),
  }
}
