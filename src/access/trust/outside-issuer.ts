import { isScope, type Scope } from '../../contract/operations.ts'
import type { Issuer, TokenClaims } from '../token/issuer.ts'
import { type Claims, textList } from '../token/issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'

/** What an operator says of an issuer that is trusted for one workspace. */
export type TrustEntry = {
  issuer: string
  workspace: string
  audience: string
  /** Where its keys are; absent: found by discovery. */
  jwks?: string
  /** The claim that holds the scopes; absent: `scope`, else `scp`. */
  scopeClaim?: string
  /** Their scopes and what each gives of ours; absent: they are ours already. */
  scopes?: Readonly<Record<string, readonly Scope[]>>
  /** Accepted values of `typ`, in lower case. */
  types: readonly string[]
}

/** An outside issuer as the operator trusts it: the entry supplies what such tokens lack. */
export function outsideIssuer(entry: TrustEntry, keys: IssuerKeys): Issuer {
  const { issuer, audience, workspace, types } = entry
  return { issuer, audience, workspace, types, key: keys, read: claims => readClaims(claims, entry) }
}

function readClaims(claims: Claims, entry: TrustEntry): TokenClaims | { reason: string } {
  const { client_id: id, azp, sub, jti, projects, iat } = claims
  const client = [id, azp, sub].find(claim => typeof claim === 'string')
  const listed = projects === undefined ? undefined : textList(projects)
  if (typeof client !== 'string' || (projects !== undefined && !listed)) return { reason: 'claims' }
  const scopes = theirScopes(claims, entry.scopeClaim).flatMap(scope => ours(scope, entry.scopes))
  const named = { issuedAt: typeof iat === 'number' ? iat * 1000 : Number.NEGATIVE_INFINITY }
  const covered = listed && { projects: new Map(listed.map(project => [project, named])) }
  return { client, scopes, jti: typeof jti === 'string' ? jti : '', ...covered }
}

/** A list of texts, or a text with spaces between them. */
function theirScopes(claims: Claims, name: string | undefined): readonly string[] {
  const claim = name === undefined ? (claims.scope ?? claims.scp) : claims[name]
  return typeof claim === 'string' ? claim.split(' ') : (textList(claim) ?? [])
}

function ours(scope: string, mapping: TrustEntry['scopes']): readonly Scope[] {
  if (mapping) return Object.hasOwn(mapping, scope) ? (mapping[scope] ?? []) : []
  return isScope(scope) ? [scope] : []
}
