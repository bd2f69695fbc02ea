import { nullable, numberOf, type Queries, type Row, textOf } from '../database/database.ts'
import { endConnections } from './connections.ts'
import { lastUsedAt } from './last-uses.ts'

/** A share link as the store records it, without its secret. */
export type ShareRecord = {
  id: string
  /** Absent if it has none. */
  name?: string
  workspace: string
  project: string
  /** Whether it opens the draft, and never the published guide. */
  isDraft: boolean
  /** HMAC-SHA256 of the secret, in base64url. */
  secretHash: string
  createdAt: Date
  expiresAt: Date
  revokedAt?: Date
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt?: Date
}

/** Adds a share link, inside a transaction, and deletes links that expired more than 30 days ago. */
export async function addShare(queries: Queries, share: ShareRecord): Promise<void> {
  const { id, name, workspace, project, isDraft, secretHash, createdAt, expiresAt } = share
  await queries.run('DELETE FROM share WHERE expires_at < ?', createdAt.getTime() - RETENTION_MS)
  await queries.run(
    'INSERT INTO share (id, name, workspace, project, draft, secret_hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    id,
    name ?? null,
    workspace,
    project,
    isDraft ? 1 : 0,
    secretHash,
    createdAt.getTime(),
    expiresAt.getTime(),
  )
}

const RETENTION_MS = 30 * 24 * 3600 * 1000

/** All share links that the store still has, newest first. */
export async function listShares(queries: Queries): Promise<ShareRecord[]> {
  return (await queries.all('SELECT * FROM share ORDER BY created_at DESC, id')).map(shareOf)
}

/** A share link that is neither revoked nor expired, with the instance of its project. */
export type LiveShareRecord = ShareRecord & { instance: string }

/** The live share link with this id. */
export async function findLiveShare(queries: Queries, id: string, now: Date): Promise<LiveShareRecord | undefined> {
  return liveShareOf(await queries.get(`${LIVE} AND s.id = ?`, now.getTime(), id))
}

/** The live share link whose secret has this hash. Scans all links. */
export async function findLiveShareBySecret(
  queries: Queries,
  secretHash: string,
  now: Date,
): Promise<LiveShareRecord | undefined> {
  return liveShareOf(await queries.get(`${LIVE} AND s.secret_hash = ?`, now.getTime(), secretHash))
}

const LIVE = `SELECT s.*, p.instance FROM share s JOIN project p ON p.workspace = s.workspace AND p.id = s.project
  WHERE s.revoked_at IS NULL AND s.expires_at > ?`

function liveShareOf(row: Row | undefined): LiveShareRecord | undefined {
  return row && { ...shareOf(row), instance: textOf(row, 'instance') }
}

/** The secret hashes of the first live share links after an id, by id. */
export async function listLiveHashesAfter(
  queries: Queries,
  id: string,
  now: Date,
  limit: number,
): Promise<{ id: string; secretHash: string }[]> {
  const rows = await queries.all(
    'SELECT id, secret_hash FROM share WHERE id > ? AND revoked_at IS NULL AND expires_at > ? ORDER BY id LIMIT ?',
    id,
    now.getTime(),
    limit,
  )
  return rows.map(row => ({ id: textOf(row, 'id'), secretHash: textOf(row, 'secret_hash') }))
}

/**
 * Revokes a share link and the connections that depend on it, inside a transaction; undefined if there is no such link.
 * A second time changes nothing.
 */
export async function revokeShare(queries: Queries, id: string, now: Date): Promise<ShareRecord | undefined> {
  await endConnections(queries, { column: 'share', value: id }, now)
  await queries.run('UPDATE share SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', now.getTime(), id)
  const row = await queries.get('SELECT * FROM share WHERE id = ?', id)
  return row && shareOf(row)
}

/** Removes all share links of a project, inside a transaction. Returns their number. */
export async function removeShares(queries: Queries, workspace: string, project: string): Promise<number> {
  return queries.run('DELETE FROM share WHERE workspace = ? AND project = ?', workspace, project)
}

function shareOf(row: Row): ShareRecord {
  const revokedAt = nullable(row, 'revoked_at', numberOf)
  const name = nullable(row, 'name', textOf)
  const usedAt = lastUsedAt(row)
  return {
    id: textOf(row, 'id'),
    ...(name !== undefined && { name }),
    workspace: textOf(row, 'workspace'),
    project: textOf(row, 'project'),
    isDraft: numberOf(row, 'draft') === 1,
    secretHash: textOf(row, 'secret_hash'),
    createdAt: new Date(numberOf(row, 'created_at')),
    expiresAt: new Date(numberOf(row, 'expires_at')),
    ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
    ...(usedAt && { lastUsedAt: usedAt }),
  }
}
