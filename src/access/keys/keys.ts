import { KeyObject } from 'node:crypto'
import { listSigningKeys, SIGNING_KEYS, type SigningKeyRecord } from '../../store/access/signing-keys.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database, Queries } from '../../store/database/database.ts'
import type { StateOf } from '../../store/database/table.ts'
import type { AccessContext } from '../context.ts'
import { thumbprintOf } from './checked-key.ts'
import type { Algorithm } from './jose.ts'
import { loadJose } from './jose.ts'
import { encryptKey, isEncrypted } from './key-encryption.ts'

/** A signing key, as `housestyle keys list --json` prints it. */
export type KeyState = StateOf<typeof SIGNING_KEYS> & {
  /** Whether new tokens are signed with this key. */
  signs: boolean
  /** Whether the store keeps the key encrypted. This name is part of the JSON output. */
  sealed: boolean
}

/** All keys, newest first. */
export async function keyStates(queries: Queries): Promise<KeyState[]> {
  const records = await listSigningKeys(queries)
  const signing = records.find(({ retiredAt }) => !retiredAt)
  return records.map(key => ({
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

/** Options for a new key. With a secret, the store keeps the key encrypted. */
export type KeyOptions = { algorithm: Algorithm; secret: string | undefined }

/** Adds a key. If two processes start at the same time with `unless there is one`, only one key is added. */
export async function addKey(
  database: Database,
  options: KeyOptions,
  now: Date,
  when: 'always' | 'unless there is one',
): Promise<SigningKeyRecord> {
  const made = await makeKey(options, now)
  return database.transaction(async queries => {
    const records = await listSigningKeys(queries)
    const first = records.find(({ retiredAt }) => !retiredAt)
    if (first && when === 'unless there is one') return first
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
