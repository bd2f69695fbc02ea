import { create as contentDisposition } from 'content-disposition'
import { LRUCache } from 'lru-cache'
import { type BrandFile, filename } from '../brand/file.ts'
import { matchedTag } from '../exchange/etag.ts'
import { type Reply, type Request, requestHeader } from '../exchange/message.ts'
import type { Files } from '../store/files.ts'
import type { Addresses } from './addresses.ts'
import type { Publication } from './publications.ts'

/** The reply to a file's address, or undefined where the publication has no file of this key and name. */
export type Downloads = (
  publication: Publication,
  key: string,
  name: string,
  request: Request,
) => Promise<Reply | undefined>

/** Serves the files of publications; which key means which file is worked out once a publication. */
export function openDownloads(files: Files, addresses: Addresses): Downloads {
  const byKey = new LRUCache<string, ReadonlyMap<string, BrandFile>>({ max: 100 })
  const filesOf = async (publication: Publication): Promise<ReadonlyMap<string, BrandFile>> => {
    const { record, published, content } = publication
    const place = `${record.workspace}/${record.project}@${published.snapshot}:${record.fileKey}`
    let known = byKey.get(place)
    if (!known) {
      const list = [...(await content.files()).values()]
      known = new Map(list.map(file => [`${addresses.fileKey(record, file)}/${filename(file.path)}`, file]))
      byKey.set(place, known)
    }
    return known
  }
  return async (publication, key, name, request) => {
    const file = (await filesOf(publication)).get(`${key}/${name}`)
    return file && fileReply(files, publication, file, request)
  }
}

function fileReply(files: Files, { record, published }: Publication, file: BrandFile, request: Request): Reply {
  const etag = `"${file.hash}"`
  const caching = published.visibility === 'public' ? 'public, max-age=3600' : 'private, no-cache'
  const shared = ['Cache-Control', caching, 'ETag', etag, 'X-Content-Type-Options', 'nosniff']
  if (matchedTag(requestHeader(request.headers, 'if-none-match'), etag, [etag]))
    return { status: 304, headers: shared, body: undefined }
  const sandbox = RUNS_SCRIPT.test(file.contentType) ? ['Content-Security-Policy', 'sandbox'] : []
  const open = async () => {
    const stream = await files.open(record.workspace, file.hash)
    if (!stream) throw new Error(`the store has lost file ${file.hash} of workspace ${record.workspace}`)
    return stream
  }
  return {
    status: 200,
    headers: ['Content-Type', file.contentType, 'Content-Disposition', disposition(file), ...shared, ...sandbox],
    body: { length: file.size, open },
  }
}

/** Types that a browser shows without running anything; all others are saved. */
const SHOWN = /^(image|font|audio|video)\/|^(application\/pdf|text\/plain)$/
const RUNS_SCRIPT = /svg|html|xml/

function disposition(file: BrandFile): string {
  return contentDisposition(filename(file.path), { type: SHOWN.test(file.contentType) ? 'inline' : 'attachment' })
}
