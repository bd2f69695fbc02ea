import type { LintRuleId } from '../brand/lint-rules.ts'
import type { Place } from './use.ts'

/** One finding per file, rule and value, at the first place. Fields that do not apply are absent. */
export type LintFinding = {
  severity: 'error' | 'warning'
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
    message: string
    /** The value in one form, such as the resolved colour, by which a baseline knows it. No output shows it. */
    value: string
    /** The number of places in the file. */
    count: number
  }
