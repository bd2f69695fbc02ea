import type { ProjectRef } from '#brand/ids.ts'
import type { Queries } from '../database/database.ts'
import {
  date,
  defineRows,
  defineTable,
  flag,
  matching,
  optional,
  orNull,
  printedAs,
  type RecordOf,
  readTexts,
  text,
  unprinted,
} from '../database/table.ts'
import type { DamagedRow } from '../store-error.ts'
import { endConnections } from './connections.ts'

const SHARE = {
  id: text('id'),
  name: optional(text('name')),
  workspace: text('workspace'),
  project: text('project'),
  createdAt: date('created_at'),
  expiresAt: date('expires_at'),
  revokedAt: orNull(date('revoked_at')),
  /** Whether it opens the draft, and never the published guide. */
  isDraft: printedAs('draft', flag('draft')),
  /** Whether readers with the link may approve the draft. */
  mayApprove: { ...flag('may_approve'), state: (may: boolean) => (may ? may : undefined) },
  /** The name of the person who made it; absent if unknown. */
  madeBy: printedAs('by', optional(text('made_by'))),
  /** Their subject, issuer's settings and address; absent if they made it on the command line. */
  maker: unprinted(optional(text('maker'))),
  makerSignin: unprinted(optional(text('maker_signin'))),
  makerEmail: unprinted(optional(text('maker_email'))),
  /** The hour of its last use; absent if none is recorded. */
  lastUsedAt: orNull(date('last_used_at')),
  /** HMAC-SHA256 of the secret, in base64url. */
  secretHash: unprinted(text('secret_hash')),
}

/** Share links, without their secrets. */
export const SHARES = defineTable('share', SHARE)

export type ShareRecord = RecordOf<typeof SHARES>

/** Adds a share link, inside a transaction, and deletes links that expired more than 30 days ago. */
export async function addShare(queries: Queries, share: ShareRecord): Promise<void> {
  await queries.run('DELETE FROM share WHERE expires_at < ?', share.createdAt.getTime() - RETENTION_MS)
  await SHARES.add(queries, share)
}

const RETENTION_MS = 30 * 24 * 3600 * 1000

/** The share links of a workspace or a project, or all, that the store still has, newest first. */
export function listShares(queries: Queries, { workspace, project }: Partial<ProjectRef> = {}): Promise<ShareRecord[]> {
  const [where, ...values] = matching({ workspace, project })
  return SHARES.all(queries, `WHERE ${where} ORDER BY created_at DESC, id`, ...values)
}

/** The live share links to a project, newest first. */
export function listLiveShares(
  queries: Queries,
  { workspace, project }: ProjectRef,
  now: Date,
): Promise<ShareRecord[]> {
  const ofProject = 'AND workspace = ? AND project = ? ORDER BY created_at DESC, id'
  return SHARES.all(queries, `${LIVE} ${ofProject}`, now.getTime(), workspace, project)
}

const WITH_INSTANCES = defineRows(
  `(SELECT s.*, p.instance FROM share s JOIN project p ON p.workspace = s.workspace AND p.id = s.project) AS share`,
  { ...SHARE, instance: text('instance') },
  'share',
)

const LIVE = 'WHERE revoked_at IS NULL AND expires_at > ?'

/** A share link that is neither revoked nor expired, with the instance of its project. */
export type LiveShareRecord = RecordOf<typeof WITH_INSTANCES>

/** The live share link with this id. */
export function findLiveShare(queries: Queries, id: string, now: Date): Promise<LiveShareRecord | undefined> {
  return WITH_INSTANCES.one(queries, `${LIVE} AND id = ?`, now.getTime(), id)
}

/** The live share link whose secret has this hash. Scans all links. */
export function findLiveShareBySecret(
  queries: Queries,
  secretHash: string,
  now: Date,
): Promise<LiveShareRecord | undefined> {
  return WITH_INSTANCES.one(queries, `${LIVE} AND secret_hash = ?`, now.getTime(), secretHash)
}

/** The secret hashes of all live share links. */
export function listLiveHashes(queries: Queries, now: Date): Promise<string[]> {
  return readTexts(queries, `SELECT secret_hash FROM share ${LIVE}`, now.getTime())
}

/**
 * Revokes a share link and the connections that depend on it, inside a transaction; undefined if there is no such link.
 * A second time changes nothing.
 */
export async function revokeShare(
  queries: Queries,
  id: string,
  now: Date,
): Promise<ShareRecord | DamagedRow | undefined> {
  await endConnections(queries, { column: 'share', value: id }, now)
  await SHARES.set(queries, { revokedAt: now }, 'WHERE id = ? AND revoked_at IS NULL', id)
  return SHARES.found(queries, 'WHERE id = ?', id)
}

/** Removes all share links of a project, inside a transaction. Returns their number. */
export async function removeShares(queries: Queries, workspace: string, project: string): Promise<number> {
  return queries.run('DELETE FROM share WHERE workspace = ? AND project = ?', workspace, project)
}
