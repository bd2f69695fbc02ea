import { pluralize } from '../../base/text.ts'
import type { Finding } from '../../brand/finding.ts'
import type { Io } from '../io.ts'
import { paint, visible } from './text.ts'

/** Prints findings and their number on stderr. */
export function printFindings(findings: readonly Finding[], io: Io): void {
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  if (findings.length > 0) io.err(`${findingSummary(findings)}\n`)
}

/** A finding as a line: `path:line severity rule message`. The line is 1 if the finding concerns a whole file. */
export function findingLine({ path, line, severity, rule, message }: Finding, hasColor: boolean): string {
  const color = severity === 'error' ? 'red' : 'yellow'
  return `${visible(path)}:${line ?? 1} ${paint(hasColor, color, severity)} ${rule} ${visible(message)}\n`
}

/** `1 error, 2 warnings`, or `no problems`. */
export function findingSummary(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  if (findings.length === 0) return 'no problems'
  if (warnings === 0) return pluralize(errors, 'error')
  if (errors === 0) return pluralize(warnings, 'warning')
  return `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}
