import { create as contentDisposition } from 'content-disposition'
import { once } from '../../base/promise.ts'
import { inSteps } from '../../base/steps.ts'
import { refusalReply, refuse } from '../../contract/refusals.ts'
import { etagOf, matchedTag } from '../../exchange/etag.ts'
import { type LeastRate, type Reply, type Request, requestHeader, type Streamed } from '../../exchange/message.ts'
import { NO_SNIFF, notModified, content as reply } from '../../exchange/reply.ts'
import type { Files } from '../../store/files/files.ts'
import { cachingOf, type Publication } from '../publications.ts'
import { openFile } from './file-reply.ts'
import type { Slots } from './slots.ts'
import { type ZipArchive, zipArchive } from './zip.ts'

/** What archives are made from. */
export type ArchiveParts = {
  files: Files
  publicUrl: string
  /** One for each archive that is being sent. */
  archiveSlots: Slots
  /** What a client has to read of an archive, so that it does not keep others waiting. */
  archiveRate: LeastRate
}

/**
 * The reply with all files of a publication as one ZIP archive, made while it is sent. For one publication its bytes are
 * always the same. Who may have it is for the caller to say: the reply is for those who may see the project's pages.
 * Sending it takes a slot, for which it waits; 503 where none comes free.
 */
export async function archiveReply(parts: ArchiveParts, publication: Publication, request: Request): Promise<Reply> {
  const { record, published } = publication
  const { workspace, project } = record
  const { snapshot, publishedAt } = published
  const etag = etagOf(new TextEncoder().encode(JSON.stringify([FORM, project, snapshot, publishedAt])))
  const caching = [...cachingOf(publication), 'ETag', etag]
  if (matchedTag(requestHeader(request.headers, 'if-none-match'), etag, [etag]))
    return notModified([...caching, ...NO_SNIFF])
  const handling = ['Content-Disposition', contentDisposition(`${project}.zip`)]
  const layOut = () => archiveOf(parts, publication)
  const length = await lengthOf(publication, async () => (await layOut()).length)
  const body = bodyWithSlot(parts, `${workspace}/${project}`, { length, layOut })
  return reply('application/zip', body, { handling, caching })
}

async function archiveOf(
  { files }: ArchiveParts,
  { record: { workspace, project }, published, content }: Publication,
): Promise<ZipArchive> {
  const entries = await inSteps((await content.files()).values(), FILES_AT_ONCE, file => ({
    path: `${project}/${portable(file.path)}`,
    size: file.size,
    open: () => openFile(files, workspace, file),
  }))
  return zipArchive(entries, published.publishedAt)
}

/** Works out how long an archive is once, however many ask: who waits for a slot keeps no more. Copies of a project share a content. */
function lengthOf({ content, record }: Publication, work: () => Promise<number>): Promise<number> {
  const ofContent = LENGTHS.get(content) ?? new Map<string, () => Promise<number>>()
  const known = ofContent.get(record.project) ?? once(work)
  LENGTHS.set(content, ofContent.set(record.project, known))
  return known()
}

const LENGTHS = new WeakMap<Publication['content'], Map<string, () => Promise<number>>>()

const FILES_AT_ONCE = 1000

/** The slot is free again when the last byte was read, or when nobody is there any more. */
function bodyWithSlot(
  { archiveSlots, archiveRate, publicUrl }: ArchiveParts,
  project: string,
  { length, layOut }: { length: number; layOut: () => Promise<ZipArchive> },
): Streamed {
  let release: (() => void) | undefined
  return {
    length,
    leastRate: archiveRate,
    admit: async gone => {
      release = await archiveSlots.take(project, gone)
      return release ? undefined : refusalReply(refuse('unavailable', ['Retry-After', '10']), publicUrl)
    },
    chunks: async function* () {
      try {
        yield* (await layOut()).chunks()
      } finally {
        release?.()
      }
    },
  }
}

/** To be raised when the same files would give other bytes. */
const FORM = 1

/** A backslash in a name would part folders, and might lead out of them, where archives are unpacked under Windows. */
function portable(path: string): string {
  return path.replaceAll('\\', '%5C')
}
