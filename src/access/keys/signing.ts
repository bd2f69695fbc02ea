import type { CryptoKey } from 'jose'
import { once } from '../../base/promise.ts'
import { listSigningKeys, type SigningKeyRecord } from '../../store/access/signing-keys.ts'
import type { Database } from '../../store/database/database.ts'
import { loadJose } from './jose.ts'
import { decryptKey } from './key-encryption.ts'
import { addKey } from './keys.ts'

/** A signing key and its id. The key is imported on first use, so that startup does not wait for it. */
type Key = { kid: string; algorithm: string; key: () => Promise<CryptoKey> }

/** Returns the key that signs new tokens: the newest one. Makes a key if there is none. */
export type Signer = (now: Date) => Promise<Key>

/**
 * Opens the signing keys of a store. `secret` decrypts the encrypted ones, each once.
 *
 * @throws {EncryptedKeyError} on use of an encrypted key, if the secret is missing or wrong
 */
export function openSigner(database: Database, secret: string | undefined): Signer {
  const opened = new Map<string, Key>()
  return async now => {
    const record =
      (await currentKeys(database))[0] ??
      (await addKey(database, { algorithm: 'ES256', secret }, now, 'unless there is one'))
    const { kid, algorithm, privateJwk } = record
    const known = opened.get(kid)
    if (known) return known
    const key = { kid, algorithm, key: once(async () => importKey(await decryptKey(privateJwk, secret), algorithm)) }
    opened.set(kid, key)
    return key
  }
}

/** Returns the public keys as a JWK Set (RFC 7517 §5), for `/.well-known/jwks.json`. */
export async function publicKeySet(database: Database): Promise<{ keys: object[] }> {
  const keys = (await currentKeys(database)).map(({ kid, algorithm, publicJwk }) => ({
    ...JSON.parse(publicJwk),
    kid,
    alg: algorithm,
    use: 'sig',
  }))
  return { keys }
}

/** Lists the active keys, newest first. */
export async function currentKeys(database: Database): Promise<SigningKeyRecord[]> {
  return (await listSigningKeys(database)).filter(({ retiredAt }) => !retiredAt)
}

async function importKey(jwk: string, algorithm: string): Promise<CryptoKey> {
  const { importJWK } = await loadJose()
  const key = await importJWK(JSON.parse(jwk), algorithm)
  if (key instanceof Uint8Array) throw new Error('a signing key of the store is symmetric')
  return key
}
