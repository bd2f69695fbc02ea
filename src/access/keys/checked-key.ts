import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { SigningKeyRecord } from '../../store/access/signing-keys.ts'
import { DamagedContent } from '../../store/store-error.ts'
import type { Algorithm } from './jose.ts'
import { decryptKey, isEncrypted, isSealed } from './key-encryption.ts'

/** The public part of a stored signing key; undefined if it cannot be read, or belongs to another id or algorithm. */
export function readPublicKey({ kid, algorithm, publicJwk }: SigningKeyRecord): KeyObject | undefined {
  return attempt(() => {
    const key = createPublicKey({ key: JSON.parse(publicJwk), format: 'jwk' })
    return KEY_TYPES.get(algorithm) === key.asymmetricKeyType && thumbprintOf(key) === kid ? key : undefined
  })
}

/**
 * The public part of a stored signing key.
 *
 * @throws {DamagedContent} if `readPublicKey` returns none
 */
export function checkedPublicKey(record: SigningKeyRecord): KeyObject {
  return readPublicKey(record) ?? throwDamaged(record)
}

/**
 * The private part of a stored signing key. The secret decrypts it.
 *
 * @throws {DamagedContent} if a part cannot be read, or the parts do not belong together
 * @throws {EncryptedKeyError} if it is encrypted, and the secret is missing or wrong
 */
export async function checkedPrivateKey(record: SigningKeyRecord, secret: string | undefined): Promise<KeyObject> {
  const { privateJwk } = record
  const publicKey = checkedPublicKey(record)
  if (isEncrypted(privateJwk) && !isSealed(privateJwk)) throwDamaged(record)
  const jwk = await decryptKey(privateJwk, secret)
  const privateKey = attempt(() => {
    const key = createPrivateKey({ key: JSON.parse(jwk), format: 'jwk' })
    const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
    return verify(digest, SAMPLE, publicKey, sign(digest, SAMPLE, key)) ? key : undefined
  })
  return privateKey ?? throwDamaged(record)
}

/** Checks a stored signing key as far as that is possible without a secret. Throws like `checkedPrivateKey`. */
export async function checkWithoutSecret(record: SigningKeyRecord): Promise<void> {
  if (isSealed(record.privateJwk)) checkedPublicKey(record)
  else await checkedPrivateKey(record, undefined)
}

/** The value; undefined if reading it fails. Drops the error, which may quote a private key. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function throwDamaged({ kid }: SigningKeyRecord): never {
  throw new DamagedContent({ kind: 'key', kid })
}

const KEY_TYPES: ReadonlyMap<string, string> = new Map<Algorithm, string>([
  ['ES256', 'ec'],
  ['EdDSA', 'ed25519'],
  ['Ed25519', 'ed25519'],
  ['RS256', 'rsa'],
  ['PS256', 'rsa'],
])

const SAMPLE = Buffer.from('housestyle')

/** The SHA-256 thumbprint of a public key (RFC 7638 §3), in hex: base64url may begin with a hyphen, like an option. */
export function thumbprintOf(publicKey: KeyObject): string {
  const { crv, e, kty, n, x, y } = publicKey.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest('hex')
}
