import { createHmac, randomBytes } from 'node:crypto'
import { DRAFT_PATH } from '#brand/contract/operations.ts'
import type { ProjectRef } from '#brand/ids.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { addShare, SHARES, type ShareRecord } from '#store/access/shares.ts'
import { findProject, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { unknownMessage } from '#store/catalogue/unknown-message.ts'
import type { StateOf } from '#store/database/table.ts'
import type { Addresses } from '../../addresses.ts'
import { type AccessContext, changeAccess } from '../context.ts'
import type { Person } from '../session/session-verifier.ts'

/** The content that a link opens: the published guide, or its draft. */
export type ShareKind = 'guide' | 'draft'

export type NewShare = ProjectRef & {
  kind?: ShareKind
  name?: string | undefined
  lifetimeSeconds: number
  mayApprove?: boolean
  by?: ShareMaker | undefined
}

/** The person who makes a link: a name, and what is known of a person who is signed in. */
type ShareMaker = { name?: string | undefined } & Partial<Pick<Person, 'subject' | 'signin' | 'email'>>

/** A new share link. The store keeps only a hash of its secret. */
export type CreatedShare = Omit<StateOf<typeof SHARES>, 'revokedAt' | 'lastUsedAt'> & {
  linkSecret: string
  /**
   * Others who may see what it opens; `unpublished` means that no one can see it yet, with or without the link. Only
   * links and people who signed in open a draft.
   */
  openTo: 'nobody else' | 'everyone' | 'unpublished'
}

/** The project may be unpublished; the only problem is that it does not exist. */
export async function createShare(
  access: AccessContext,
  asked: NewShare,
  now: Date,
): Promise<Result<CreatedShare, { code: string; message: string }>> {
  const { workspace, project } = asked
  const linkSecret = randomBytes(24).toString('base64url')
  const share = shareRecord(asked, linkSecret, access.identity.shareSecret, now)
  const sharedProject = await changeAccess(
    access,
    async queries => {
      const record = await findProject(queries, workspace, project)
      if (record) await addShare(queries, share)
      return record
    },
    () => ({ event: 'share-created', share: share.id, workspace, project }),
  )
  if (!sharedProject)
    return failed({ code: 'project_unknown', message: await unknownMessage(access.database, { workspace, project }) })
  const { revokedAt: _revokedAt, lastUsedAt: _lastUsedAt, ...state } = SHARES.stateOf(share)
  return ok({ ...state, linkSecret, openTo: share.isDraft ? 'nobody else' : guideOpenTo(sharedProject) })
}

function shareRecord(
  { workspace, project, kind = 'guide', name, lifetimeSeconds, mayApprove = false, by = {} }: NewShare,
  linkSecret: string,
  secret: Uint8Array,
  now: Date,
): ShareRecord {
  return {
    // Base64url may begin with a hyphen, which a command would parse as an option.
    id: randomBytes(8).toString('hex'),
    name,
    workspace,
    project,
    isDraft: kind === 'draft',
    mayApprove,
    madeBy: by.name,
    maker: by.subject,
    makerSignin: by.signin,
    makerEmail: by.email,
    secretHash: linkHash(linkSecret, secret, kind),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  }
}

function guideOpenTo({ published }: Pick<ProjectRecord, 'published'>): CreatedShare['openTo'] {
  if (!published) return 'unpublished'
  return published.visibility === 'public' ? 'everyone' : 'nobody else'
}

/**
 * Hashes a link's secret. The secret has 192 random bits, so a fast hash suffices. Each kind has its own label, so
 * that a link of one kind never passes for the other.
 */
export function linkHash(linkSecret: string, secret: Uint8Array, kind: ShareKind): string {
  return createHmac('sha256', secret).update(`${LABELS[kind]} ${linkSecret}`).digest('base64url')
}

const LABELS: Readonly<Record<ShareKind, string>> = { guide: 'link', draft: 'draft link' }

export function shareUrl(
  { below }: Pick<Addresses, 'below'>,
  { draft, linkSecret, ...ref }: Pick<CreatedShare, 'workspace' | 'project' | 'draft' | 'linkSecret'>,
): string {
  return below(ref, `${draft ? DRAFT_PATH : ''}/-/share/${linkSecret}`)
}
