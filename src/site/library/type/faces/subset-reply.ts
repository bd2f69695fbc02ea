import { matchedTag } from '../../../../exchange/etag.ts'
import type { Reply, Request } from '../../../../exchange/message.ts'
import { content, NO_SNIFF, notModified } from '../../../../exchange/reply.ts'
import type { Downloads } from '../../../../serving/downloads/downloads.ts'
import { themeOf } from '../../../theme/guide-theme.ts'
import { makeSubset } from './font-subsets.ts'
import { frameFaces } from './frame-fonts.ts'
import type { FontGuide } from './style-faces.ts'

/**
 * The reply with the subset of a font of the theme, which is made when it is first needed. If it cannot be made, the
 * reply is the whole font. Undefined for an address that no page of this revision has.
 */
export async function subsetReply(
  downloads: Pick<Downloads, 'reply'>,
  guide: FontGuide,
  below: string,
  request: Request,
): Promise<Reply | undefined> {
  const { publication } = guide
  const { subsets } = await frameFaces(guide, await themeOf(publication))
  const fontSubset = subsets.find(each => each.below === below)
  if (!fontSubset) return undefined
  const bytes = await makeSubset(guide, fontSubset)
  if (!bytes) return downloads.reply(publication, fontSubset.face.file, request)
  const { record, published } = publication
  const visibility = published.visibility === 'public' ? 'public' : 'private'
  // The addresses of a draft end with the access to it.
  const caching = record.draftOf ? 'private, no-cache' : `${visibility}, max-age=31536000, immutable`
  const etag = `"${below.split('/')[2]}"`
  const headers = ['Cache-Control', caching, 'ETag', etag]
  return matchedTag(request.headers['if-none-match'], etag)
    ? notModified([...headers, ...NO_SNIFF])
    : content('font/woff2', bytes, { caching: headers })
}
