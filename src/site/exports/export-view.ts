import { createHash } from 'node:crypto'
import { create as contentDisposition } from 'content-disposition'
import type { ExportSource } from '#delivery/export/format.ts'
import { formatOfFile } from '#delivery/export/formats.ts'
import { archiveFormats, type ExportedArchive, makeArchiveFiles, makeExport } from '#delivery/export/make-export.ts'
import { memoryOf } from '#platform/caches/memory.ts'
import type { ArchiveSelection } from '#serving/downloads/archive-selection.ts'
import { EARLIEST_DATE } from '#serving/downloads/zip.ts'
import { cachingHeaders } from '#serving/publications/publications.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, isDraft } from '../guide/guide.ts'

/** A single-file export of a guide, for a file name. Undefined without such an export, or without content for it. */
export async function exportView(guide: Guide, file: string): Promise<Representation | undefined> {
  const format = formatOfFile(file)
  if (!format || format.isFolder) return undefined
  const made = await makeExport(format, exportSource(guide))
  if (!made.ok) return undefined
  const { files, pieces = [] } = made.value
  const content = [...files, ...pieces].find(({ path }) => path === file)?.content
  if (!(content instanceof Uint8Array)) return undefined
  const handling = format.isAttachment ? ['Content-Disposition', contentDisposition(file)] : []
  return {
    bytes: content,
    type: ['Content-Type', format.contentType, ...handling],
    about: cachingHeaders(guide.publication),
  }
}

/** The archive of exports with this name; its files are made once and cached under `key`. Undefined if none exists. */
export async function exportArchive(guide: Guide, file: string, key: string): Promise<ArchiveSelection | undefined> {
  const formats = archiveFormats(file)
  if (!formats) return undefined
  const { exportArchives: cache } = guide.site
  const archive =
    cache.get(key) ??
    (await cache.make(key, async () => {
      const archiveFiles = await makeArchiveFiles(formats, exportSource(guide))
      if (!archiveFiles) return undefined
      const files = new Map(archiveFiles.map(({ path, content }) => [path, content]))
      const value = { files, id: `${file} ${hashOfAll(files)}` }
      return { value, bytes: memoryOf(value) }
    }))
  const name = file.replace(/\.zip$/, '')
  return archive && { name, id: archive.id, modified: EARLIEST_DATE, files: async () => archive.files }
}

function hashOfAll(files: ExportedArchive['files']): string {
  const hash = createHash('sha256')
  for (const [path, content] of files) {
    const [about, bytes] = content instanceof Uint8Array ? [content.length, content] : [content.hash, '']
    hash.update(JSON.stringify([path, about]))
    hash.update(bytes)
  }
  return hash.digest('hex')
}

/** The input of a guide's exports. Those of a draft have no addresses, which would end with the access to it. */
export function exportSource(guide: Guide): ExportSource {
  const { publication, workspace, site } = guide
  const isPublished = !isDraft(guide)
  const facts: ExportSource['fontFacts'] = file => site.fontFacts(publication.record.workspace, file)
  return {
    publication,
    workspace,
    isPublished,
    urls: isPublished ? site.urls : undefined,
    fontFacts: facts,
    options: {},
    unsupported: [],
  }
}
