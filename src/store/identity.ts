import { randomBytes, randomUUID } from 'node:crypto'
import type { Database, Queries } from './database/database.ts'
import { versionOf } from './database/migrate.ts'
import { defineRows, text } from './database/table.ts'
import type { Files } from './files/files.ts'
import { FilesOutage, StoreError } from './store-error.ts'

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
  return (await IDENTITY.one(queries, "WHERE name = 'urn'"))?.value
}

const IDENTITY = defineRows('identity', { name: text('name'), value: text('value') })

const SECRETS = ['file-secret', 'client-secret', 'share-secret'] as const

/** The identity; undefined if the store has none yet. */
async function readIdentity(queries: Queries): Promise<Identity | undefined> {
  const values = new Map((await IDENTITY.all(queries, '')).map(({ name, value }) => [name, value]))
  const urn = values.get('urn')
  const secret = (name: (typeof SECRETS)[number]) => secretBytes(values.get(name))
  if (urn === undefined) return undefined
  return {
    urn,
    fileSecret: secret('file-secret'),
    clientSecret: secret('client-secret'),
    shareSecret: secret('share-secret'),
  }
}

/** The bytes of a secret. Throws if they are not as many as every secret has. */
function secretBytes(text = ''): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length === SECRET_BYTES) return bytes
  throw new StoreError(
    'store_damaged',
    'a secret in the table identity is missing or damaged: restore the store from a backup',
  )
}

const SECRET_BYTES = 32

/**
 * Writes the URN of the store next to its files before there are any, and records in the catalogue that the files are
 * bound to it. Files without a URN may belong to another store: they stay unchanged, doctor reports them, and gc refuses
 * to run. If the folder cannot be written now, a later opening binds it.
 */
export async function bindFiles(database: Database, files: Files, { urn }: Identity): Promise<void> {
  const isBound = await areBound(database)
  if ((await files.owner()) === undefined) {
    if (await hasStoredFiles(files)) return
    if (!(await trySetOwner(files, urn))) return
  }
  if (isBound) return
  await database.run("INSERT INTO identity (name, value) VALUES ('files', 'bound') ON CONFLICT (name) DO NOTHING")
}

/** Whether the catalogue has recorded that its files are bound to it. */
export async function areBound(queries: Queries): Promise<boolean> {
  return (await queries.get("SELECT value FROM identity WHERE name = 'files'")) !== undefined
}

export async function hasStoredFiles(files: Files): Promise<boolean> {
  for await (const _ of files.listAll()) return true
  return false
}

/** False if the system or the server denies write access. */
async function trySetOwner(files: Files, urn: string): Promise<boolean> {
  try {
    await files.setOwner(urn)
    return true
  } catch (error) {
    if (!(error instanceof FilesOutage || (error instanceof Error && 'syscall' in error))) throw error
    return false
  }
}
