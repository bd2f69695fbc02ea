import type { LintLevel, LintRuleId } from '#brand/lint-rules.ts'
import { pick } from '#platform/base/object.ts'
import type { Edit } from '#platform/base/text.ts'
import type { Place, Use, UseKind } from './use.ts'

/** One finding per file, rule and value, at the first place. Fields that do not apply are absent. */
export type LintFinding = {
  severity: Exclude<LintLevel, 'off'>
  rule: LintRuleId
  /** As the user named it, with `/`. */
  path: string
} & Place & {
    /** An excerpt of the text around it. */
    text?: string
    /** The value as written. */
    found?: string
    /** The id of the nearest colour or type style. */
    nearest?: string
    /** What to write instead. */
    write?: string
    /** The id of the page that shows this colour, style or word. */
    guide?: string
    /** ΔE 2000 to the nearest colour, with two decimals. */
    deltaE?: number
    /** The contrast ratio from 1 to 21, with two decimals, rounded down. */
    ratio?: number
    /** The sum of the process inks of a build, in per cent. */
    total?: number
    message: string
    /** The value in one form, such as the resolved colour, by which a baseline knows it. No output shows it. */
    value: string
    /** The number of places in the file. */
    count: number
  }

/** Sums up the colours of a drawing that are not of the brand, if they are many, in one finding at the place of the first. */
export function withoutPalette(findings: readonly LintFinding[]): readonly LintFinding[] {
  const { off = [], other = [] } = Object.groupBy(findings, ({ rule }) => (rule === 'color-off' ? 'off' : 'other'))
  const [first] = off
  if (!first || off.length <= MAX_OFF) return findings
  const shown = off.slice(0, MAX_NAMED).map(({ found }) => found)
  const message = `${off.length} colours are not colours of the brand: ${shown.join(', ')} and others; use those of the brand`
  const count = off.reduce((sum, each) => sum + each.count, 0)
  return [{ ...pick(first, ['severity', 'rule', 'path', 'line', 'column', 'value']), message, count }, ...other]
}

/** More colours are another palette, which one finding says better. */
const MAX_OFF = 12
const MAX_NAMED = 5

/** Compares a use of one kind with a brand. */
export type Rule<Kind extends UseKind> = (use: Use<Kind>) => Iterable<Problem>

/** A problem in one place. The problems of a file that have the same rule and value become one finding. */
export type Problem = {
  rule: LintRuleId
  /** The value in one form, such as the resolved colour. */
  value: string
  /** The place, if it is not that of the use. */
  place?: Place | undefined
  /** It is a warning at most. */
  isWarning?: boolean
  /** The fields of the finding. Called for the first place only. */
  details: () => Details
  edit?: (usesVariables: boolean) => Fix | undefined
}

/** An edit that replaces a colour by one of the brand, both as `#` and six digits. */
export type Fix = Edit & { from: string; to: string }

type Details = Pick<LintFinding, 'message' | 'deltaE' | 'ratio' | 'total'> & {
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
