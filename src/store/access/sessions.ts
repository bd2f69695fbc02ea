import type { ProjectInstance } from '../catalogue/catalogue.ts'
import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { projectColumns, projectsOf } from './clients.ts'
import { endConnections } from './connections.ts'

/** A session of a person as the store records it, without the secret of its cookie. */
export type SessionRecord = {
  id: string
  workspace: string
  /** The id of the issuer's settings. */
  signin: string
  /** HMAC-SHA256 of the cookie's secret, in base64url. */
  secretHash: string
  /** HMAC-SHA256 of the issuer and its subject, in base64url: the person in logs and tokens. */
  subject: string
  email?: string
  name?: string
  /** Absent: all projects of the workspace. */
  projects?: readonly ProjectInstance[]
  /** Whether the person may also see the drafts of these projects. */
  drafts: boolean
  /** The issuer's tokens, encrypted; absent if they are not needed. */
  issuerTokens?: string
  createdAt: Date
  expiresAt: Date
}

/** Adds a session, inside a transaction, and deletes sessions that ended or expired more than a day ago. */
export async function addSession(queries: Queries, session: SessionRecord): Promise<void> {
  const { id, workspace, signin, secretHash, subject, email, name, projects, drafts, issuerTokens } = session
  const { createdAt, expiresAt } = session
  await queries.run('DELETE FROM session WHERE expires_at < ?', createdAt.getTime() - RETENTION_MS)
  await queries.run(
    `INSERT INTO session (id, workspace, signin, secret_hash, subject, email, name, projects, instances, drafts,
      issuer_tokens, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    workspace,
    signin,
    secretHash,
    subject,
    email ?? null,
    name ?? null,
    ...projectColumns(projects),
    drafts ? 1 : 0,
    issuerTokens ?? null,
    createdAt.getTime(),
    expiresAt.getTime(),
  )
}

const RETENTION_MS = 24 * 3600 * 1000

/** The live session with this id. */
export async function findLiveSession(queries: Queries, id: string, now: Date): Promise<SessionRecord | undefined> {
  const row = await queries.get(`${LIVE} AND id = ?`, now.getTime(), id)
  return row && sessionOf(row)
}

/** The live sessions of a workspace, newest first. */
export async function listLiveSessions(queries: Queries, workspace: string, now: Date): Promise<SessionRecord[]> {
  const rows = await queries.all(`${LIVE} AND workspace = ? ORDER BY created_at DESC, id`, now.getTime(), workspace)
  return rows.map(sessionOf)
}

const LIVE = 'SELECT * FROM session WHERE ended_at IS NULL AND expires_at > ?'

/** Ends a session and everything that depends on it, inside a transaction; false if it had ended before. */
export async function endSession(queries: Queries, id: string, now: Date): Promise<boolean> {
  const sql = 'UPDATE session SET ended_at = ?, issuer_tokens = NULL WHERE id = ? AND ended_at IS NULL'
  const changed = await queries.run(sql, now.getTime(), id)
  await endConnections(queries, { column: 'session', value: id }, now)
  return changed > 0
}

/**
 * Removes all sessions, connections and the state of authorizations from a copy of a SQLite catalogue, and overwrites
 * their bytes, inside a transaction. Otherwise, a restored copy would renew the access of people who have left since.
 */
export async function removePeople(queries: Queries, now: Date): Promise<void> {
  await queries.run('PRAGMA secure_delete = ON')
  const revoke = 'UPDATE token SET revoked_at = ? WHERE connection IS NOT NULL AND revoked_at IS NULL'
  await queries.run(revoke, now.getTime())
  for (const table of ['session', 'connection', 'authorization_state']) await queries.run(`DELETE FROM ${table}`)
}

function sessionOf(row: Row): SessionRecord {
  const email = nullable(row, 'email', textOf)
  const name = nullable(row, 'name', textOf)
  const issuerTokens = nullable(row, 'issuer_tokens', textOf)
  const projects = projectsOf(row)
  return {
    id: textOf(row, 'id'),
    workspace: textOf(row, 'workspace'),
    signin: textOf(row, 'signin'),
    secretHash: textOf(row, 'secret_hash'),
    subject: textOf(row, 'subject'),
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(projects && { projects }),
    drafts: numberOf(row, 'drafts') === 1,
    ...(issuerTokens !== undefined && { issuerTokens }),
    createdAt: new Date(numberOf(row, 'created_at')),
    expiresAt: new Date(numberOf(row, 'expires_at')),
  }
}
