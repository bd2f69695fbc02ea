import { isDeepStrictEqual } from 'node:util'
import { formatHex8, parse } from 'culori'
import type { LintFinding } from '#delivery/lint/finding.ts'

/** A finding that a file of the corpus must give. Absent fields, such as a line or a count, may have any value. */
export type ExpectedFinding = {
  path: string
  rule: string
  /** Empty if the finding has no value. */
  found: string
} & Pick<LintFinding, 'line' | 'slide' | 'page' | 'nearest' | 'write' | 'total'> &
  Partial<Pick<LintFinding, 'severity' | 'count'>>

/** The findings that the corpus expects and lint does not report, and the ones that it reports and nobody expects. */
export type Comparison = { missing: readonly ExpectedFinding[]; wrong: readonly LintFinding[] }

/** Compares reported findings with expected ones, one to one. A wrong place or count is both missing and wrong. */
export function compareFindings(expected: readonly ExpectedFinding[], reported: readonly LintFinding[]): Comparison {
  const wrong = [...reported]
  const missing = expected.filter(entry => {
    const index = wrong.findIndex(finding => isSame(entry, finding))
    if (index >= 0) wrong.splice(index, 1)
    return index < 0
  })
  return { missing, wrong }
}

function isSame({ path, rule, found, ...others }: ExpectedFinding, finding: LintFinding): boolean {
  const value = (text: string) => normalised(rule, text)
  return (
    path === finding.path &&
    rule === finding.rule &&
    value(found) === value(finding.found ?? '') &&
    isDeepStrictEqual({ ...finding, ...others }, finding)
  )
}

/** A value that is the same for all ways to write it: `#F00`, `FF0000` and `red`, or `12pt` and `16px`. */
function normalised(rule: string, text: string): string {
  const plain = text.toLowerCase().replace(/\s+/g, ' ').trim()
  if (rule.startsWith('color-')) {
    const color = parse(/^[\da-f]{6}$/.test(plain) ? `#${plain}` : plain)
    return color ? formatHex8(color) : plain
  }
  if (rule === 'type-near') {
    const points = /^([\d.]+)pt$/.exec(plain)?.[1]
    return points === undefined ? plain : `${Math.round((Number(points) * 400) / 3) / 100}px`
  }
  return plain
}
