import { randomBytes, randomUUID } from 'node:crypto'
import { type Database, type Queries, textOf } from './database.ts'

/** What a store is, made once and then fixed. */
export type Identity = {
  /** Issuer and audience of tokens where no public URL is set. */
  urn: string
  /** The secret of file links, 32 bytes. */
  fileSecret: Uint8Array
}

/** The identity of this store, made on first use. */
export async function identityOf(database: Database): Promise<Identity> {
  const known = await readIdentity(database)
  if (known) return known
  return database.transaction(async queries => {
    const insert = 'INSERT INTO identity (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
    await queries.run(insert, 'urn', `urn:uuid:${randomUUID()}`)
    await queries.run(insert, 'file-secret', randomBytes(32).toString('base64url'))
    const made = await readIdentity(queries)
    if (!made) throw new Error('the store did not keep its identity')
    return made
  })
}

async function readIdentity(queries: Queries): Promise<Identity | undefined> {
  const rows = await queries.all('SELECT name, value FROM identity')
  const values = new Map(rows.map(row => [textOf(row, 'name'), textOf(row, 'value')]))
  const urn = values.get('urn')
  const secret = values.get('file-secret')
  return urn !== undefined && secret !== undefined ? { urn, fileSecret: Buffer.from(secret, 'base64url') } : undefined
}
