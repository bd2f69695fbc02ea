import { LINT_RULES } from '../../../brand/lint-rules.ts'
import type { LintFinding } from '../../../lint/finding.ts'
import { findingLine } from '../../output/output.ts'
import type { AnnotatedFinding, AnnotatedRules } from '../write/annotations.ts'

/** The rules of SARIF. */
export const SARIF_RULES: AnnotatedRules = Object.fromEntries(
  Object.entries(LINT_RULES).map(([id, { level, ...rule }]) => [id, { severity: level, ...rule }]),
)

/** A finding as an annotation: its message also says where it is in a deck, and how often it occurs. */
export function annotated({ severity, rule, path, line, column, ...finding }: LintFinding): AnnotatedFinding {
  const message = messageOf(finding)
  return { severity, rule, path, line: line ?? null, ...(column !== undefined && { column }), message }
}

/** A finding as a line, as `check` prints it. */
export function lintLine(finding: LintFinding, hasColor: boolean): string {
  return findingLine(annotated(finding), hasColor)
}

function messageOf({ slide, shape, message, count }: Pick<LintFinding, 'slide' | 'shape' | 'message' | 'count'>) {
  const place = [slide === undefined ? '' : `slide ${slide}`, shape === undefined ? '' : `"${shape}"`].filter(Boolean)
  const times = count === 1 ? '' : ` (${count} times)`
  return `${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${times}`
}

/** The findings for a comment in a pull request: a list for each file, errors first; at most 60,000 characters. */
export function markdownReport(findings: readonly LintFinding[]): string {
  const files = [...Map.groupBy(findings, ({ path }) => path)]
  const lines = files.flatMap(([path, ofFile]) => [
    `\n### ${code(path)}\n\n`,
    ...ofFile.toSorted(byError).map(finding => `${itemOf(finding)}\n`),
  ])
  if (lines.length === 0) return 'On brand: nothing found.\n'
  let text = ''
  let left = findings.length
  for (const line of lines) {
    if (text.length + line.length > MAX_CHARACTERS) break
    text += line
    if (line.startsWith('- ')) left--
  }
  return left === 0 ? text.trimStart() : `${text.trimStart()}\n${left} more findings are left out here.\n`
}

/** GitHub's limit for a comment is 65,536; the rest is for the last line, and for what others add. */
const MAX_CHARACTERS = 59_900

function byError(a: LintFinding, b: LintFinding): number {
  return Number(b.severity === 'error') - Number(a.severity === 'error')
}

/** Values from files are code, so that they cannot become markup. */
function itemOf({ severity, rule, line, guide, ...finding }: LintFinding): string {
  const place = line === undefined ? '' : `line ${line}, `
  const page = guide === undefined ? '' : `; see page ${code(guide)}`
  return `- ${severity === 'error' ? '**error**' : severity} ${place}${rule}: ${code(messageOf(finding))}${page}`
}

/** Inline code that its text cannot end (CommonMark §6.1). */
function code(text: string): string {
  const shown = text.replace(/\s+/g, ' ').slice(0, 500)
  const fence = '`'.repeat(Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length)) + 1)
  return `${fence} ${shown} ${fence}`
}
