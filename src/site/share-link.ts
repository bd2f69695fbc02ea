import type { Shares } from '../access/share/share-verifier.ts'
import type { ProjectRef } from '../brand/ids.ts'
import type { Reply, Request } from '../exchange/message.ts'
import { NO_STORE, redirect } from '../exchange/reply.ts'

/** The parts that check share links. `base` is the path of the public URL. */
export type ShareLinkParts = { shares: Shares; base: string }

/**
 * The reply to a share link, `{project}/-/share/{secret}`: sets a cookie for the project and redirects to its address
 * without the secret, so that the secret is not bookmarked, passed on or cached. Undefined if the link is not valid.
 */
export async function shareLinkReply(
  { shares, base }: ShareLinkParts,
  request: Request,
  { workspace, project }: ProjectRef,
  linkSecret: string,
): Promise<Reply | undefined> {
  const cookies = await shares.redeem(request, workspace, project, linkSecret)
  if (!cookies) return undefined
  const setCookies = cookies.flatMap(cookie => ['Set-Cookie', cookie])
  const privacy = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex']
  return redirect(303, `${base}/${workspace}/${project}`, [...setCookies, ...NO_STORE, ...privacy])
}
