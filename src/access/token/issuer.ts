import type { MaybePromise } from '../../base/promise.ts'
import type { Result } from '../../base/result.ts'
import type { Algorithm } from '../keys/algorithm.ts'
import type { VerificationKey } from '../keys/verifying.ts'
import type { TokenProblem } from './compact-token.ts'
import type { Grant } from './grant.ts'

/** An issuer whose tokens are accepted, and how to read them. */
export type Issuer = {
  /** `iss` */
  issuer: string
  /** `aud` must contain it. */
  audience: string
  /** Accepted values of `typ`, in lower case (RFC 8725 §3.11). */
  types: readonly string[]
  /** The workspace that the issuer is trusted for. If absent, the claim `workspace` names it, as in our own tokens. */
  workspace?: string
  /** The key to verify a signature with; undefined if the issuer has no key with this id for this algorithm. */
  key: (kid: string, algorithm: Algorithm) => MaybePromise<VerificationKey | undefined>
  /** Reads the claims of a token of this issuer. Fails if they are malformed, or if the token is no longer valid. */
  readClaims: (claims: Claims) => Result<TokenClaims, TokenProblem>
}

/** The claims of a token (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>

/** What a token says about its client and about what it covers. */
export type TokenClaims = Pick<Grant, 'client' | 'scopes' | 'projects' | 'jti'>

/** A claim as a list of texts; undefined if it is anything else. */
export function readStringList(claim: unknown): readonly string[] | undefined {
  if (!Array.isArray(claim)) return undefined
  const texts = claim.filter(each => typeof each === 'string')
  return texts.length === claim.length ? texts : undefined
}
