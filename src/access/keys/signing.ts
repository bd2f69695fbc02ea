import type { CryptoKey } from 'jose'
import { once } from '../../base/promise.ts'
import { listSigningKeys, type SigningKeyRecord } from '../../store/access/signing-keys.ts'
import type { Database } from '../../store/database/database.ts'
import { decryptKey } from './key-encryption.ts'
import { addKey } from './keys.ts'

/** A key that signs and its id. The key itself is imported on first use, so that no start waits for it. */
type Key = { kid: string; algorithm: string; key: () => Promise<CryptoKey> }

/** Gives the key that signs new tokens: the newest one. If there is none, it is made. */
export type Signer = (now: Date) => Promise<Key>

/**
 * Opens the signing keys of a store. `secret` decrypts the encrypted ones, each once.
 *
 * @throws {EncryptedKeyError} on use of a key that is encrypted, if the secret is missing or wrong
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

/** The public keys as a JWK Set (RFC 7517 §5), for `/.well-known/jwks.json`. */
export async function publicKeySet(database: Database): Promise<{ keys: object[] }> {
  const keys = (await currentKeys(database)).map(({ kid, algorithm, publicJwk }) => ({
    ...JSON.parse(publicJwk),
    kid,
    alg: algorithm,
    use: 'sig',
  }))
  return { keys }
}

/** The keys that are not retired, newest first. */
export async function currentKeys(database: Database): Promise<SigningKeyRecord[]> {
  return (await listSigningKeys(database)).filter(({ retiredAt }) => !retiredAt)
}

async function importKey(jwk: string, algorithm: string): Promise<CryptoKey> {
  const { importJWK } = await import('jose')
  const key = await importJWK(JSON.parse(jwk), algorithm)
  if (key instanceof Uint8Array) throw new Error('a signing key of the store is symmetric')
  return key
}
