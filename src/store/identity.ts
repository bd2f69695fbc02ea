import { randomBytes, randomUUID } from 'node:crypto'
import { type Database, type Queries, textOf } from './database/database.ts'
import { versionOf } from './database/migrate.ts'

/** What a store is, made once and then fixed. */
export type Identity = {
  /** Issuer and audience of tokens if no public URL is set. */
  urn: string
  /** The secret of file links, 32 bytes. */
  fileSecret: Uint8Array
  /** Keys the hashes of clients' secrets, 32 bytes. */
  clientSecret: Uint8Array
  /** Keys the hashes of share links' secrets and the cookies that they give, 32 bytes. */
  shareSecret: Uint8Array
}

/** The identity of this store, made on first use. */
export async function identityOf(database: Database): Promise<Identity> {
  const known = await readIdentity(database)
  if (known) return known
  return database.transaction(async queries => {
    const insert = 'INSERT INTO identity (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
    await queries.run(insert, 'urn', `urn:uuid:${randomUUID()}`)
    for (const name of SECRETS) await queries.run(insert, name, randomBytes(32).toString('base64url'))
    const made = await readIdentity(queries)
    if (!made) throw new Error('the store did not keep its identity')
    return made
  })
}

/** The URN of the store in a database, which may have none in it yet. */
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
    fileSecret: Buffer.from(fileSecret, 'base64url'),
    clientSecret: Buffer.from(clientSecret, 'base64url'),
    shareSecret: Buffer.from(shareSecret, 'base64url'),
  }
}
