import { hkdfSync, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { once } from '../../../base/promise.ts'

/** Derives the key for the cookies of sign-ins under way from the store's secret (RFC 5869). */
export function flowKey(secret: Uint8Array): Uint8Array {
  return deriveKey(secret, 'sign-in under way')
}

/**
 * Derives the key for the tokens of issuers. With a key secret, the store is not enough to decrypt them; as for signing keys, PBKDF2 makes a weak secret costly to guess, once per process.
 */
export function issuerTokensKey(secret: Uint8Array, keySecret: string | undefined): () => Promise<Uint8Array> {
  const salt = deriveKey(secret, 'tokens of issuers')
  return once(async () =>
    keySecret === undefined ? salt : promisify(pbkdf2)(keySecret, salt, ITERATIONS, KEY_BYTES, 'sha256'),
  )
}

function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `housestyle ${purpose}`, KEY_BYTES))
}

const KEY_BYTES = 32
/** The OWASP recommendation for PBKDF2 with HMAC-SHA256. */
const ITERATIONS = 600_000
