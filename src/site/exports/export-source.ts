import type { ExportOptions, ExportSource } from '../../export/format.ts'
import { type Guide, isDraft } from '../guide/guide.ts'

/** The input of a guide's exports. Those of a draft have no addresses, which would end with the access to it. */
export function exportSource(guide: Guide, options: ExportOptions = {}): Omit<ExportSource, 'unsupported'> {
  const { publication, workspace, urls, fontFacts } = guide
  const isPublished = !isDraft(guide)
  const facts: ExportSource['fontFacts'] = file => fontFacts(publication.record.workspace, file)
  return { publication, workspace, isPublished, urls: isPublished ? urls : undefined, fontFacts: facts, options }
}
