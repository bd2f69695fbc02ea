import { guideName } from '../serving/guide-name.ts'
import type { ExportSource } from './format.ts'

/**
 * What the head of an exported file says, a line each: the guide, which state of it this is, and what was left out. The
 * lines hold names as they were written: each format makes them harmless in its own syntax.
 */
export function headLines(source: ExportSource, leftOut: readonly string[]): string[] {
  const { publication, urls } = source
  return [
    `${guideName(source)}, ${stateOf(source)}`,
    `snapshot ${publication.published.snapshot}`,
    ...(urls ? [urls.project(publication.record)] : []),
    ...[...leftOut, ...source.unsupported].map(each => `left out: ${each}`),
  ]
}

/** `revision 3`, or `draft`. */
function stateOf({ publication, isPublished }: ExportSource): string {
  return isPublished ? `revision ${publication.published.revision}` : 'draft'
}
