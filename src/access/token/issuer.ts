import type { MaybePromise } from '../../base/promise.ts'
import type { Scope } from '../../contract/operations.ts'
import type { Algorithm } from '../keys/algorithm.ts'
import type { Key } from '../keys/signing.ts'
import type { Refused } from './compact-token.ts'
import type { Grant } from './grant.ts'

/** What tokens of one issuer are accepted as. */
export type Issuer = {
  /** `iss` */
  issuer: string
  /** What must be in `aud`. */
  audience: string
  /** Accepted values of `typ`, in lower case (RFC 8725 §3.11). */
  types: readonly string[]
  /** The one workspace that the issuer is trusted for; absent: the token says it, as our own do. */
  workspace?: string
  /** The key that checks a signature; undefined where the issuer has none of this id for this algorithm. */
  key: (kid: string, algorithm: Algorithm) => MaybePromise<Key | undefined>
  /** What the token says in its own words, as ours; refused where it does not say it rightly, or may not any more. */
  read: (claims: Claims) => TokenClaims | Refused
}

/** The claims of a token (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>

/** What a token says of its client and of what it covers. */
export type TokenClaims = {
  client: string
  scopes: readonly Scope[]
  /** Absent: all projects. */
  projects?: Grant['projects']
  jti: string
}

/** The list of texts in a claim; undefined where it is none. */
export function textList(claim: unknown): readonly string[] | undefined {
  if (!Array.isArray(claim)) return undefined
  const texts = claim.filter(each => typeof each === 'string')
  return texts.length === claim.length ? texts : undefined
}
