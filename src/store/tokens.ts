import type { Queries } from './database.ts'
import { textOf } from './database.ts'

/** What is kept of an issued token: never the token itself. */
export type TokenRecord = {
  jti: string
  client: string
  workspace: string
  /** Separated by spaces. */
  scope: string
  /** Absent: all projects of the workspace. */
  projects?: readonly string[]
  issuedAt: Date
  expiresAt: Date
}

/** Notes an issued token, inside a transaction. */
export async function addToken(queries: Queries, token: TokenRecord): Promise<void> {
  const { jti, client, workspace, scope, projects, issuedAt, expiresAt } = token
  await queries.run(
    'INSERT INTO token (jti, client, workspace, scope, projects, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[jti, client, workspace, scope, projects ? JSON.stringify(projects) : null],
    ...[issuedAt.getTime(), expiresAt.getTime()],
  )
}

/** The ids of revoked tokens that would otherwise still be valid. */
export async function revokedTokens(queries: Queries, now: Date): Promise<Set<string>> {
  const rows = await queries.all(
    'SELECT jti FROM token WHERE revoked_at IS NOT NULL AND expires_at > ?',
    now.getTime() - LEEWAY_MS,
  )
  return new Set(rows.map(row => textOf(row, 'jti')))
}

const LEEWAY_MS = 60_000
