import type { ExportOptions, ExportSource } from '../../export/format.ts'
import type { Guide } from '../guide/guide.ts'

/** The input of a guide's exports. */
export function exportSource(guide: Guide, options: ExportOptions = {}): Omit<ExportSource, 'unsupported'> {
  const { publication, workspace, urls, fontFacts, copy } = guide
  const isPublished = !copy?.isDraft
  const facts: ExportSource['fontFacts'] = file => fontFacts(publication.record.workspace, file)
  return { publication, workspace, isPublished, urls: isPublished ? urls : undefined, fontFacts: facts, options }
}
