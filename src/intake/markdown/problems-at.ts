import type { Problem, RuleId } from '#brand/finding.ts'
import { lineCounter } from '#platform/base/text.ts'
import { problem } from '../folder/findings.ts'

/** An offset of a page, and the message about it. */
export type Found = { at: number; message: string }

/** The problems of one rule at offsets of a page, in the order of the offsets, with their lines. */
export function problemsAt(text: string, rule: RuleId, found: readonly Found[]): Problem[] {
  const lineAt = lineCounter(text)
  return found.toSorted((a, b) => a.at - b.at).map(({ at, message }) => problem(rule, message, lineAt(at)))
}

/** The same, but only the first of each line. */
export function firstOnLines(text: string, rule: RuleId, found: readonly Found[]): Problem[] {
  const byLine = Map.groupBy(problemsAt(text, rule, found), ({ line }) => line)
  return Array.from(byLine.values()).flatMap(([first]) => first ?? [])
}
