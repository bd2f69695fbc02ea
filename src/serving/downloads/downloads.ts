import { type BrandFile, filename } from '#brand/file.ts'
import type { Caches } from '#platform/caches/caches.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import type { Reply, Request } from '#platform/exchange/message.ts'
import { readFiles } from '#store/catalogue/snapshots.ts'
import type { Queries } from '#store/database/database.ts'
import type { Addresses } from '../addresses.ts'
import type { OpenPublication, Publication } from '../publications/publications.ts'
import type { ServedRevisions } from '../publications/revisions.ts'
import { filesKey, type ServedProject } from '../replies/content-keys.ts'
import { type FileOwner, fileReply, openSmallFiles } from './file-reply.ts'
import type { VerifiedFiles } from './verified-files.ts'

export type Downloads = {
  /**
   * The file at an address; undefined if neither the publication nor another served revision of its project has a file
   * with this key and name. For a draft, the published revision counts too, whose pictures the page of changes shows
   * next to the new ones.
   */
  find: (publication: Publication, key: string, name: string) => Promise<BrandFile | undefined>
  reply: (owner: FileOwner, file: BrandFile, request: Request) => Promise<Reply>
}

/** Serves the files of publications. The map from keys to files is computed once for each content. */
export function openDownloads({
  access: { publicUrl, database, caches },
  files,
  urls,
  revisions,
  openPublication,
}: {
  access: { publicUrl: string; database: Queries; caches: Caches }
  files: VerifiedFiles
  urls: Addresses
  revisions: ServedRevisions
  openPublication: OpenPublication
}): Downloads {
  const byAddress = openAddressMaps(caches, urls)
  const parts = { files, smallFiles: openSmallFiles(files, caches), publicUrl }
  const inPublication = ({ record, published, content }: Publication) =>
    byAddress(record, published.snapshot, async () => (await content.files()).values())
  const inRevisions = async ({ record }: Publication) => {
    const snapshots = await revisions.snapshots(record)
    return snapshots && byAddress(record, snapshots.name, () => readFiles(database, record.workspace, snapshots.hashes))
  }
  const besideDraft = ({ record }: Publication) => {
    const current = record.draftOf && openPublication(record.draftOf)
    // With the record of the draft, whose pages have its addresses also for files of the published revision.
    return current && inPublication({ ...current, record })
  }
  return {
    find: async (publication, key, name) => {
      const address = `${key}/${name}`
      const served = (await inPublication(publication))?.get(address) ?? (await inRevisions(publication))?.get(address)
      return served ?? (await besideDraft(publication))?.get(address)
    },
    reply: (owner, file, request) => fileReply(parts, owner, file, request),
  }
}

/**
 * Makes the function that returns the map of some files of a project. `content` names them: it is a snapshot, or the name
 * of a set of snapshots.
 */
function openAddressMaps(caches: Caches, urls: Addresses) {
  const cachedMaps = caches.open<ByAddress>('addresses')
  return (record: ServedProject, content: string, list: () => Promise<Iterable<BrandFile>>) => {
    const key = filesKey(record, content)
    const cached = cachedMaps.get(key)
    if (cached) return cached
    const addressOf = (file: BrandFile) => `${urls.fileKey(record, file)}/${filename(file.path)}`
    return cachedMaps.make(key, async () => {
      const value = new Map(Array.from(await list(), file => [addressOf(file), file] as const))
      return { value, bytes: memoryOf(value) }
    })
  }
}

/** Files keyed by the end of their address: `{key}/logo.svg`. */
type ByAddress = ReadonlyMap<string, BrandFile>
