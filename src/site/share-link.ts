import type { Shares } from '../access/share/share-verifier.ts'
import type { Reply, Request } from '../exchange/message.ts'

/** What share links are answered with; `base` is the path of the public URL. */
export type ShareLinkParts = { shares: Shares; base: string }

/**
 * The reply to a share link, `{project}/-/share/{secret}`: sets a cookie for the project and leads on to its address
 * without the secret, so that it is neither bookmarked, nor sent on, nor kept by a cache. Undefined where it opens nothing.
 */
export function shareLinkReply(
  { shares, base }: ShareLinkParts,
  request: Request,
  { workspace, project }: { workspace: string; project: string },
  linkSecret: string,
): Reply | undefined {
  const cookies = shares.redeem(request, workspace, project, linkSecret)
  if (!cookies) return undefined
  return {
    status: 303,
    headers: [
      ...['Location', `${base}/${workspace}/${project}`],
      ...cookies.flatMap(cookie => ['Set-Cookie', cookie]),
      ...['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'],
    ],
    body: new Uint8Array(),
  }
}
