import { isWorkspaceId } from '../brand/ids.ts'
import { isScope, SCOPES, type Scope } from '../contract/operations.ts'
import type { Issuer } from './issuer.ts'
import { type KeySource, keepIssuerKeys } from './issuer-keys.ts'
import { isTrustworthy } from './key-set.ts'
import { outsideIssuer, type TrustEntry } from './outside-issuer.ts'

/** What an operator wrote of an issuer; what is absent has a default. */
export type WrittenTrust = {
  issuer: string
  workspace: string
  /** Default: the API's base URL, where a public URL is set. */
  audience?: string
  jwks?: string
  scopeClaim?: string
  /** Their scopes, and ours that each gives, with spaces between them. */
  scopes?: Readonly<Record<string, string>>
  /** Default: `at+jwt` (RFC 9068). */
  typ?: string
}

/** Something that an operator wrote of an issuer cannot be. */
export class TrustError extends Error {
  readonly code = 'ERR_TRUST'
}

/**
 * The issuers that an operator trusts. Entries of one issuer share its keys.
 *
 * @throws {TrustError} which says what is wrong with which issuer.
 */
export function trustedIssuers(
  written: readonly WrittenTrust[],
  baseUrl: string | undefined,
  source: Omit<KeySource, 'issuer' | 'jwks'>,
): Issuer[] {
  const keys = new Map<string, ReturnType<typeof keepIssuerKeys>>()
  return written.map(each => {
    const entry = trustEntry(each, baseUrl)
    const name = JSON.stringify([entry.issuer, entry.jwks])
    const { issuer, jwks } = entry
    const kept = keys.get(name) ?? keepIssuerKeys({ ...source, issuer, ...(jwks !== undefined && { jwks }) })
    keys.set(name, kept)
    return outsideIssuer(entry, kept)
  })
}

function trustEntry(written: WrittenTrust, baseUrl: string | undefined): TrustEntry {
  const { issuer, workspace, jwks, scopeClaim, typ = 'at+jwt' } = written
  const wrong = (why: string) => new TrustError(`trust: ${issuer}: ${why}`)
  if (!isTrustworthy(issuer)) throw wrong('an issuer is an https address')
  if (jwks !== undefined && !isTrustworthy(jwks)) throw wrong(`its key set is at an https address, not ${jwks}`)
  if (!isWorkspaceId(workspace)) throw wrong(`${JSON.stringify(workspace)} is no id of a workspace`)
  const audience = written.audience ?? baseUrl
  if (audience === undefined)
    throw wrong('give audience: in housestyle.yaml, or --public-url, whose base URL is the default')
  const scopes = written.scopes && scopeMapping(written.scopes, wrong)
  const type = typ.toLowerCase()
  return {
    ...{ issuer, workspace, audience },
    types: type === 'at+jwt' ? [type, `application/${type}`] : [type],
    ...(jwks !== undefined && { jwks }),
    ...(scopeClaim !== undefined && { scopeClaim }),
    ...(scopes && { scopes }),
  }
}

function scopeMapping(
  written: Readonly<Record<string, string>>,
  wrong: (why: string) => TrustError,
): Record<string, readonly Scope[]> {
  const entries = Object.entries(written).map(([theirs, ours]) => {
    const names = ours.split(/[\s,]+/).filter(name => name !== '')
    const scopes = names.filter(isScope)
    if (scopes.length !== names.length) throw wrong(`scopes: ${theirs}: the scopes are ${SCOPES.join(', ')}`)
    return [theirs, scopes]
  })
  return Object.fromEntries(entries)
}
