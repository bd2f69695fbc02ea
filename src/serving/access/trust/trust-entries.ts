import { isScope, SCOPES, type Scope } from '#brand/contract/operations.ts'
import { isStoredWorkspaceId } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { lowerScheme, withoutCredentials } from '#platform/base/server-url.ts'
import { isTrustworthy } from '#platform/outgoing/public-targets.ts'
import type { TrustSetting } from '#platform/settings/values.ts'
import type { Audience } from '../context.ts'
import type { TokenProblem } from '../token/compact-token.ts'
import { type Claims, type Issuer, readStringList, type TokenClaims } from '../token/verify.ts'
import { cacheIssuerKeys, type IssuerKeys, type KeySource } from './issuer-keys.ts'

/** A setting that trusts an issuer for one workspace. */
export type TrustEntry = {
  issuer: string
  workspace: string
  audience: string
  /** The address of its keys. If absent, it is discovered. */
  jwks?: string
  /** The claim that holds the scopes. If absent: `scope`, else `scp`. */
  scopeClaim?: string
  /** Our scopes for each external scope. If absent, the names are the same. */
  scopes?: Readonly<Record<string, readonly Scope[]>>
  /** Accepted values of `typ`, in lower case. */
  types: readonly string[]
}

/** Thrown for invalid settings of a trusted issuer. */
class TrustError extends Error {
  readonly code = 'trust_invalid'
}

/**
 * Checks the settings of trusted issuers. `own` is the issuer and audience of this store's tokens. Its audience is the
 * default for entries, unless it is a URN, which external issuers cannot know.
 *
 * @throws {TrustError} with the issuer and the problem
 */
export function trustEntries(written: readonly TrustSetting[], own: Audience): TrustEntry[] {
  const names = new Set<string>()
  return written.map(each => {
    const invalid = (why: string) => new TrustError(`trust: ${withoutCredentials(each.issuer)}: ${why}`)
    const entry = trustEntry(each, own, invalid)
    const { issuer, audience, workspace, types } = entry
    const name = JSON.stringify([issuer, audience, workspace, types])
    if (names.has(name)) throw invalid(`there are two entries for ${workspace} with this audience: remove one`)
    names.add(name)
    return entry
  })
}

type Invalid = (why: string) => TrustError

function trustEntry(written: TrustSetting, own: Audience, invalid: Invalid): TrustEntry {
  const { workspace, jwks, scopeClaim, typ = 'at+jwt' } = written
  const issuer = lowerScheme(written.issuer)
  if (!isTrustworthy(issuer) || new URL(issuer).search !== '')
    throw invalid(
      'an issuer is an https address without credentials, query and fragment; http is allowed only on this machine',
    )
  if (issuer === own.issuer)
    throw invalid('this is the service itself, whose tokens are always accepted: remove the entry')
  if (jwks !== undefined && !isTrustworthy(jwks))
    throw invalid(`its key set must be at an https address, not ${JSON.stringify(withoutCredentials(jwks))}`)
  if (!isStoredWorkspaceId(workspace)) throw invalid(`${JSON.stringify(workspace)} is not a workspace id`)
  const audience = written.audience ?? (own.audience.startsWith('urn:') ? '' : own.audience)
  if (audience === '')
    throw invalid('give audience: in housestyle.yaml, or --public-url, whose base URL is the default')
  if (!/^[!-~]+$/.test(typ)) throw invalid(`${JSON.stringify(typ)} is not a valid typ: write for example at+jwt`)
  return {
    issuer,
    workspace,
    audience,
    types: typesOf(typ.toLowerCase()),
    ...withoutUndefined({ jwks, scopeClaim }),
    ...(written.scopes && { scopes: scopeMapping(written.scopes, invalid) }),
  }
}

/** The prefix `application/` is optional in a type (RFC 7515 §4.1.9). */
function typesOf(typ: string): readonly string[] {
  const short = typ.replace(/^application\//, '')
  return short.includes('/') ? [short] : [short, `application/${short}`]
}

function scopeMapping(written: Readonly<Record<string, string>>, invalid: Invalid): Record<string, readonly Scope[]> {
  const entries = Object.entries(written).map(([external, own]) => {
    const names = own.split(/[\s,]+/).filter(name => name !== '')
    const scopes = names.filter(isScope)
    if (scopes.length !== names.length) throw invalid(`scopes: ${external}: the scopes are ${SCOPES.join(', ')}`)
    return [external, scopes]
  })
  return Object.fromEntries(entries)
}

/** Makes the trusted issuers. Entries of one issuer share its keys. */
export function trustedIssuers(
  entries: readonly TrustEntry[],
  { early, ...source }: Omit<KeySource, 'issuer' | 'jwks'> & { early?: (issuer: string, aheadMs: number) => void },
): readonly Issuer[] {
  const keys = new Map<string, IssuerKeys>()
  return entries.map(entry => {
    const { issuer, audience, workspace, types, jwks } = entry
    const name = JSON.stringify([issuer, jwks])
    const issuerKeys = keys.get(name) ?? cacheIssuerKeys({ ...source, issuer, ...(jwks !== undefined && { jwks }) })
    keys.set(name, issuerKeys)
    const readEntry: Issuer['readClaims'] = claims => readClaims(claims, entry)
    const accepted = { issuer, audience, workspace, types, key: issuerKeys, readClaims: readEntry }
    return early ? { ...accepted, early: aheadMs => early(issuer, aheadMs) } : accepted
  })
}

/** Reads the claims of another issuer: the client, its scopes by the entry, and the projects if it names some. */
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
