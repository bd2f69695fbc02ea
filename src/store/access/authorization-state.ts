import type { Queries } from '../database/database.ts'
import { date, defineTable, optional, type RecordOf, text } from '../database/table.ts'

/** Authorization requests, codes and refresh tokens. */
export const STATES = defineTable('authorization_state', {
  kind: text('kind'),
  /** A hash of the secret id. */
  id: text('id'),
  /** The connection that it belongs to; absent: none yet. */
  connection: optional(text('connection')),
  /** JSON. */
  payload: text('payload', 'a JSON object', isPayload),
  /** When it was used; absent: not yet. */
  consumedAt: optional(date('consumed_at')),
  expiresAt: date('expires_at'),
})

/**
 * Whether a stored text looks like a payload. It is not valid JSON: a control character stands for the secret id, which takes
 * its place when the record is read (`provider.ts`).
 */
function isPayload(stored: string): boolean {
  return /^\{.*\}$/s.test(stored)
}

export type StateRecord = RecordOf<typeof STATES>

/** The identity of a record. */
export type StateKey = { kind: string; id: string }

/** Adds or replaces a record, inside a transaction, and deletes some expired ones. */
export async function saveState(queries: Queries, state: StateRecord, now: Date): Promise<void> {
  await deleteExpired(queries, now)
  const replace = `ON CONFLICT (kind, id) DO UPDATE SET connection = excluded.connection, payload = excluded.payload,
    expires_at = excluded.expires_at`
  await STATES.add(queries, { ...state, consumedAt: undefined }, replace)
}

/** Deletes a batch of expired records: more than any insertion adds, so that they do not accumulate. */
async function deleteExpired(queries: Queries, now: Date): Promise<void> {
  const expired = 'SELECT kind, id FROM authorization_state WHERE expires_at <= ? LIMIT 100'
  await queries.run(`DELETE FROM authorization_state WHERE (kind, id) IN (${expired})`, now.getTime())
}

/** Deletes the records of a kind that expire first, inside a transaction, if there are more than `max`. */
export async function limitStates(queries: Queries, kind: string, max: number): Promise<void> {
  // The expiry of the first record beyond the newest `max`.
  const first = 'SELECT expires_at FROM authorization_state WHERE kind = ? ORDER BY expires_at DESC LIMIT 1 OFFSET ?'
  await queries.run(`DELETE FROM authorization_state WHERE kind = ? AND expires_at <= (${first})`, kind, kind, max)
}

/** The unexpired record with this id. */
export function findState(queries: Queries, { kind, id }: StateKey, now: Date): Promise<StateRecord | undefined> {
  return STATES.one(queries, 'WHERE kind = ? AND id = ? AND expires_at > ?', kind, id, now.getTime())
}

/** Marks a record as used, inside a transaction; false if it was used before or no longer exists. */
export async function consumeState(queries: Queries, { kind, id }: StateKey, now: Date): Promise<boolean> {
  const where = 'WHERE kind = ? AND id = ? AND consumed_at IS NULL'
  return (await STATES.set(queries, { consumedAt: now }, where, kind, id)) > 0
}

/** Deletes a record, inside a transaction. */
export async function removeState(queries: Queries, { kind, id }: StateKey): Promise<void> {
  await queries.run('DELETE FROM authorization_state WHERE kind = ? AND id = ?', kind, id)
}
