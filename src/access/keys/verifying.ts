import { constants, createPublicKey, type KeyObject, verify, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../../store/database/database.ts'
import type { Algorithm } from './algorithm.ts'
import { currentKeys } from './signing.ts'

/** A key that verifies signatures, its id, and the one algorithm that it is used with. */
export type VerificationKey = { kid: string; algorithm: string; key: () => KeyObject }

/** The keys that verify tokens of this store, by `kid`. */
export async function verificationKeys(database: Database): Promise<Map<string, VerificationKey>> {
  const keys = (await currentKeys(database)).map(({ kid, algorithm, publicJwk }) => {
    let made: KeyObject | undefined
    const key = () => {
      made ??= publicKeyOf(JSON.parse(publicJwk))
      return made
    }
    return [kid, { kid, algorithm, key }] as const
  })
  return new Map(keys)
}

/** The public key that a JWK has. Throws if it has none. */
export function publicKeyOf(jwk: webcrypto.JsonWebKey): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' })
}

/**
 * Whether a compact JWS (RFC 7515 §7.1) is signed by a key, which fits the algorithm (RFC 7518 §3, RFC 8037 §3.1). Node does
 * so in a thread of its own.
 */
export function isSigned(token: string, algorithm: Algorithm, key: KeyObject): Promise<boolean> {
  const end = token.lastIndexOf('.')
  const [signed, signature] = [Buffer.from(token.slice(0, end)), Buffer.from(token.slice(end + 1), 'base64url')]
  const { digest, ...scheme } = SCHEMES[algorithm]
  return verifyInThread(digest, signed, { key, ...scheme }, signature)
}

const verifyInThread = promisify(verify)

const SCHEMES = {
  ES256: { digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { digest: null },
  Ed25519: { digest: null },
  RS256: { digest: 'sha256', padding: constants.RSA_PKCS1_PADDING },
  PS256: {
    digest: 'sha256',
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  },
} as const satisfies Record<Algorithm, object>
