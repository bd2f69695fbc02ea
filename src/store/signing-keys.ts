import { numberOf, type Queries, textOf } from './database.ts'

/** A key that tokens are signed with, as JWKs in JSON (RFC 7517). */
export type SigningKeyRecord = {
  kid: string
  algorithm: string
  publicJwk: string
  privateJwk: string
  createdAt: Date
}

/** All keys that tokens may be signed with, newest first: the first one signs. */
export async function listSigningKeys(queries: Queries): Promise<SigningKeyRecord[]> {
  const rows = await queries.all('SELECT * FROM signing_key ORDER BY created_at DESC, kid')
  return rows.map(row => ({
    kid: textOf(row, 'kid'),
    algorithm: textOf(row, 'algorithm'),
    publicJwk: textOf(row, 'public_jwk'),
    privateJwk: textOf(row, 'private_jwk'),
    createdAt: new Date(numberOf(row, 'created_at')),
  }))
}

/** Adds a key, inside a transaction. */
export async function addSigningKey(queries: Queries, key: SigningKeyRecord): Promise<void> {
  await queries.run(
    'INSERT INTO signing_key (kid, algorithm, public_jwk, private_jwk, created_at) VALUES (?, ?, ?, ?, ?)',
    ...[key.kid, key.algorithm, key.publicJwk, key.privateJwk, key.createdAt.getTime()],
  )
}
