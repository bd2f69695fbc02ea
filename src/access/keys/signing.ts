import { once } from '../../base/promise.ts'
import { listSigningKeys, type SigningKeyRecord } from '../../store/access/signing-keys.ts'
import type { Database } from '../../store/database/database.ts'
import { DamagedContent, replaceKeyFix } from '../../store/store-error.ts'
import type { Signer, SigningKey } from '../context.ts'
import { checkedPrivateKey, checkWithoutSecret, readPublicKey } from './checked-key.ts'
import { EncryptedKeyError } from './key-encryption.ts'
import { addKey } from './keys.ts'

/**
 * Opens the signing keys of a store. `secret` decrypts the encrypted ones, each once.
 *
 * @throws {EncryptedKeyError} on use of an encrypted key, if the secret is missing or wrong
 * @throws {DamagedContent} on use of a damaged key
 */
export function openSigner(database: Database, secret: string | undefined): Signer {
  const opened = new Map<string, SigningKey>()
  return async now => {
    const record =
      (await currentKeys(database))[0] ??
      (await addKey(database, { algorithm: 'ES256', secret }, now, 'unless there is one'))
    const { kid, algorithm, publicJwk, privateJwk } = record
    const parts = `${kid} ${publicJwk} ${privateJwk}`
    const known = opened.get(parts)
    if (known) return known
    const key = { kid, algorithm, key: once(() => checkedPrivateKey(record, secret)) }
    opened.set(parts, key)
    return key
  }
}

/** Returns the public keys as a JWK Set (RFC 7517 §5), for `/.well-known/jwks.json`, except damaged ones. */
export async function publicKeySet(database: Database): Promise<{ keys: object[] }> {
  const keys = (await currentKeys(database)).filter(readPublicKey).map(({ kid, algorithm, publicJwk }) => ({
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

/** A damaged signing key, as `doctor` prints it. */
type KeyProblem = { check: 'key'; subject: string; message: string; fix: string }

/** Tries each signing key in use. Without the secret, it checks only the public parts of encrypted keys. */
export async function keyProblems(database: Database, secret: string | undefined): Promise<KeyProblem[]> {
  const problems: KeyProblem[] = []
  for (const record of await currentKeys(database)) {
    const { kid } = record
    try {
      await (secret === undefined ? checkWithoutSecret(record) : checkedPrivateKey(record, secret))
    } catch (error) {
      if (!(error instanceof DamagedContent || error instanceof EncryptedKeyError)) throw error
      const message =
        error instanceof DamagedContent ? DAMAGED : `is damaged, unless the secret is wrong: ${error.message}`
      problems.push({ check: 'key', subject: `the signing key ${kid}`, message, fix: replaceKeyFix(kid) })
    }
  }
  return problems
}

const DAMAGED = 'is damaged: a part cannot be read, or its parts, id and algorithm do not belong together'
