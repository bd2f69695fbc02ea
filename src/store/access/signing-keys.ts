import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** A key that tokens are signed with. */
export type SigningKeyRecord = {
  kid: string
  algorithm: string
  /** A JWK in JSON (RFC 7517). */
  publicJwk: string
  /** A JWK in JSON, or a JWE of it (RFC 7516) if a key secret is set. */
  privateJwk: string
  createdAt: Date
  retiredAt?: Date
}

/** All keys, including retired ones, newest first. */
export async function listSigningKeys(queries: Queries): Promise<SigningKeyRecord[]> {
  return (await queries.all('SELECT * FROM signing_key ORDER BY created_at DESC, kid')).map(keyOf)
}

/** Adds a key, inside a transaction. */
export async function addSigningKey(queries: Queries, key: SigningKeyRecord): Promise<void> {
  await queries.run(
    'INSERT INTO signing_key (kid, algorithm, public_jwk, private_jwk, created_at) VALUES (?, ?, ?, ?, ?)',
    key.kid,
    key.algorithm,
    key.publicJwk,
    key.privateJwk,
    key.createdAt.getTime(),
  )
}

/** Retires a key, inside a transaction; false if there is no such key in use. */
export async function retireSigningKey(queries: Queries, kid: string, now: Date): Promise<boolean> {
  const changed = await queries.run(
    'UPDATE signing_key SET retired_at = ? WHERE kid = ? AND retired_at IS NULL',
    now.getTime(),
    kid,
  )
  return changed > 0
}

/** A damaged part, which is not a string, becomes empty: the key is reported as damaged when it is used. */
function keyOf(row: Row): SigningKeyRecord {
  const part = (column: string) => (typeof row[column] === 'string' ? row[column] : '')
  const retiredAt = nullable(row, 'retired_at', numberOf)
  return {
    kid: textOf(row, 'kid'),
    algorithm: part('algorithm'),
    publicJwk: part('public_jwk'),
    privateJwk: part('private_jwk'),
    createdAt: new Date(numberOf(row, 'created_at')),
    ...(retiredAt !== undefined && { retiredAt: new Date(retiredAt) }),
  }
}
