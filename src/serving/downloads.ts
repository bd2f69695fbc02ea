import { create as contentDisposition } from 'content-disposition'
import { LRUCache } from 'lru-cache'
import { type BrandFile, filename } from '../brand/file.ts'
import { matchedTag } from '../exchange/etag.ts'
import { type Reply, type Request, requestHeader } from '../exchange/message.ts'
import type { ProjectRecord } from '../store/catalogue.ts'
import type { Queries } from '../store/database.ts'
import type { Files } from '../store/files.ts'
import { readFiles } from '../store/snapshots.ts'
import type { Addresses } from './addresses.ts'
import type { Publication } from './publications.ts'
import type { ServedRevisions } from './revisions.ts'

/**
 * The reply to a file's address, or undefined where neither the publication nor any other revision of the project that
 * is served has a file of this key and name.
 */
export type Downloads = (
  publication: Publication,
  key: string,
  name: string,
  request: Request,
) => Promise<Reply | undefined>

/** What files are found in. */
export type DownloadParts = { database: Queries; files: Files; addresses: Addresses; revisions: ServedRevisions }

/** Serves the files of publications; which key means which file is worked out once for each content. */
export function openDownloads({ database, files, addresses, revisions }: DownloadParts): Downloads {
  const kept = new LRUCache<string, Promise<ByAddress>>({ max: 100 })
  const byAddress = (record: ProjectRecord, content: string, list: () => Promise<Iterable<BrandFile>>) => {
    const place = `${record.workspace}/${record.project}@${content}:${record.fileKey}`
    const known = kept.get(place)
    if (known) return known
    const address = (file: BrandFile) => `${addresses.fileKey(record, file)}/${filename(file.path)}`
    const made = list().then(found => new Map(Array.from(found, file => [address(file), file])))
    kept.set(place, made)
    made.catch(() => kept.delete(place))
    return made
  }
  const inPublication = ({ record, published, content }: Publication) =>
    byAddress(record, published.snapshot, async () => (await content.files()).values())
  const inRevisions = async ({ record }: Publication): Promise<ByAddress | undefined> => {
    const snapshots = await revisions.snapshots(record)
    return snapshots && byAddress(record, snapshots.name, () => readFiles(database, record.workspace, snapshots.hashes))
  }
  return async (publication, key, name, request) => {
    const address = `${key}/${name}`
    const file = (await inPublication(publication)).get(address) ?? (await inRevisions(publication))?.get(address)
    return file && fileReply(files, publication, file, request)
  }
}

type ByAddress = ReadonlyMap<string, BrandFile>

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
