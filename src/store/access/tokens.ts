import type { ProjectRef } from '#brand/ids.ts'
import type { Database, Queries } from '../database/database.ts'
import {
  date,
  defineRows,
  defineTable,
  derive,
  matching,
  number,
  optional,
  orNull,
  type RecordOf,
  readTexts,
  strings,
  text,
  unprinted,
} from '../database/table.ts'
import { DamagedRow } from '../store-error.ts'
import { findLiveConnection } from './connections.ts'
import { scopes } from './covered-projects.ts'

/** Issued tokens, without the tokens themselves. */
export const TOKENS = defineTable('token', {
  jti: text('jti'),
  client: text('client'),
  workspace: text('workspace'),
  /** Separated by spaces. */
  scope: scopes('scope'),
  /** Absent: all projects of the workspace. */
  projects: orNull(strings('projects')),
  issuedAt: date('issued_at'),
  expiresAt: date('expires_at'),
  revokedAt: orNull(date('revoked_at')),
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt: orNull(date('last_used_at')),
  /** The connection that it was issued to, if any. */
  connection: unprinted(optional(text('connection'))),
})

export type TokenRecord = RecordOf<typeof TOKENS>

/**
 * Records an issued token; false if its connection has ended. Deletes expired tokens of clients, and tokens of commands
 * that expired more than 30 days ago, so that the list does not grow forever.
 */
export async function recordToken(database: Database, token: TokenRecord, now: Date): Promise<boolean> {
  return database.transaction(async queries => {
    if (token.connection !== undefined && !(await findLiveConnection(queries, token.connection, now))) return false
    await TOKENS.add(queries, token)
    await queries.run(
      "DELETE FROM token WHERE expires_at < ? AND (client <> 'cli' OR expires_at < ?)",
      now.getTime() - LEEWAY_MS,
      now.getTime() - RETENTION_MS,
    )
    return true
  })
}

const COUNT = defineRows('token', {
  count: number('COUNT(*) AS count'),
  firstExpiry: derive(optional(number('MIN(expires_at) AS first')), ms => (ms === undefined ? ms : new Date(ms))),
})

/** The number of live tokens of a client or a connection, and the first expiry among them. */
export async function countLiveTokens(
  queries: Queries,
  column: 'client' | 'connection',
  value: string,
  now: Date,
): Promise<RecordOf<typeof COUNT>> {
  return (await COUNT.one(queries, `WHERE ${column} = ? AND expires_at > ?`, value, now.getTime())) ?? { count: 0 }
}

/** The issued tokens of a workspace, or all, that the store still has, newest first. */
export function listTokens(queries: Queries, { workspace }: Partial<ProjectRef> = {}): Promise<TokenRecord[]> {
  const [where, ...values] = matching({ workspace })
  return TOKENS.all(queries, `WHERE ${where} ORDER BY issued_at DESC, jti`, ...values)
}

/**
 * Revokes a token, inside a transaction. A second time changes nothing. The store may lack a token that was issued after the
 * restored backup or before a failover: then, a row with only its id is recorded until `expiresAt`. Such a row also replaces
 * a damaged one. Undefined if 10,000 such ids are recorded already.
 */
export async function revokeToken(
  queries: Queries,
  { jti, expiresAt }: Pick<TokenRecord, 'jti' | 'expiresAt'>,
  now: Date,
): Promise<TokenRecord | undefined> {
  await TOKENS.set(queries, { revokedAt: now }, 'WHERE jti = ? AND revoked_at IS NULL', jti)
  const token = await TOKENS.found(queries, 'WHERE jti = ?', jti)
  if (token && !(token instanceof DamagedRow)) return token
  if (token) await queries.run('DELETE FROM token WHERE jti = ?', jti)
  if ((await countLiveTokens(queries, 'client', UNKNOWN, now)).count >= MAX_RECORDED) return undefined
  const recorded = { jti, client: UNKNOWN, workspace: UNKNOWN, scope: '', issuedAt: now, expiresAt, revokedAt: now }
  await TOKENS.add(queries, recorded)
  return recorded
}

/** Whether a token was recorded when it was revoked, because the store did not have it. */
export function isRecordedRevocation({ client }: Pick<TokenRecord, 'client'>): boolean {
  return client === UNKNOWN
}

/** The client and the workspace of a token of which only the id is known. */
const UNKNOWN = ''
/** Each process keeps the ids in memory. */
const MAX_RECORDED = 10_000

/** The ids of the revoked tokens that have not expired. */
export async function listRevokedTokens(queries: Queries, now: Date): Promise<Set<string>> {
  const sql = 'SELECT jti FROM token WHERE revoked_at IS NOT NULL AND expires_at > ?'
  return new Set(await readTexts(queries, sql, now.getTime() - LEEWAY_MS))
}

/** How long after its end a token still counts, because clocks differ. */
const LEEWAY_MS = 60_000
const RETENTION_MS = 30 * 24 * 3600 * 1000
