import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'

/** The identity of an authorization request, a code or a refresh token. The store has only a hash of its secret id. */
export type StateKey = { kind: string; id: string }

/** An authorization request, a code or a refresh token, as the store records it. */
export type StateRecord = StateKey & {
  /** The connection that it belongs to; absent: none yet. */
  connection?: string
  /** JSON. */
  payload: string
  /** When it was used; absent: not yet. */
  consumedAt?: Date
  expiresAt: Date
}

/** Adds or replaces a record, inside a transaction, and deletes some expired ones. */
export async function saveState(queries: Queries, state: StateRecord, now: Date): Promise<void> {
  const { kind, id, connection = null, payload, expiresAt } = state
  await deleteExpired(queries, now)
  await queries.run(
    `INSERT INTO authorization_state (kind, id, connection, payload, expires_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET connection = excluded.connection, payload = excluded.payload,
      expires_at = excluded.expires_at`,
    kind,
    id,
    connection,
    payload,
    expiresAt.getTime(),
  )
}

/** A batch is larger than what any insertion adds, so that expired records do not accumulate. */
async function deleteExpired(queries: Queries, now: Date): Promise<void> {
  const expired = 'SELECT kind, id FROM authorization_state WHERE expires_at <= ? LIMIT 100'
  await queries.run(`DELETE FROM authorization_state WHERE (kind, id) IN (${expired})`, now.getTime())
}

/** Deletes the records of a kind that expire first, inside a transaction, if there are more than `max`. */
export async function limitStates(queries: Queries, kind: string, max: number): Promise<void> {
  const first = 'SELECT expires_at FROM authorization_state WHERE kind = ? ORDER BY expires_at DESC LIMIT 1 OFFSET ?'
  await queries.run(`DELETE FROM authorization_state WHERE kind = ? AND expires_at <= (${first})`, kind, kind, max)
}

/** The unexpired record with this id. */
export async function findState(queries: Queries, { kind, id }: StateKey, now: Date): Promise<StateRecord | undefined> {
  const sql = 'SELECT * FROM authorization_state WHERE kind = ? AND id = ? AND expires_at > ?'
  const row = await queries.get(sql, kind, id, now.getTime())
  return row && stateOf(row)
}

/** Marks a record as used, inside a transaction; false if it was used before or no longer exists. */
export async function consumeState(queries: Queries, { kind, id }: StateKey, now: Date): Promise<boolean> {
  const sql = 'UPDATE authorization_state SET consumed_at = ? WHERE kind = ? AND id = ? AND consumed_at IS NULL'
  return (await queries.run(sql, now.getTime(), kind, id)) > 0
}

/** Deletes a record, inside a transaction. */
export async function removeState(queries: Queries, { kind, id }: StateKey): Promise<void> {
  await queries.run('DELETE FROM authorization_state WHERE kind = ? AND id = ?', kind, id)
}

function stateOf(row: Row): StateRecord {
  const connection = nullable(row, 'connection', textOf)
  const consumedAt = nullable(row, 'consumed_at', numberOf)
  return {
    kind: textOf(row, 'kind'),
    id: textOf(row, 'id'),
    ...(connection !== undefined && { connection }),
    payload: textOf(row, 'payload'),
    ...(consumedAt !== undefined && { consumedAt: new Date(consumedAt) }),
    expiresAt: new Date(numberOf(row, 'expires_at')),
  }
}
