import type { Edit } from '../../base/text.ts'
import type { LintRuleId } from '../../brand/lint-rules.ts'
import type { LintFinding } from '../finding.ts'
import type { Place, Use } from '../use.ts'

/** Compares a use with a brand; empty if the rule is not about it. */
export type Rule = (use: Use) => Iterable<Problem>

/** A problem in one place. The problems of a file that have the same rule and value become one finding. */
export type Problem = {
  rule: LintRuleId
  /** The value in one form, such as the resolved colour. */
  value: string
  /** The place, if it is not that of the use. */
  place?: Place | undefined
  /** The fields of the finding. Called for the first place only. */
  details: () => Details
  edit?: (usesVariables: boolean) => Edit | undefined
}

type Details = Pick<LintFinding, 'message' | 'deltaE' | 'ratio'> & {
  [Key in 'text' | 'found' | 'nearest' | 'write' | 'guide']?: string | undefined
}

/** A part of a file on one line, of at most 80 characters, without halves of characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 500)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return (line.length > 80 ? `${line.slice(0, 79)}…` : line).replace(/\p{Cs}/gu, '')
}
