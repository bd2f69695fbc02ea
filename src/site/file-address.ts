import type { MaybePromise } from '../base/promise.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Publication } from '../serving/publications/publications.ts'
import type { SiteParts } from './site-parts.ts'
import { parseThumbnailWidth } from './thumbnails/thumbnail.ts'

/** The address of a file: its key and name, and the reply once the file is found. */
export type FileAddress = {
  key: string
  name: string
  reply: (publication: Publication, file: BrandFile) => MaybePromise<Reply | undefined>
}

/** Parses the path of a file, its PNG or its thumbnail below the address of a guide; undefined for any other path. */
export function fileAddress(
  { downloads, pngs, thumbnails }: SiteParts,
  request: Request,
  [dash, kind, key = '', name = '', rest = '', ...more]: readonly string[],
): FileAddress | undefined {
  if (dash !== '-' || name === '' || more.length > 0) return undefined
  if (kind === 'files' && rest === '')
    return { key, name, reply: (publication, file) => downloads.reply(publication, file, request) }
  if (kind === 'png' && rest === '' && name.endsWith('.png'))
    return { key, name: name.slice(0, -4), reply: (publication, file) => pngs(publication, file, request) }
  if (kind !== 'thumbnails' || rest === '') return undefined
  const width = parseThumbnailWidth(name)
  return { key, name: rest, reply: (publication, file) => width && thumbnails(publication, file, width, request) }
}

/** The reply with the file of a publication at an address. */
export async function fileReply(
  { downloads }: Pick<SiteParts, 'downloads'>,
  publication: Publication,
  { key, name, reply }: FileAddress,
): Promise<Reply | undefined> {
  const file = await downloads.find(publication, key, name)
  return file && reply(publication, file)
}
