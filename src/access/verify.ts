import { isScope, type Scope } from '../contract/operations.ts'
import type { Audience } from './audience.ts'
import type { Grant } from './grant.ts'
import { LONGEST_LIFETIME_SECONDS } from './issue.ts'
import { ALGORITHMS, type Key } from './signing.ts'

/** What tokens are checked against. */
export type Trust = {
  audience: Audience
  keys: ReadonlyMap<string, Key>
  /** The ids of tokens that were revoked. */
  revoked: ReadonlySet<string>
}

/** The longest token that is looked at, in characters. */
const LONGEST_TOKEN = 8192
/** How far clocks may be apart, in seconds. */
export const LEEWAY_SECONDS = 5

/**
 * Checks an access token (RFC 9068 §4, RFC 8725): what can be refused without a signature check is refused before it.
 * Gives the grant that it is proof of, or why it is none; the reason is for the log, never for the client.
 */
export async function verifyToken(token: string, trust: Trust, nowMs: number): Promise<Grant | { reason: string }> {
  const key = keyFor(token, trust)
  if ('reason' in key) return key
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, await key.key(), {
      algorithms: [key.algorithm],
      issuer: trust.audience.issuer,
      audience: trust.audience.audience,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id', 'scope', 'workspace'],
    })
    return grantOf(payload, trust, nowMs)
  } catch (error) {
    if (error instanceof errors.JOSEError) return { reason: error.code }
    throw error
  }
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const FORBIDDEN = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc']

/** The key that the token's header names; the header is believed in nothing but that name. */
function keyFor(token: string, trust: Trust): Key | { reason: string } {
  if (token.length > LONGEST_TOKEN) return { reason: 'too long' }
  if (!COMPACT.test(token)) return { reason: 'not a compact JWS' }
  const header = readHeader(token.slice(0, token.indexOf('.')))
  if (!header) return { reason: 'header is not a JSON object' }
  const { typ, alg, kid } = header
  if (typeof typ !== 'string' || !/^(application\/)?at\+jwt$/i.test(typ)) return { reason: 'typ is not at+jwt' }
  if (!ALGORITHMS.some(algorithm => algorithm === alg)) return { reason: 'algorithm is not accepted' }
  if (FORBIDDEN.some(name => name in header)) return { reason: 'header has a parameter that is not accepted' }
  const key = typeof kid === 'string' ? trust.keys.get(kid) : undefined
  if (!key) return { reason: 'kid is unknown' }
  return key.algorithm === alg ? key : { reason: 'algorithm is not the key’s' }
}

function readHeader(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null && !Array.isArray(header) ? { ...header } : undefined
  } catch {
    return undefined
  }
}

function grantOf(claims: Readonly<Record<string, unknown>>, trust: Trust, nowMs: number): Grant | { reason: string } {
  const { workspace, scope, projects, client_id: client, sub, jti, exp } = claims
  if (!isText(workspace) || !isText(scope) || !isText(client) || !isText(sub) || !isText(jti))
    return { reason: 'a claim is not a text' }
  if (typeof exp !== 'number') return { reason: 'exp is not a number' }
  if (nowMs >= (exp + LEEWAY_SECONDS) * 1000) return { reason: 'expired' }
  if (exp * 1000 > nowMs + (LONGEST_LIFETIME_SECONDS + LEEWAY_SECONDS) * 1000) return { reason: 'expires too late' }
  if (trust.revoked.has(jti)) return { reason: 'revoked' }
  const allowed = projectsOf(projects)
  if (allowed === 'malformed') return { reason: 'projects is not a list of texts' }
  const scopes = new Set<Scope>(scope.split(' ').filter(isScope))
  return { workspace, scopes, client, jti, expiresAt: exp * 1000, ...(allowed && { projects: allowed }) }
}

function isText(claim: unknown): claim is string {
  return typeof claim === 'string'
}

function projectsOf(claim: unknown): ReadonlySet<string> | undefined | 'malformed' {
  if (claim === undefined) return undefined
  if (!Array.isArray(claim)) return 'malformed'
  const ids = claim.filter(id => typeof id === 'string')
  return ids.length === claim.length ? new Set(ids) : 'malformed'
}
