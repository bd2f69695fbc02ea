/** The algorithms that tokens may be signed with (RFC 8725 §3.1): asymmetric ones only, one for a key. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

/** One of the accepted algorithms. */
export type Algorithm = (typeof ALGORITHMS)[number]
