/** Something that an operator wrote of an issuer cannot be. */
export class TrustError extends Error {
  readonly code = 'trust_invalid'
}
