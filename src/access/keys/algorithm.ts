/** The allowed signature algorithms of tokens (RFC 8725 §3.1). All are asymmetric. Each key is used with only one. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

export type Algorithm = (typeof ALGORITHMS)[number]
