import { createHmac, randomBytes } from 'node:crypto'
import { failed, ok, type Result } from '../../base/result.ts'
import type { ProjectRef } from '../../brand/ids.ts'
import { addShare, listShares, revokeShare, type ShareRecord } from '../../store/access/shares.ts'
import { findProject } from '../../store/catalogue/catalogue.ts'
import { recordChange } from '../../store/catalogue/changes.ts'
import { unknownMessage } from '../../store/catalogue/unknown.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** The parts for managing share links. `secret` keys the hash of their secrets. */
export type ShareParts = { database: Database; secret: Uint8Array; record: Audit }

/** The content that a link opens: the published guide or the draft of a project. */
export type ShareKind = 'guide' | 'draft'

/** The settings of a new share link, by default to the published guide. */
export type NewShare = ProjectRef & { kind?: ShareKind; name?: string | undefined; lifetimeSeconds: number }

/** A share link, as `housestyle share list --json` prints it. */
export type ShareState = ProjectRef & {
  id: string
  /** Absent if it has no name. */
  name?: string
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  /** Whether it opens the draft, and never the published guide. */
  draft: boolean
  /** The start of the hour of its last use; null if none is recorded. */
  lastUsedAt: string | null
}

/** A new share link. The store keeps only a hash of its secret. */
export type CreatedShare = Omit<ShareState, 'revokedAt' | 'lastUsedAt'> & {
  linkSecret: string
  /**
   * Others who may see what it opens; `unpublished` means that no one can see it yet, with or without the link. Only
   * links and people who signed in open a draft.
   */
  openTo: 'nobody else' | 'everyone' | 'unpublished'
}

/** Makes a link to a project, which may be unpublished. The only problem is that the project does not exist. */
export async function createShare(
  { database, secret, record }: ShareParts,
  { workspace, project, kind = 'guide', name, lifetimeSeconds }: NewShare,
  now: Date,
): Promise<Result<CreatedShare, { code: string; message: string }>> {
  const linkSecret = randomBytes(24).toString('base64url')
  const share: ShareRecord = {
    // Base64url may begin with a hyphen, which a command would parse as an option.
    id: randomBytes(8).toString('hex'),
    ...(name !== undefined && { name }),
    workspace,
    project,
    isDraft: kind === 'draft',
    secretHash: linkHash(linkSecret, secret, kind),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  }
  const known = await database.transaction(async queries => {
    const found = await findProject(queries, workspace, project)
    if (!found) return failed(await unknownMessage(queries, { workspace, project }))
    await addShare(queries, share)
    await recordChange(queries, undefined)
    return ok(found)
  })
  if (!known.ok) return failed({ code: 'project_unknown', message: known.problem })
  record({ event: 'share-created', share: share.id, workspace, project })
  const { revokedAt: _revokedAt, lastUsedAt: _lastUsedAt, ...state } = stateOf(share)
  const { published } = known.value
  const guideOpenTo = !published ? 'unpublished' : published.visibility === 'public' ? 'everyone' : 'nobody else'
  return ok({ ...state, linkSecret, openTo: share.isDraft ? 'nobody else' : guideOpenTo })
}

/**
 * Hashes a link's secret. The secret has 192 random bits, so a fast hash suffices. Each kind has its own label, so that
 * services of earlier versions, which know only one kind, do not accept the link of a draft.
 */
export function linkHash(linkSecret: string, secret: Uint8Array, kind: ShareKind): string {
  return createHmac('sha256', secret).update(`${LABELS[kind]} ${linkSecret}`).digest('base64url')
}

const LABELS: Readonly<Record<ShareKind, string>> = { guide: 'link', draft: 'draft link' }

/** Lists the share links of all projects, of a workspace or of a project, newest first. */
export async function shareStates(database: Database, of: Partial<ProjectRef>): Promise<ShareState[]> {
  const isOf = ({ workspace, project }: ProjectRef) =>
    (of.workspace ?? workspace) === workspace && (of.project ?? project) === project
  return (await listShares(database)).filter(isOf).map(stateOf)
}

/** Revokes a share link and its cookies in every process; returns undefined if no link has this id. */
export async function revoke(
  { database, record }: Pick<ShareParts, 'database' | 'record'>,
  id: string,
  now: Date,
): Promise<ShareState | undefined> {
  const revoked = await database.transaction(async queries => {
    const found = await revokeShare(queries, id, now)
    if (found) await recordChange(queries, undefined)
    return found
  })
  if (!revoked) return undefined
  const { workspace, project } = revoked
  record({ event: 'share-revoked', share: id, workspace, project })
  return stateOf(revoked)
}

function stateOf({
  id,
  name,
  workspace,
  project,
  isDraft,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: ShareRecord): ShareState {
  return {
    id,
    ...(name !== undefined && { name }),
    workspace,
    project,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    draft: isDraft,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
