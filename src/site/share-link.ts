import type { ShareKind } from '../access/share/shares.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { DRAFT_PATH } from '../contract/draft-path.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { NO_STORE, redirect } from '../exchange/reply.ts'
import type { SiteContext } from './site-context.ts'

/**
 * The reply to a share link, `{project}/-/share/{secret}`, or below the address of a draft: sets a cookie for the project
 * or the draft, and redirects to its address without the secret, so that the secret is not bookmarked, passed on or
 * cached. Undefined if the link is not valid.
 */
export async function shareLinkReply(
  { shares, base }: SiteContext,
  request: Request,
  { workspace, project, kind }: ProjectRef & { kind: ShareKind },
  linkSecret: string,
): Promise<Reply | undefined> {
  const isDraft = kind === 'draft'
  const cookies = await (isDraft ? shares.drafts : shares).redeem(request, workspace, project, linkSecret)
  if (!cookies) return undefined
  const setCookies = cookies.flatMap(cookie => ['Set-Cookie', cookie])
  const privacy = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex']
  return redirect(303, `${base}/${workspace}/${project}${isDraft ? DRAFT_PATH : ''}`, [
    ...setCookies,
    ...NO_STORE,
    ...privacy,
  ])
}
