import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { SCOPES } from '#brand/contract/operations.ts'
import { createClient } from '#serving/access/client/clients.ts'
import { clients } from '#serving/access/families.ts'
import { rotateKeys } from '#serving/access/keys/keys.ts'
import { listSigningKeys, type SigningKeyRecord } from '#store/access/signing-keys.ts'
import { accessTo, type TemporaryStore } from '../../../support/temporary-store.ts'

/**
 * The means to forge tokens. They include the store's own key, so that each forged token differs from a good one in
 * only one way.
 */
export type Forge = {
  now: number
  kid: string
  /** The `kid` of another key of the store. */
  otherKid: string
  privateKey: KeyObject
  publicKey: KeyObject
  publicJwk: Readonly<Record<string, unknown>>
  /** Keys unknown to the store. */
  foreign: Readonly<Record<'es256' | 'es384' | 'ed25519' | 'rsa', KeyObject>>
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
  /** Makes a good token with these changes to its header or claims; undefined removes a field. */
  withHeader: (changes: object, signature?: Signature) => string
  withClaims: (changes: object) => string
  /** Makes a token from these parts: an object becomes JSON; strings and bytes are unchanged. */
  compact: (header: Part, claims: Part, signature?: Signature) => string
  /** A client of the workspace, and a deleted one. */
  client: string
  deletedClient: string
  /** The id of a revoked token. */
  revoked: string
}

/** An object, its JSON string, or bytes. */
export type Part = object | string

/** Signs the joined first two parts of a token. */
export type Signature = (input: string) => Uint8Array

/** Opens a forge on a store with workspace acme. */
export async function openForge({ store, issue }: TemporaryStore): Promise<Forge> {
  const { database, identity } = store
  const { jti: revoked } = await issue('acme')
  await database.run('UPDATE token SET revoked_at = 1 WHERE jti = ?', revoked)
  const other = await signingKey(store)
  const access = accessTo(store)
  await rotateKeys(access, 'ES256', new Date())
  const key = await signingKey(store)
  const makeClient = async () => (await createClient(access, 'acme', { scopes: SCOPES }, new Date())).client_id
  const [client, deletedClient] = [await makeClient(), await makeClient()]
  await clients.end(access, deletedClient, new Date())
  const { audience } = access
  const now = Math.floor(Date.now() / 1000)
  const privateKey = createPrivateKey({ key: JSON.parse(key.privateJwk), format: 'jwk' })
  const header = { typ: 'at+jwt', alg: 'ES256', kid: key.kid }
  const claims = {
    iss: audience.issuer,
    aud: audience.audience,
    sub: 'cli',
    client_id: 'cli',
    jti: `forged-${identity.urn.slice(-4)}`,
    iat: now,
    exp: now + 3600,
    scope: SCOPES.join(' '),
    workspace: 'acme',
  }
  const compact: Forge['compact'] = (first, second, signature = es256(privateKey)) => {
    const input = `${encode(first)}.${encode(second)}`
    return `${input}.${Buffer.from(signature(input)).toString('base64url')}`
  }
  return {
    now,
    kid: key.kid,
    otherKid: other.kid,
    privateKey,
    publicKey: createPublicKey(privateKey),
    publicJwk: JSON.parse(key.publicJwk),
    foreign: foreignKeys(),
    header,
    claims,
    compact,
    client,
    deletedClient,
    revoked,
    withHeader: (changes, signature) => compact({ ...header, ...changes }, claims, signature),
    withClaims: changes => compact(header, { ...claims, ...changes }),
  }
}

/** Signs for ES256: r followed by s, 32 bytes each (RFC 7518 §3.4). */
export function es256(key: KeyObject): Signature {
  return input => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

/** Encodes a token part as base64url. */
export function encode(part: Part): string {
  const bytes = part instanceof Uint8Array || typeof part === 'string' ? part : JSON.stringify(part)
  return Buffer.from(bytes).toString('base64url')
}

async function signingKey({ database }: TemporaryStore['store']): Promise<SigningKeyRecord> {
  const [key] = await listSigningKeys(database)
  if (!key) throw new Error('the store has no signing key')
  return key
}

function foreignKeys(): Forge['foreign'] {
  return {
    es256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    es384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
    ed25519: generateKeyPairSync('ed25519').privateKey,
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  }
}
