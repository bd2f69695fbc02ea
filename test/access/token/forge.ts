import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createClient, deleteClient } from '../../../src/access/client/clients.ts'
import { rotateKeys } from '../../../src/access/keys/keys.ts'
import { clientsOf, tokenIssuerFor } from '../../../src/compose/access.ts'
import { SCOPES } from '../../../src/contract/operations.ts'
import { listSigningKeys, type SigningKeyRecord } from '../../../src/store/access/signing-keys.ts'
import type { TemporaryStore } from '../../support/temporary-store.ts'

/** What tokens are forged with: the store's own key among it, so that each differs from a good one in one thing only. */
export type Forge = {
  now: number
  kid: string
  /** The `kid` of another key of the store. */
  otherKid: string
  privateKey: KeyObject
  publicKey: KeyObject
  publicJwk: Readonly<Record<string, unknown>>
  /** Keys that the store does not know. */
  foreign: Readonly<Record<'es256' | 'es384' | 'ed25519' | 'rsa', KeyObject>>
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
  /** A good token with these in its header or claims; undefined leaves one out. */
  withHeader: (changes: object, signature?: Signature) => string
  withClaims: (changes: object) => string
  /** A token of these parts: an object as JSON, text and bytes as they are. */
  compact: (header: Part, claims: Part, signature?: Signature) => string
  /** A client of the workspace, and one that was deleted. */
  client: string
  deletedClient: string
  /** The id of a token that was revoked. */
  revoked: string
}

/** An object, the text of one, or bytes. */
export type Part = object | string

/** Signs the first two parts of a token, as they are joined. */
export type Signature = (input: string) => Uint8Array

/** Opens a forge on a store with workspace acme. */
export async function openForge({ store, issue }: TemporaryStore): Promise<Forge> {
  const { database, identity } = store
  const { jti: revoked } = await issue('acme')
  await database.run('UPDATE token SET revoked_at = 1 WHERE jti = ?', revoked)
  const other = await signingKey(store)
  await rotateKeys(database, { algorithm: 'ES256', secret: undefined }, () => undefined, new Date())
  const key = await signingKey(store)
  const parts = clientsOf(store, () => undefined)
  const makeClient = async () => (await createClient(parts, 'acme', { scopes: SCOPES }, new Date())).client_id
  const [client, deletedClient] = [await makeClient(), await makeClient()]
  await deleteClient(parts, deletedClient, new Date())
  const { audience } = tokenIssuerFor({}, store, () => undefined)
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

/** Signs for ES256: r and s side by side, 32 bytes each (RFC 7518 §3.4). */
export function es256(key: KeyObject): Signature {
  return input => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
}

/** A part of a token in base64url. */
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
