import { matchedTag } from '../../../../exchange/etag.ts'
import type { Reply, Request } from '../../../../exchange/message.ts'
import { content, NO_SNIFF, notModified } from '../../../../exchange/reply.ts'
import type { Guide } from '../../../guide/guide.ts'
import type { SiteParts } from '../../../site-parts.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { frameFaces } from './frame-fonts.ts'

/**
 * The reply with the subset of a font of the theme, which is made when it is first needed. If it cannot be made, the
 * reply is the whole font. Undefined for an address that no page of this revision has.
 */
export async function subsetReply(
  { fontSubset, downloads }: Pick<SiteParts, 'fontSubset' | 'downloads'>,
  guide: Guide,
  below: string,
  request: Request,
): Promise<Reply | undefined> {
  const { publication } = guide
  const theme = await themeOf(publication)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { subsets, keptMs } = await frameFaces(guide, theme)
    const found = subsets.find(each => each.below === below)
    if (found) {
      const { face, subset } = found
      const bytes = await Promise.resolve(fontSubset(publication.record.workspace, face.file, subset)).catch(
        () => undefined,
      )
      if (!bytes) return downloads.reply(publication, face.file, request)
      const visibility = publication.published.visibility === 'public' ? 'public' : 'private'
      const etag = `"${below.split('/')[2]}"`
      const caching = ['Cache-Control', `${visibility}, max-age=31536000, immutable`, 'ETag', etag]
      return matchedTag(request.headers['if-none-match'], etag)
        ? notModified([...caching, ...NO_SNIFF])
        : content('font/woff2', bytes, { caching })
    }
    if (keptMs === undefined) return undefined
  }
  return undefined
}

/** Each try waits until all fonts are read, or for a time limit. */
const MAX_TRIES = 5
