import { createPrivateKey, createPublicKey, hash, KeyObject, sign, verify } from 'node:crypto'
import { lazy } from '#platform/base/object.ts'
import { once } from '#platform/base/promise.ts'
import { attempt } from '#platform/base/result.ts'
import { listCurrentKeys, listSigningKeys, SIGNING_KEYS, type SigningKeyRecord } from '#store/access/signing-keys.ts'
import { recordChange } from '#store/catalogue/changes.ts'
import type { Database, Queries } from '#store/database/database.ts'
import type { StateOf } from '#store/database/table.ts'
import { DamagedContent, replaceKeyFix } from '#store/store-error.ts'
import type { AccessContext, Signer, SigningKey } from '../context.ts'
import { type Algorithm, loadJose } from './jose.ts'
import { decryptKey, EncryptedKeyError, encryptKey, isEncrypted, isSealed } from './key-encryption.ts'

/** A signing key, as `housestyle keys list --json` prints it. */
export type KeyState = StateOf<typeof SIGNING_KEYS> & {
  signs: boolean
  /** Whether the store keeps the key encrypted. This name is part of the JSON output. */
  sealed: boolean
}

/** The keys, newest first. The newest that is not retired signs. */
export async function keyStates(queries: Queries): Promise<KeyState[]> {
  const keys = await listSigningKeys(queries)
  const signing = keys.find(({ retiredAt }) => !retiredAt)
  return keys.map(key => ({
    ...SIGNING_KEYS.stateOf(key),
    signs: key.kid === signing?.kid,
    sealed: isEncrypted(key.privateJwk),
  }))
}

/** Makes a key that signs from now on. Earlier keys still verify tokens until they are retired. */
export async function rotateKeys(access: AccessContext, algorithm: Algorithm, now: Date): Promise<KeyState> {
  const { database, keySecret: secret, record } = access
  const { kid } = await addKey(database, { algorithm, secret }, now, 'always')
  const made = (await keyStates(database)).find(state => state.kid === kid)
  if (!made) throw new Error('the store did not keep a key')
  record({ event: 'key-made', kid })
  return made
}

type KeyOptions = { algorithm: Algorithm; secret: string | undefined }

/** Adds a key. If two processes start at the same time with `unless there is one`, only one key is added. */
async function addKey(
  database: Database,
  options: KeyOptions,
  now: Date,
  when: 'always' | 'unless there is one',
): Promise<SigningKeyRecord> {
  const made = await makeKey(options, now)
  return database.transaction(async queries => {
    const records = await listSigningKeys(queries)
    const current = records.find(({ retiredAt }) => !retiredAt)
    if (current && when === 'unless there is one') return current
    // The newest key signs, so a new one is later than all others, also if the clock was set back.
    const newest = records[0]?.createdAt.getTime() ?? 0
    const record = { ...made, createdAt: new Date(Math.max(now.getTime(), newest + 1)) }
    await SIGNING_KEYS.add(queries, record)
    await recordChange(queries, undefined)
    return record
  })
}

async function makeKey({ algorithm, secret }: KeyOptions, now: Date): Promise<SigningKeyRecord> {
  const { exportJWK, generateKeyPair } = await loadJose()
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const privateJwk = JSON.stringify(await exportJWK(privateKey))
  return {
    kid: thumbprintOf(KeyObject.from(publicKey)),
    algorithm,
    publicJwk: JSON.stringify(publicJwk),
    privateJwk: secret === undefined ? privateJwk : await encryptKey(privateJwk, secret),
    createdAt: now,
  }
}

/** Opens the signing keys of a store; `secret` decrypts each once. Using a key throws like `checkedPrivateKey`. */
export function openSigner(database: Database, secret: string | undefined): Signer {
  const opened = new Map<string, SigningKey>()
  return async now => {
    const record =
      (await listCurrentKeys(database))[0] ??
      (await addKey(database, { algorithm: 'ES256', secret }, now, 'unless there is one'))
    const { kid, algorithm, publicJwk, privateJwk } = record
    // A key that is repaired or encrypted in the store is opened again.
    const parts = `${kid} ${publicJwk} ${privateJwk}`
    const openedKey = opened.get(parts)
    if (openedKey) return openedKey
    const key = { kid, algorithm, key: once(() => checkedPrivateKey(record, secret)) }
    opened.set(parts, key)
    return key
  }
}

/** Returns the public keys as a JWK Set (RFC 7517 §5), for `/.well-known/jwks.json`, except damaged ones. */
export async function publicKeySet(database: Database): Promise<{ keys: object[] }> {
  const keys = (await listCurrentKeys(database)).filter(readPublicKey).map(({ kid, algorithm, publicJwk }) => ({
    ...JSON.parse(publicJwk),
    kid,
    alg: algorithm,
    use: 'sig',
  }))
  return { keys }
}

/** A damaged signing key, as `doctor` prints it. */
type KeyProblem = { check: 'key'; subject: string; message: string; fix: string }

/** Tries each signing key in use. Without the secret, it checks only the public parts of encrypted keys. */
export async function keyProblems(database: Database, secret: string | undefined): Promise<KeyProblem[]> {
  const problems: KeyProblem[] = []
  for (const record of await listCurrentKeys(database)) {
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

/** `key` throws if it is damaged. */
export type VerificationKey = { kid: string; algorithm: string; key: () => KeyObject }

export async function verificationKeys(database: Database): Promise<Map<string, VerificationKey>> {
  const keys = await listCurrentKeys(database)
  return new Map(
    keys.map(record => {
      const { kid, algorithm } = record
      return [kid, { kid, algorithm, key: lazy(() => checkedPublicKey(record)) }]
    }),
  )
}

/** The public part of a stored signing key; undefined if it cannot be read, or belongs to another id or algorithm. */
function readPublicKey({ kid, algorithm, publicJwk }: SigningKeyRecord): KeyObject | undefined {
  return attempt(() => {
    const key = createPublicKey({ key: JSON.parse(publicJwk), format: 'jwk' })
    return KEY_TYPES.get(algorithm) === key.asymmetricKeyType && thumbprintOf(key) === kid ? key : undefined
  })
}

/** Throws `DamagedContent` if `readPublicKey` returns none. */
function checkedPublicKey(record: SigningKeyRecord): KeyObject {
  return readPublicKey(record) ?? throwDamaged(record)
}

/**
 * The private part of a stored signing key. The secret decrypts it.
 *
 * @throws {DamagedContent} if a part cannot be read, or the parts do not belong together
 * @throws {EncryptedKeyError} if it is encrypted, and the secret is missing or wrong
 */
async function checkedPrivateKey(record: SigningKeyRecord, secret: string | undefined): Promise<KeyObject> {
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
function thumbprintOf(publicKey: KeyObject): string {
  const { crv, e, kty, n, x, y } = publicKey.export({ format: 'jwk' })
  return hash('sha256', JSON.stringify({ crv, e, kty, n, x, y }))
}
