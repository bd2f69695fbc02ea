import type { Queries } from '../database/database.ts'
import { date, defineTable, orNull, type PrintedProperty, type RecordOf, text, unprinted } from '../database/table.ts'

/** Keys that tokens are signed with. */
export const SIGNING_KEYS = defineTable('signing_key', {
  kid: text('kid'),
  algorithm: part('algorithm'),
  createdAt: date('created_at'),
  retiredAt: orNull(date('retired_at')),
  /** A JWK in JSON (RFC 7517). */
  publicJwk: unprinted(part('public_jwk')),
  /** A JWK in JSON, or a JWE of it (RFC 7516) if a key secret is set. */
  privateJwk: unprinted(part('private_jwk')),
})

/** A damaged part, which is not a string, becomes empty: the key is reported as damaged when it is used. */
function part(column: string): PrintedProperty<string, string> {
  return { ...text(column), read: ({ [column]: value }) => (typeof value === 'string' ? value : '') }
}

export type SigningKeyRecord = RecordOf<typeof SIGNING_KEYS>

/** All keys, including retired ones, newest first. */
export function listSigningKeys(queries: Queries): Promise<SigningKeyRecord[]> {
  return SIGNING_KEYS.sound(queries, 'ORDER BY created_at DESC, kid')
}

/** The keys in use, newest first. */
export function listCurrentKeys(queries: Queries): Promise<SigningKeyRecord[]> {
  return SIGNING_KEYS.sound(queries, 'WHERE retired_at IS NULL ORDER BY created_at DESC, kid')
}

/** Retires a key, inside a transaction; false if there is no such key in use. */
export async function retireSigningKey(queries: Queries, kid: string, now: Date): Promise<boolean> {
  return (await SIGNING_KEYS.set(queries, { retiredAt: now }, 'WHERE kid = ? AND retired_at IS NULL', kid)) > 0
}
