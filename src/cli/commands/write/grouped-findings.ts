import { join } from 'node:path'
import type { Finding } from '../../../brand/finding.ts'
import type { Io } from '../../io.ts'
import { findingLine } from '../../output/findings.ts'
import { paint, visible } from '../../output/text.ts'
import { readPlainFile } from '../../settings/plain-file.ts'

/**
 * Findings for a terminal: file by file, those with errors first, and below each finding the text of its line.
 *
 * @param findings with paths relative to the folder
 * @param shownPath formats a path
 */
export function groupedFindings(
  findings: readonly Finding[],
  folder: string,
  shownPath: (finding: Finding) => string,
  io: Pick<Io, 'columns' | 'hasColor'>,
): string {
  const files = [...Map.groupBy(findings, ({ path }) => path)].map(([path, group]) => {
    return { path, group: group.toSorted(byError), hasError: group.some(isError) }
  })
  files.sort((a, b) => Number(b.hasError) - Number(a.hasError))
  return files.map(({ path, group }) => groupText(join(folder, path), group, shownPath, io)).join('\n')
}

function groupText(
  path: string,
  group: readonly Finding[],
  shownPath: (finding: Finding) => string,
  { columns, hasColor }: Pick<Io, 'columns' | 'hasColor'>,
): string {
  const lines = group.some(({ line }) => line !== null) ? linesOf(path) : []
  const texts = group.map(finding => {
    const text = finding.line === null ? '' : visible((lines[finding.line - 1] ?? '').trim())
    const cut = [...text].slice(0, Math.max(20, columns - MARGIN.length)).join('')
    const shown = findingLine({ ...finding, path: shownPath(finding) }, hasColor.out)
    return cut === '' ? shown : `${shown}${MARGIN}${paint(hasColor.out, 'dim', cut)}\n`
  })
  const heading = group[0] ? visible(shownPath(group[0])) : ''
  return `${paint(hasColor.out, 'bold', heading)}\n${texts.map(text => `  ${text}`).join('')}`
}

const MARGIN = '      '

/** The lines of a file; empty if it can no longer be read. */
function linesOf(path: string): string[] {
  try {
    return readPlainFile(path).split(/\r?\n|\r/)
  } catch {
    return []
  }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

function byError(a: Finding, b: Finding): number {
  return Number(isError(b)) - Number(isError(a))
}
