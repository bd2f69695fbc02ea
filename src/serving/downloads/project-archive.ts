import { setImmediate as nextTurn } from 'node:timers/promises'
import { create as contentDisposition } from 'content-disposition'
import type { BrandFile } from '../../brand/file.ts'
import { openPathAllocator } from '../../brand/portable-paths.ts'
import type { Cache } from '../../caches/cache.ts'
import { contentEntryKey } from '../../caches/caches.ts'
import { memoryOf } from '../../caches/memory.ts'
import { refusalReply, refuse } from '../../contract/refusals.ts'
import { etagOf, matchedTag } from '../../exchange/etag.ts'
import { networkOf } from '../../exchange/ip-address.ts'
import type { MinRate, Reply, Request, StreamedBody } from '../../exchange/message.ts'
import { NO_SNIFF, notModified, content as reply } from '../../exchange/reply.ts'
import type { Files } from '../../store/files/files.ts'
import { lastExpiry } from '../publications/library.ts'
import { cachingHeaders, type Publication } from '../publications/publications.ts'
import { contentKey } from '../replies/content-keys.ts'
import type { ArchiveSelection } from './archive-selection.ts'
import { openFile } from './file-reply.ts'
import type { Slots, SlotUser } from './slots.ts'
import { type ZipArchive, type ZipEntry, zipArchive } from './zip.ts'

export type Archives = {
  files: Files
  publicUrl: string
  /** One slot for each archive that is being sent. */
  slots: Slots
  rates: ArchiveRates
  lengths: Cache<ArchiveLength>
}

/** The minimum rates at which a client must read an archive: usually, and while another client waits for its slot. */
type ArchiveRates = { usual: MinRate; contended: MinRate }

export type ArchiveLength = { length: number }

/**
 * The reply with files of a publication as one ZIP archive, which is created while it is sent; undefined if there is no
 * such archive. The same publication always gives the same bytes. The caller must allow only clients that may see the
 * pages of the project. Sending waits for a slot; the reply is 503 if none becomes free.
 */
export async function archiveReply(
  archives: Archives,
  publication: Publication,
  selection: ArchiveSelection,
  request: Request,
): Promise<Reply | undefined> {
  const { record, published } = publication
  const { workspace, project } = record
  const { snapshot, publishedAt } = published
  const expiry = await lastExpiry(publication.content)
  const made = [FORMAT_VERSION, project, snapshot, publishedAt, ...(selection.id === '' ? [] : [selection.id])]
  const tagged = expiry === undefined ? made : [...made, { expiry }]
  const etag = etagOf(new TextEncoder().encode(JSON.stringify(tagged)))
  const layOut = () => archiveOf(archives, publication, selection)
  const known = await lengthOf(archives.lengths, publication, etag, layOut)
  if (!known) return undefined
  const caching = [...cachingHeaders(publication), 'ETag', etag]
  if (matchedTag(request.headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
  const handling = ['Content-Disposition', contentDisposition(`${selection.name}.zip`)]
  const user = { project: `${workspace}/${project}`, address: networkOf(request.address) }
  const body = bodyWithSlot(archives, user, { length: known.length, layOut })
  return reply('application/zip', body, { handling, caching })
}

async function archiveOf(
  { files }: Archives,
  { record: { workspace }, published, content }: Publication,
  selection: ArchiveSelection,
): Promise<ZipArchive | undefined> {
  const selected = await selection.files(content)
  return selected && zipFiles(files, workspace, selected, selection.modified ?? published.publishedAt)
}

/** A ZIP archive of files or bytes. Paths change if a system cannot unpack them, or if they might leave the folder. */
export function zipFiles(
  files: Files,
  workspace: string,
  selected: ReadonlyMap<string, BrandFile | Uint8Array>,
  modified: Date,
): ZipArchive {
  const { take } = openPathAllocator()
  const entryOf = ([path, file]: [string, BrandFile | Uint8Array]): ZipEntry =>
    file instanceof Uint8Array
      ? { path: take(path), size: file.length, open: async () => single(file) }
      : { path: take(path), size: file.size, open: () => openFile(files, workspace, file) }
  return zipArchive(Array.from(selected, entryOf), modified)
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Computes a length once for concurrent callers. While a request waits for a slot, nothing else is in memory. */
async function lengthOf(
  archiveLengths: Cache<ArchiveLength>,
  publication: Publication,
  etag: string,
  layOut: () => Promise<ZipArchive | undefined>,
): Promise<ArchiveLength | undefined> {
  const key = contentEntryKey(contentKey(publication), etag)
  return archiveLengths.get(key) ?? archiveLengths.make(key, async () => withSize(await layOut()))
}

function withSize(archive: ZipArchive | undefined): { value: ArchiveLength; bytes: number } | undefined {
  if (!archive) return undefined
  const value = { length: archive.length }
  return { value, bytes: memoryOf(value) }
}

/** The slot is released when the last byte is read, or when the client has left. */
function bodyWithSlot(
  { slots, rates, publicUrl }: Archives,
  user: SlotUser,
  { length, layOut }: { length: number; layOut: () => Promise<ZipArchive | undefined> },
): StreamedBody {
  let release: (() => void) | undefined
  return {
    length,
    minRate: () => (slots.isWaitedFor(user.project) ? rates.contended : rates.usual),
    admit: async gone => {
      release = await slots.take(user, gone)
      return release ? undefined : refusalReply(refuse('unavailable', ['Retry-After', '10']), publicUrl)
    },
    chunks: async function* () {
      try {
        await nextTurn() // Laying out an archive of thousands of files takes tens of milliseconds.
        const archive = await layOut()
        if (!archive) throw new Error('the archive no longer exists')
        yield* archive.chunks()
      } finally {
        release?.()
      }
    },
  }
}

/** Increase this when the same files would give other bytes. */
const FORMAT_VERSION = 3
