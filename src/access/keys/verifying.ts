import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import type { Database } from '../../store/database/database.ts'
import { checkedPublicKey } from './checked-key.ts'
import type { Algorithm } from './jose.ts'
import { loadJose } from './jose.ts'
import { currentKeys } from './signing.ts'

/** A key that verifies signatures, with its id and its only algorithm. `key` throws if it is damaged. */
export type VerificationKey = { kid: string; algorithm: string; key: () => KeyObject }

/** Reads the keys that verify tokens of this store, keyed by `kid`. */
export async function verificationKeys(database: Database): Promise<Map<string, VerificationKey>> {
  const keys = (await currentKeys(database)).map(record => {
    const { kid, algorithm } = record
    let checked: KeyObject | undefined
    const key = () => {
      checked ??= checkedPublicKey(record)
      return checked
    }
    return [kid, { kid, algorithm, key }] as const
  })
  return new Map(keys)
}

/** Returns the public key of a JWK. Throws if it has none. */
export function publicKeyOf(jwk: webcrypto.JsonWebKey): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' })
}

/**
 * Whether a compact JWS (RFC 7515 §7.1) is signed by a key with this algorithm, which its header must name. Call the
 * stricter checks of `compact-token.ts` first: they refuse tokens that `jose` would accept.
 */
export async function isSigned(token: string, algorithm: Algorithm, key: KeyObject): Promise<boolean> {
  const { compactVerify, errors } = await loadJose()
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
    return true
  } catch (error) {
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}
