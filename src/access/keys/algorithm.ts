/** The algorithms that tokens may be signed with (RFC 8725 §3.1). All are asymmetric. A key is used with one only. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

export type Algorithm = (typeof ALGORITHMS)[number]
