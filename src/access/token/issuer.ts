import type { MaybePromise } from '../../base/promise.ts'
import type { Result } from '../../base/result.ts'
import type { Algorithm } from '../keys/jose.ts'
import type { VerificationKey } from '../keys/verifying.ts'
import type { TokenProblem } from './compact-token.ts'
import type { Grant } from './grant.ts'

/** An accepted issuer, and functions to read its tokens. */
export type Issuer = {
  /** `iss` */
  issuer: string
  /** A value that `aud` must contain. */
  audience: string
  /** Accepted values of `typ`, in lower case (RFC 8725 §3.11). */
  types: readonly string[]
  /** The workspace of a trusted issuer. If absent, the claim `workspace` names it, as in our own tokens. */
  workspace?: string
  /** Returns the key that verifies a signature; undefined if the issuer has no key with this id and algorithm. */
  key: (kid: string, algorithm: Algorithm) => MaybePromise<VerificationKey | undefined>
  /** Reads the claims of a token of this issuer. Fails if they are malformed, or if the token is no longer valid. */
  readClaims: (claims: Claims) => Result<TokenClaims, TokenProblem>
}

/**
 * Reads this store's own issuer; returns the same value until something changes. With `mayBeOlder`, always reads it,
 * even from a database that lacks known changes.
 */
export type ReadOwn = (mayBeOlder?: boolean) => Promise<Issuer>

/** The claims of a token (RFC 7519 §4). */
export type Claims = Readonly<Record<string, unknown>>

/** The client and the coverage of a token. */
export type TokenClaims = Pick<Grant, 'client' | 'scopes' | 'projects' | 'jti' | 'uses'>

/** Reads a claim that is a list of strings; undefined for anything else. */
export function readStringList(claim: unknown): readonly string[] | undefined {
  if (!Array.isArray(claim)) return undefined
  const texts = claim.filter(each => typeof each === 'string')
  return texts.length === claim.length ? texts : undefined
}
