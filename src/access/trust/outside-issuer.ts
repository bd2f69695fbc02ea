import { failed, ok, type Result } from '../../base/result.ts'
import { isScope, type Scope } from '../../contract/operations.ts'
import type { TokenProblem } from '../token/compact-token.ts'
import { type Claims, type Issuer, type TokenClaims, textList } from '../token/issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** An issuer that is trusted for one workspace, as the operator wrote it. */
export type TrustEntry = {
  issuer: string
  workspace: string
  audience: string
  /** The address of its keys; absent: found by discovery. */
  jwks?: string
  /** The claim that holds the scopes; absent: `scope`, else `scp`. */
  scopeClaim?: string
  /** Which of our scopes each of theirs gives; absent: the names are the same. */
  scopes?: Readonly<Record<string, readonly Scope[]>>
  /** Accepted values of `typ`, in lower case. */
  types: readonly string[]
}

/** Accepts tokens of an outside issuer; the entry supplies what they lack. */
export function outsideIssuer(entry: TrustEntry, keys: IssuerKeys): Issuer {
  const { issuer, audience, workspace, types } = entry
  return { issuer, audience, workspace, types, key: keys, readClaims: claims => readClaims(claims, entry) }
}

function readClaims(claims: Claims, entry: TrustEntry): Result<TokenClaims, TokenProblem> {
  const { client_id: id, azp, sub, jti, projects, iat } = claims
  const client = [id, azp, sub].find(claim => typeof claim === 'string')
  const ids = projects === undefined ? undefined : textList(projects)
  if (typeof client !== 'string' || (projects !== undefined && !ids)) return failed('claims')
  const issuedAt = typeof iat === 'number' ? iat * 1000 : Number.NEGATIVE_INFINITY
  return ok({
    client,
    scopes: new Set(theirScopes(claims, entry.scopeClaim).flatMap(scope => ourScopes(scope, entry.scopes))),
    jti: typeof jti === 'string' ? jti : '',
    ...(ids && { projects: new Map(ids.map(id => [id, { issuedAt }])) }),
  })
}

/** The claim is a list of scopes, or a text in which spaces separate them. */
function theirScopes(claims: Claims, name: string | undefined): readonly string[] {
  const claim = name === undefined ? (claims.scope ?? claims.scp) : claims[name]
  return typeof claim === 'string' ? claim.split(' ') : (textList(claim) ?? [])
}

function ourScopes(scope: string, mapping: TrustEntry['scopes']): readonly Scope[] {
  if (mapping) return Object.hasOwn(mapping, scope) ? (mapping[scope] ?? []) : []
  return isScope(scope) ? [scope] : []
}
