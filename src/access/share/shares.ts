import { createHmac, randomBytes } from 'node:crypto'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { addShare, listShares, revokeShare, type ShareRecord } from '../../store/access/shares.ts'
import { findProject } from '../../store/catalogue/catalogue.ts'
import { noteChange } from '../../store/catalogue/changes.ts'
import type { Database } from '../../store/database/database.ts'
import type { Audit } from '../../telemetry/access-event.ts'

/** `secret` keys the hash of the links' secrets. */
export type ShareParts = { database: Database; secret: Uint8Array; record: Audit }

/** Which project a link opens. */
export type ProjectRef = { workspace: string; project: string }

/** A share link, as `housestyle share list --json` prints it. */
export type ShareState = ProjectRef & {
  id: string
  createdAt: string
  expiresAt: string
  revokedAt: string | null
}

/** A share link as it was made. Its secret is not kept. */
export type CreatedShare = Omit<ShareState, 'revokedAt'> & {
  linkSecret: string
  /** Who may see the project without the link; `unpublished`: nobody can see it, with or without the link. */
  openTo: 'nobody else' | 'everyone' | 'unpublished'
}

/** Makes a link to a project, which need not be published yet. The only problem is that there is no such project. */
export async function createShare(
  { database, secret, record }: ShareParts,
  place: ProjectRef,
  lifetimeSeconds: number,
  now: Date,
): Promise<Result<CreatedShare, { code: string; message: string }>> {
  const { workspace, project } = place
  const linkSecret = randomBytes(24).toString('base64url')
  const share: ShareRecord = {
    // Hexadecimal: base64url may begin with a hyphen, which a command would take for an option.
    id: randomBytes(8).toString('hex'),
    workspace,
    project,
    secretHash: linkHash(linkSecret, secret),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  }
  const known = await database.transaction(async queries => {
    const found = await findProject(queries, workspace, project)
    if (!found) return undefined
    await addShare(queries, share)
    await noteChange(queries, undefined)
    return found
  })
  if (!known) {
    const name = quote(`${workspace}/${project}`)
    const message = `there is no project ${name}: import its folder first, or see housestyle status`
    return failed({ code: 'project_unknown', message })
  }
  record({ event: 'share-created', share: share.id, workspace, project })
  const { revokedAt: _, ...state } = stateOf(share)
  const { published } = known
  const openTo = !published ? 'unpublished' : published.visibility === 'public' ? 'everyone' : 'nobody else'
  return ok({ ...state, linkSecret, openTo })
}

/** Only the hash of a link's secret is kept. The secret has 192 random bits, so a fast hash suffices. */
export function linkHash(linkSecret: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(`link ${linkSecret}`).digest('base64url')
}

/** The share links of all projects, of a workspace, or of one project; newest first. */
export async function shareStates(database: Database, place: Partial<ProjectRef>): Promise<ShareState[]> {
  const isInPlace = ({ workspace, project }: ProjectRef) =>
    (place.workspace ?? workspace) === workspace && (place.project ?? project) === project
  return (await listShares(database)).filter(isInPlace).map(stateOf)
}

/** Revokes a share link and its cookies in every process; undefined if there is no link of this id. */
export async function revoke(
  { database, record }: Pick<ShareParts, 'database' | 'record'>,
  id: string,
  now: Date,
): Promise<ShareState | undefined> {
  const revoked = await database.transaction(async queries => {
    const found = await revokeShare(queries, id, now)
    if (found) await noteChange(queries, undefined)
    return found
  })
  if (!revoked) return undefined
  const { workspace, project } = revoked
  record({ event: 'share-revoked', share: id, workspace, project })
  return stateOf(revoked)
}

function stateOf({ id, workspace, project, createdAt, expiresAt, revokedAt }: ShareRecord): ShareState {
  return {
    id,
    workspace,
    project,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
