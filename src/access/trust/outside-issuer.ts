import { failed, ok, type Result } from '../../base/result.ts'
import { isScope, type Scope } from '../../contract/operations.ts'
import type { TokenProblem } from '../token/compact-token.ts'
import { type Claims, type Issuer, readStringList, type TokenClaims } from '../token/verify.ts'
import { cacheIssuerKeys, type IssuerKeys, type KeySource } from './issuer-keys.ts'
import type { TrustEntry } from './trust-entries.ts'

/** Makes the trusted issuers. Entries of one issuer share its keys. */
export function trustedIssuers(
  entries: readonly TrustEntry[],
  { early, ...source }: Omit<KeySource, 'issuer' | 'jwks'> & { early?: (issuer: string, aheadMs: number) => void },
): readonly Issuer[] {
  const keys = new Map<string, IssuerKeys>()
  return entries.map(entry => {
    const { issuer, jwks } = entry
    const name = JSON.stringify([issuer, jwks])
    const issuerKeys = keys.get(name) ?? cacheIssuerKeys({ ...source, issuer, ...(jwks !== undefined && { jwks }) })
    keys.set(name, issuerKeys)
    const accepted = outsideIssuer(entry, issuerKeys)
    return early ? { ...accepted, early: aheadMs => early(issuer, aheadMs) } : accepted
  })
}

/** Accepts tokens of an external issuer. The entry supplies missing values. */
function outsideIssuer(entry: TrustEntry, keys: IssuerKeys): Issuer {
  const { issuer, audience, workspace, types } = entry
  return { issuer, audience, workspace, types, key: keys, readClaims: claims => readClaims(claims, entry) }
}

function readClaims(claims: Claims, entry: TrustEntry): Result<TokenClaims, TokenProblem> {
  const { client_id: id, azp, sub, jti, projects, iat } = claims
  const client = [id, azp, sub].find(claim => typeof claim === 'string')
  const ids = projects === undefined ? undefined : readStringList(projects)
  if (typeof client !== 'string' || (projects !== undefined && !ids)) return failed('claims')
  const issuedAt = typeof iat === 'number' ? iat * 1000 : Number.NEGATIVE_INFINITY
  return ok({
    client,
    scopes: new Set(theirScopes(claims, entry.scopeClaim).flatMap(scope => ourScopes(scope, entry.scopes))),
    jti: typeof jti === 'string' ? jti : '',
    ...(ids && { projects: new Map(ids.map(project => [project, { issuedAt }])) }),
  })
}

/** Reads the scopes: a list, or one string separated by spaces. */
function theirScopes(claims: Claims, name: string | undefined): readonly string[] {
  const claim = name === undefined ? (claims.scope ?? claims.scp) : claims[name]
  return typeof claim === 'string' ? claim.split(' ') : (readStringList(claim) ?? [])
}

function ourScopes(scope: string, mapping: TrustEntry['scopes']): readonly Scope[] {
  if (mapping) return Object.hasOwn(mapping, scope) ? (mapping[scope] ?? []) : []
  return isScope(scope) ? [scope] : []
}
