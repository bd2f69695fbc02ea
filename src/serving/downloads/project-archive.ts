import { create as contentDisposition } from 'content-disposition'
import { inSteps } from '../../base/steps.ts'
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
import { cachingHeaders, type Publication } from '../publications/publications.ts'
import { contentKey } from '../replies/content-keys.ts'
import type { ArchiveSelection } from './archive-selection.ts'
import { openFile } from './file-reply.ts'
import type { Slots, SlotUser } from './slots.ts'
import { type ZipArchive, type ZipEntry, zipArchive } from './zip.ts'

/** What archives are made from. */
export type ArchiveParts = {
  files: Files
  publicUrl: string
  /** One for each archive that is being sent. */
  archiveSlots: Slots
  archiveRates: ArchiveRates
  archiveLengths: Cache<ArchiveLength>
}

/** What a client has to read of an archive: usually, and while another waits for its slot. */
export type ArchiveRates = { usual: MinRate; contended: MinRate }

/** How long an archive is, in bytes. */
export type ArchiveLength = { length: number }

/**
 * The reply with files of a publication as one ZIP archive, made while it is sent; undefined if there is no such archive.
 * For one publication its bytes are always the same. The caller decides who may have it: those who may see the project's
 * pages. Sending it takes a slot, for which it waits; 503 if none comes free.
 */
export async function archiveReply(
  parts: ArchiveParts,
  publication: Publication,
  selection: ArchiveSelection,
  request: Request,
): Promise<Reply | undefined> {
  const { record, published } = publication
  const { workspace, project } = record
  const { snapshot, publishedAt } = published
  const made = [FORM, project, snapshot, publishedAt, ...(selection.id === '' ? [] : [selection.id])]
  const etag = etagOf(new TextEncoder().encode(JSON.stringify(made)))
  const layOut = () => archiveOf(parts, publication, selection)
  const known = await lengthOf(parts.archiveLengths, publication, etag, layOut)
  if (!known) return undefined
  const caching = [...cachingHeaders(publication), 'ETag', etag]
  if (matchedTag(request.headers['if-none-match'], etag)) return notModified([...caching, ...NO_SNIFF])
  const handling = ['Content-Disposition', contentDisposition(`${selection.name}.zip`)]
  const user = { project: `${workspace}/${project}`, address: networkOf(request.address) }
  const body = bodyWithSlot(parts, user, { length: known.length, layOut })
  return reply('application/zip', body, { handling, caching })
}

async function archiveOf(
  { files }: ArchiveParts,
  { record: { workspace }, published, content }: Publication,
  selection: ArchiveSelection,
): Promise<ZipArchive | undefined> {
  const selected = await selection.files(content)
  return selected && zipFiles(files, workspace, selected, selection.modified ?? published.publishedAt)
}

/**
 * A ZIP archive of files of a workspace, or of bytes that were made, keyed by path in the archive. A path that some system
 * could not unpack, or that might lead out of the folder there, is changed.
 */
export async function zipFiles(
  files: Files,
  workspace: string,
  selected: ReadonlyMap<string, BrandFile | Uint8Array>,
  modified: Date,
): Promise<ZipArchive> {
  const { take } = openPathAllocator()
  const entryOf = ([path, file]: [string, BrandFile | Uint8Array]): ZipEntry =>
    file instanceof Uint8Array
      ? { path: take(path), size: file.length, open: async () => onceOf(file) }
      : { path: take(path), size: file.size, open: () => openFile(files, workspace, file) }
  return zipArchive(await inSteps(selected, entryOf), modified)
}

async function* onceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * Computes the length of an archive once, however many ask for it. A request that waits for a slot keeps nothing else.
 */
async function lengthOf(
  archiveLengths: Cache<ArchiveLength>,
  publication: Publication,
  etag: string,
  layOut: () => Promise<ZipArchive | undefined>,
): Promise<ArchiveLength | undefined> {
  const key = contentEntryKey(contentKey(publication), etag)
  return archiveLengths.get(key) ?? archiveLengths.make(key, async () => sized(await layOut()))
}

function sized(archive: ZipArchive | undefined): { value: ArchiveLength; bytes: number } | undefined {
  if (!archive) return undefined
  const value = { length: archive.length }
  return { value, bytes: memoryOf(value) }
}

/** The slot is free again when the last byte is read, or the client has gone. */
function bodyWithSlot(
  { archiveSlots, archiveRates, publicUrl }: ArchiveParts,
  user: SlotUser,
  { length, layOut }: { length: number; layOut: () => Promise<ZipArchive | undefined> },
): StreamedBody {
  let release: (() => void) | undefined
  return {
    length,
    minRate: () => (archiveSlots.isWaitedFor(user.project) ? archiveRates.contended : archiveRates.usual),
    admit: async gone => {
      release = await archiveSlots.take(user, gone)
      return release ? undefined : refusalReply(refuse('unavailable', ['Retry-After', '10']), publicUrl)
    },
    chunks: async function* () {
      try {
        const archive = await layOut()
        if (!archive) throw new Error('an archive is gone')
        yield* archive.chunks()
      } finally {
        release?.()
      }
    },
  }
}

/** To be raised when the same files would give other bytes. */
const FORM = 3
