import type { CryptoKey } from 'jose'
import { once } from '../brand/once.ts'
import { noteChange } from '../store/changes.ts'
import type { Database } from '../store/database.ts'
import { addSigningKey, listSigningKeys, type SigningKeyRecord } from '../store/signing-keys.ts'

/** The algorithms that tokens may be signed with (RFC 8725 §3.1): asymmetric ones only, one for a key. */
export const ALGORITHMS = ['ES256', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const

/** A key by its id; the key itself is read when it is first used, so that a start does not wait for it. */
export type Key = { kid: string; algorithm: string; key: () => Promise<CryptoKey> }

/** The keys that tokens of this store are checked with, by `kid`. */
export async function verificationKeys(database: Database): Promise<Map<string, Key>> {
  const keys = new Map<string, Key>()
  for (const { kid, algorithm, publicJwk } of await listSigningKeys(database)) {
    keys.set(kid, { kid, algorithm, key: once(() => importKey(publicJwk, algorithm)) })
  }
  return keys
}

/** The key that new tokens are signed with, made on first use: a service that starts has it made, so that it knows it. */
export async function signingKey(database: Database, now: Date): Promise<Key> {
  const record = (await listSigningKeys(database))[0] ?? (await makeKey(database, now))
  const { kid, algorithm, privateJwk } = record
  return { kid, algorithm, key: once(() => importKey(privateJwk, algorithm)) }
}

/** The public keys as a JWK Set (RFC 7517 §5), for `/.well-known/jwks.json`. */
export async function publicKeySet(database: Database): Promise<{ keys: object[] }> {
  const records = await listSigningKeys(database)
  return {
    keys: records.map(({ kid, algorithm, publicJwk }) => ({
      ...JSON.parse(publicJwk),
      kid,
      alg: algorithm,
      use: 'sig',
    })),
  }
}

async function importKey(jwk: string, algorithm: string): Promise<CryptoKey> {
  const { importJWK } = await import('jose')
  const key = await importJWK(JSON.parse(jwk), algorithm)
  if (key instanceof Uint8Array) throw new Error('a signing key of the store is symmetric')
  return key
}

async function makeKey(database: Database, now: Date): Promise<SigningKeyRecord> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose')
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const made: SigningKeyRecord = {
    kid: await calculateJwkThumbprint(publicJwk),
    algorithm: 'ES256',
    publicJwk: JSON.stringify(publicJwk),
    privateJwk: JSON.stringify(await exportJWK(privateKey)),
    createdAt: now,
  }
  return database.transaction(async queries => {
    const first = (await listSigningKeys(queries))[0]
    if (first) return first
    await addSigningKey(queries, made)
    await noteChange(queries, undefined)
    return made
  })
}
