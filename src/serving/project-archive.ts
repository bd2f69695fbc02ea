import { create as contentDisposition } from 'content-disposition'
import { etagOf, matchedTag } from '../exchange/etag.ts'
import { type Reply, type Request, requestHeader } from '../exchange/message.ts'
import type { Files } from '../store/files.ts'
import { cachingOf } from './caching.ts'
import { openFile } from './open-file.ts'
import type { Publication } from './publications.ts'
import { zipArchive } from './zip.ts'

/** What archives are made from. */
export type ArchiveParts = { files: Files }

/**
 * The reply with all files of a publication as one ZIP archive, made while it is sent. For one publication its bytes are
 * always the same. Who may have it is for the caller to say: the reply is for those who may see the project's pages.
 */
export async function archiveReply(
  { files }: ArchiveParts,
  publication: Publication,
  request: Request,
): Promise<Reply> {
  const { record, published, content } = publication
  const { workspace, project } = record
  const { snapshot, publishedAt } = published
  const etag = etagOf(new TextEncoder().encode(JSON.stringify([FORM, project, snapshot, publishedAt])))
  const shared = [...cachingOf(publication), 'ETag', etag, 'X-Content-Type-Options', 'nosniff']
  if (matchedTag(requestHeader(request.headers, 'if-none-match'), etag, [etag]))
    return { status: 304, headers: shared, body: undefined }
  const entries = Array.from((await content.files()).values(), file => ({
    path: `${project}/${portable(file.path)}`,
    size: file.size,
    open: () => openFile(files, workspace, file),
  }))
  const { length, chunks } = zipArchive(entries, publishedAt)
  const disposition = contentDisposition(`${project}.zip`)
  const headers = ['Content-Type', 'application/zip', 'Content-Disposition', disposition, ...shared]
  return { status: 200, headers, body: { length, chunks } }
}

/** To be raised when the same files would give other bytes. */
const FORM = 1

/** A backslash in a name would part folders, and might lead out of them, where archives are unpacked under Windows. */
function portable(path: string): string {
  return path.replaceAll('\\', '%5C')
}
