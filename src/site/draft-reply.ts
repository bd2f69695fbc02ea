import type { ProjectRef } from '../brand/ids.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { withDraftAccess } from './authorize.ts'
import { fileAddress, fileReply } from './file-address.ts'
import { replyWithAccess } from './guide-reply.ts'
import { shareLinkReply } from './share-link.ts'
import type { SiteParts } from './site-parts.ts'

/** The segments of a path below the address of a draft, `{project}/-/draft`; undefined for any other path. */
export function belowDraft([dash, name, ...below]: readonly string[]): readonly string[] | undefined {
  if (dash !== '-') return undefined
  if (name === 'draft') return below
  return name === 'draft.md' && below.length === 0 ? ['index.md'] : undefined
}

/**
 * Replies at a path below the address of a draft: to its share links, and to requests that may see it now. Unlike the
 * files of the published guide, its files also need this permission.
 */
export function draftReply(
  parts: SiteParts,
  request: Request,
  ref: ProjectRef,
  below: readonly string[],
): Promise<Reply | undefined> {
  const [dash, kind, secret = ''] = below
  if (dash === '-' && kind === 'share' && below.length === 3)
    return shareLinkReply(parts, request, { ...ref, kind: 'draft' }, secret)
  const address = fileAddress(parts, request, below)
  return withDraftAccess(parts, request, ref, access =>
    address ? fileReply(parts, access.publication, address) : replyWithAccess(parts, request, access, below.join('/')),
  )
}
