import { create as contentDisposition } from 'content-disposition'
import { formatOfFile } from '../../export/formats.ts'
import { makeExport } from '../../export/make-export.ts'
import { cachingHeaders } from '../../serving/publications/publications.ts'
import type { Representation } from '../../serving/replies/response-cache.ts'
import type { Guide } from '../guide/guide.ts'
import { exportSource } from './export-archive.ts'

/**
 * A single-file export of a guide, for a file name. Undefined if no such export exists, or if the brand lacks the content
 * for it.
 */
export async function exportView(guide: Guide, file: string): Promise<Representation | undefined> {
  const format = formatOfFile(file)
  if (!format || format.isFolder) return undefined
  const made = await makeExport(format, exportSource(guide))
  if (!made.ok) return undefined
  const { files, pieces = [] } = made.value
  const content = (file === format.file ? files[0] : pieces.find(({ path }) => path === file))?.content
  if (!(content instanceof Uint8Array)) return undefined
  const handling = format.isAttachment ? ['Content-Disposition', contentDisposition(file)] : []
  return {
    bytes: content,
    type: ['Content-Type', format.contentType, ...handling],
    about: cachingHeaders(guide.publication),
  }
}
