import { randomBytes, randomUUID } from 'node:crypto'
import { type Database, type Queries, textOf } from './database/database.ts'
import { versionOf } from './database/migrate.ts'
import { StoreError } from './store-error.ts'

/** The identity of a store: created with it, and never changed. */
export type Identity = {
  /** Issuer and audience of tokens if no public URL is set. */
  urn: string
  /** The secret of file links, 32 bytes. */
  fileSecret: Uint8Array
  /** The HMAC key for the secrets of clients, 32 bytes. */
  clientSecret: Uint8Array
  /** The HMAC key for the secrets of share links and for their cookies, 32 bytes. */
  shareSecret: Uint8Array
}

/** The identity of this store, created on first use. */
export async function identityOf(database: Database): Promise<Identity> {
  const identity = await readIdentity(database)
  if (identity) return identity
  return database.transaction(async queries => {
    const insert = 'INSERT INTO identity (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
    await queries.run(insert, 'urn', `urn:uuid:${randomUUID()}`)
    for (const name of SECRETS) await queries.run(insert, name, randomBytes(SECRET_BYTES).toString('base64url'))
    const made = await readIdentity(queries)
    if (!made) throw new Error('the store did not keep its identity')
    return made
  })
}

/** The URN of the store in a database; undefined if the database has no tables yet. */
export async function findUrn(queries: Queries): Promise<string | undefined> {
  if ((await versionOf(queries)) === 0) return undefined
  const row = await queries.get("SELECT value FROM identity WHERE name = 'urn'")
  return row && textOf(row, 'value')
}

const SECRETS = ['file-secret', 'client-secret', 'share-secret'] as const

async function readIdentity(queries: Queries): Promise<Identity | undefined> {
  const rows = await queries.all('SELECT name, value FROM identity')
  const values = new Map(rows.map(row => [textOf(row, 'name'), textOf(row, 'value')]))
  const urn = values.get('urn')
  const [fileSecret, clientSecret, shareSecret] = SECRETS.map(name => values.get(name))
  if (urn === undefined || fileSecret === undefined || clientSecret === undefined || shareSecret === undefined)
    return undefined
  return {
    urn,
    fileSecret: secretBytes(fileSecret),
    clientSecret: secretBytes(clientSecret),
    shareSecret: secretBytes(shareSecret),
  }
}

function secretBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === SECRET_BYTES) return bytes
  throw new StoreError('store_damaged', 'a secret in the table identity is damaged: restore the store from a backup')
}

const SECRET_BYTES = 32
