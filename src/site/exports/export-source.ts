import type { ExportOptions, ExportSource } from '../../export/format.ts'
import type { Guide } from '../guide/guide.ts'

/** What the exports of a guide are made from. */
export function exportSource(guide: Guide, options: ExportOptions = {}): Omit<ExportSource, 'unsupported'> {
  const { publication, workspace, urls, fontFacts, copy } = guide
  const isPublished = !copy?.isDraft
  const facts: ExportSource['fontFacts'] = file => fontFacts(publication.record.workspace, file)
  return { publication, workspace, isPublished, urls: isPublished ? urls : undefined, fontFacts: facts, options }
}
