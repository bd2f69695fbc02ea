import type { MaybePromise } from '../base/promise.ts'
import type { BrandFile } from '../brand/file.ts'
import type { CorsFields, Ids, Route } from '../contract/route.ts'
import type { Reply, Request } from '../exchange/message.ts'
import type { Publication } from '../serving/publications/publications.ts'
import { countReply } from '../serving/usage/usage.ts'
import type { SiteContext } from './site-context.ts'
import { parseThumbnailWidth } from './thumbnails/thumbnail.ts'

/** A file below the address of a guide, and below that of its draft. */
export type FileRow = Pick<Route<never>, 'name' | 'cors'> & {
  below: string
  reply: (site: SiteContext, found: FoundFile, request: Request, ids: Ids) => MaybePromise<Reply | undefined>
}

type FoundFile = { publication: Publication; file: BrandFile }

/** The header fields of files for pages of other origins. */
export const FILE_FIELDS: CorsFields = {
  sent: 'If-None-Match, If-Range, Range',
  read: 'ETag, Accept-Ranges, Content-Disposition, Content-Length, Content-Range',
}

export const FILE_ROWS: readonly FileRow[] = [
  {
    below: '/-/files/{key}/{filename}',
    name: 'file',
    cors: FILE_FIELDS,
    reply: async ({ downloads, usage }, { publication, file }, request) => {
      const reply = await downloads.reply(publication, file, request)
      const { record } = publication
      if (!record.draftOf) countReply(usage, request, reply, record, 'file', file.path)
      return reply
    },
  },
  {
    below: '/-/png/{key}/{filename}.png',
    name: 'png',
    reply: ({ pngs }, { publication, file }, request) => pngs(publication, file, request, 'png'),
  },
  {
    below: '/-/jpg/{key}/{filename}.jpg',
    name: 'jpg',
    reply: ({ pngs }, { publication, file }, request) => pngs(publication, file, request, 'jpg'),
  },
  {
    below: '/-/thumbnails/{key}/{width}/{filename}',
    name: 'thumbnail',
    reply: ({ thumbnails }, { publication, file }, request, ids) => {
      const width = parseThumbnailWidth(ids.width)
      return width && thumbnails(publication, file, width, request)
    },
  },
]

export async function fileReply(
  site: SiteContext,
  publication: Publication,
  { row, request, ids }: { row: FileRow; request: Request; ids: Ids },
): Promise<Reply | undefined> {
  const file = await site.downloads.find(publication, ids.key, ids.filename)
  return file && row.reply(site, { publication, file }, request, ids)
}
