import { type Database, nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { listOf, listToJson } from './clients.ts'
import { findLiveConnection } from './connections.ts'
import { lastUsedAt } from './last-uses.ts'

/** An issued token as the store records it, without the token itself. */
export type TokenRecord = {
  jti: string
  client: string
  /** The connection that it was issued to, if any. */
  connection?: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  /** Absent: all projects of the workspace. */
  projects?: readonly string[]
  issuedAt: Date
  expiresAt: Date
  revokedAt?: Date
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt?: Date
}

/**
 * Records an issued token; false if its connection has ended. Deletes expired tokens of clients, and tokens of commands that expired more than 30 days
 * ago, so that the list does not grow forever.
 */
export async function recordToken(database: Database, token: TokenRecord, now: Date): Promise<boolean> {
  return database.transaction(async queries => {
    if (token.connection !== undefined && !(await findLiveConnection(queries, token.connection, now))) return false
    await addToken(queries, token)
    await queries.run(
      "DELETE FROM token WHERE expires_at < ? AND (client <> 'cli' OR expires_at < ?)",
      now.getTime() - LEEWAY_MS,
      now.getTime() - RETENTION_MS,
    )
    return true
  })
}

async function addToken(queries: Queries, token: TokenRecord): Promise<void> {
  const { jti, client, connection = null, workspace, scope, projects, issuedAt, expiresAt } = token
  await queries.run(
    `INSERT INTO token (jti, client, connection, workspace, scope, projects, issued_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    jti,
    client,
    connection,
    workspace,
    scope,
    listToJson(projects),
    issuedAt.getTime(),
    expiresAt.getTime(),
  )
}

/** The number of live tokens of a client, and the first expiry among them. */
export async function countLiveTokens(
  queries: Queries,
  client: string,
  now: Date,
): Promise<{ count: number; firstExpiry: Date | undefined }> {
  const sql = 'SELECT COUNT(*) AS count, MIN(expires_at) AS first FROM token WHERE client = ? AND expires_at > ?'
  const row = await queries.get(sql, client, now.getTime())
  const first = row && nullable(row, 'first', numberOf)
  return { count: row ? numberOf(row, 'count') : 0, firstExpiry: first === undefined ? undefined : new Date(first) }
}

/** The number of live tokens of a connection. */
export async function countLiveTokensOf(queries: Queries, connection: string, now: Date): Promise<number> {
  const sql = 'SELECT COUNT(*) AS count FROM token WHERE connection = ? AND expires_at > ?'
  const row = await queries.get(sql, connection, now.getTime())
  return row ? numberOf(row, 'count') : 0
}

/** All issued tokens that the store still has, newest first. */
export async function listTokens(queries: Queries): Promise<TokenRecord[]> {
  return (await queries.all('SELECT * FROM token ORDER BY issued_at DESC, jti')).map(tokenOf)
}

/** Revokes a token, inside a transaction; undefined if there is no such token. A second time changes nothing. */
export async function revokeToken(queries: Queries, jti: string, now: Date): Promise<TokenRecord | undefined> {
  await queries.run('UPDATE token SET revoked_at = ? WHERE jti = ? AND revoked_at IS NULL', now.getTime(), jti)
  const row = await queries.get('SELECT * FROM token WHERE jti = ?', jti)
  return row && tokenOf(row)
}

/** The ids of the revoked tokens that have not expired. */
export async function listRevokedTokens(queries: Queries, now: Date): Promise<Set<string>> {
  const rows = await queries.all(
    'SELECT jti FROM token WHERE revoked_at IS NOT NULL AND expires_at > ?',
    now.getTime() - LEEWAY_MS,
  )
  return new Set(rows.map(row => textOf(row, 'jti')))
}

const LEEWAY_MS = 60_000
const RETENTION_MS = 30 * 24 * 3600 * 1000

function tokenOf(row: Row): TokenRecord {
  const revokedAt = nullable(row, 'revoked_at', numberOf)
  const projects = listOf(row, 'projects')
  const usedAt = lastUsedAt(row)
  const connection = nullable(row, 'connection', textOf)
  return {
    jti: textOf(row, 'jti'),
    client: textOf(row, 'client'),
    ...(connection !== undefined && { connection }),
    workspace: textOf(row, 'workspace'),
    scope: textOf(row, 'scope'),
    ...(projects && { projects }),
    issuedAt: new Date(numberOf(row, 'issued_at')),
    expiresAt: new Date(numberOf(row, 'expires_at')),
    ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
    ...(usedAt && { lastUsedAt: usedAt }),
  }
}
