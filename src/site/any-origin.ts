import { type CorsFields, corsHeaders, type Ids, READ, refuseMethod } from '#brand/contract/route.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import type { Served } from '#serving/replies/content-keys.ts'
import type { Site } from './site.ts'

/** The header fields that pages of other origins may send (`sent`) when they load a file, and read in its reply. */
export const FILE_FIELDS: CorsFields = {
  sent: 'If-None-Match, If-Range, Range',
  read: 'ETag, Accept-Ranges, Content-Disposition, Content-Length, Content-Range',
}

/**
 * Lets pages of every origin read a reply with content of a public guide, so that other sites can use its exports,
 * theme and fonts. Never in `dev`: a hostile page in the author's browser could read unpublished content.
 */
export function forAnyOrigin({ live }: Site, served: Served, reply: Reply, fields = READABLE): Reply {
  const { draftOf, managedRevision } = served.record
  const isPublished = draftOf === undefined && managedRevision === undefined && live === undefined
  return isPublished && served.published.visibility === 'public' ? withHeaders(reply, fields) : reply
}

const READABLE = corsHeaders('*', FILE_FIELDS, false)
const PREFLIGHT = corsHeaders('*', FILE_FIELDS, true)

/** The reply to OPTIONS at an address whose replies any page may read if the guide is public, without its content. */
export async function preflightReply(site: Site, request: Request, ids: Ids): Promise<Reply> {
  const { pointers, access } = site.service
  const reply = refuseMethod(READ, request.method, access.publicUrl)
  // Pages of other origins may only read fonts among the files of a guide; other addresses have no filename.
  const isOtherFile = ids.filename !== '' && !FONT_NAME.test(ids.filename)
  const record = isOtherFile ? undefined : (await pointers.openWorkspace(ids.workspace))?.openProjects.get(ids.project)
  return record ? forAnyOrigin(site, { record, published: record.published }, reply, PREFLIGHT) : reply
}

const FONT_NAME = /\.(?:otf|ttf|woff2?)$/i
