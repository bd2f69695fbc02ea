import { hkdfSync, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { loadJose } from '../../../access/keys/jose.ts'
import { once } from '../../../base/promise.ts'
import type { Claims } from '../groups-claim.ts'

/** The tokens that an issuer gave for a person. */
export type IssuerTokens = {
  /** Ends the person's session at the issuer. */
  idToken: string
  /** Reads the person's groups again; absent if the issuer gave none. */
  refreshToken?: string
  /** The last claims of the person for which the rules ask; absent if an earlier version kept the tokens. */
  claims?: Claims
}

/** Encrypts the tokens for the store. */
export async function sealIssuerTokens(tokens: IssuerTokens, key: Uint8Array): Promise<string> {
  const { CompactEncrypt } = await loadJose()
  const text = new TextEncoder().encode(JSON.stringify(tokens))
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypts tokens from the store; undefined if they were encrypted with another key secret. */
export async function openIssuerTokens(sealed: string, key: Uint8Array): Promise<IssuerTokens | undefined> {
  const { compactDecrypt, errors } = await loadJose()
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  try {
    const { plaintext } = await compactDecrypt(sealed, key, options)
    return JSON.parse(new TextDecoder().decode(plaintext))
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/**
 * Derives the key for the tokens of issuers. With a key secret, the store is not enough to decrypt them; as for signing
 * keys, PBKDF2 makes a weak secret costly to guess, once per process.
 */
export function issuerTokensKey(secret: Uint8Array, keySecret: string | undefined): () => Promise<Uint8Array> {
  const salt = deriveKey(secret, 'tokens of issuers')
  return once(async () =>
    keySecret === undefined ? salt : promisify(pbkdf2)(keySecret, salt, ITERATIONS, KEY_BYTES, 'sha256'),
  )
}

/** The OWASP recommendation for PBKDF2 with HMAC-SHA256. */
const ITERATIONS = 600_000

/** Derives a key for one purpose from the store's secret (RFC 5869). */
export function deriveKey(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `housestyle ${purpose}`, KEY_BYTES))
}

const KEY_BYTES = 32
