import { guideName } from '../serving/publications/publications.ts'
import type { ExportSource } from './format.ts'

/**
 * The lines at the head of an exported file: the guide, its state, and the omissions. Names in them are not escaped:
 * each format escapes the lines for its own syntax.
 */
export function headLines(source: ExportSource, leftOut: readonly string[]): string[] {
  const { publication, urls, isPublished } = source
  return [
    `${guideName(source)}, ${isPublished ? `revision ${publication.published.revision}` : 'draft'}`,
    `snapshot ${publication.published.snapshot}`,
    ...(urls ? [urls.project(publication.record)] : []),
    ...[...leftOut, ...source.unsupported].map(each => `left out: ${each}`),
  ]
}
