import { KeyObject } from 'node:crypto'
import {
  addSigningKey,
  listSigningKeys,
  retireSigningKey,
  type SigningKeyRecord,
} from '../../store/access/signing-keys.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'
import type { Algorithm } from './algorithm.ts'
import { thumbprintOf } from './checked-key.ts'
import { loadJose } from './jose.ts'
import { encryptKey, isEncrypted } from './key-encryption.ts'

/** A signing key, as `housestyle keys list --json` prints it. */
export type KeyState = {
  kid: string
  algorithm: string
  createdAt: string
  retiredAt: string | null
  /** Whether new tokens are signed with this key. */
  signs: boolean
  /** Whether the store keeps the key encrypted. This name is part of the JSON output. */
  sealed: boolean
}

/** All keys, newest first. */
export async function keyStates(database: Database): Promise<KeyState[]> {
  const records = await listSigningKeys(database)
  const signing = records.find(({ retiredAt }) => !retiredAt)
  return records.map(({ kid, algorithm, privateJwk, createdAt, retiredAt }) => ({
    kid,
    algorithm,
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
    signs: kid === signing?.kid,
    sealed: isEncrypted(privateJwk),
  }))
}

/** Makes a key that signs from now on. Earlier keys still verify tokens until they are retired. */
export async function rotateKeys(database: Database, options: KeyOptions, record: Audit, now: Date): Promise<KeyState> {
  const { kid } = await addKey(database, options, now, 'always')
  const made = (await keyStates(database)).find(state => state.kid === kid)
  if (!made) throw new Error('the store did not keep a key')
  record({ event: 'key-made', kid })
  return made
}

/** Retires a key, which invalidates its tokens at once; returns false if no active key has this id. */
export async function retireKey(database: Database, kid: string, record: Audit, now: Date): Promise<boolean> {
  const isRetired = await database.transaction(async queries => {
    const found = await retireSigningKey(queries, kid, now)
    if (found) await recordChange(queries, undefined)
    return found
  })
  if (isRetired) record({ event: 'key-retired', kid })
  return isRetired
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
    await addSigningKey(queries, record)
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
