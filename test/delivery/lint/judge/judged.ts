import { NO_BRAND } from '#delivery/lint/brand-of.ts'
import { createJudge, type Judge } from '#delivery/lint/judge/judge.ts'
import type { LintBrand } from '#delivery/lint/lint-brand.ts'
import type { Use } from '#delivery/lint/use.ts'

/** A brand with nothing to compare with, and every rule on. */
export const EMPTY: LintBrand = { ...NO_BRAND, levels: { ...NO_BRAND.levels, 'color-literal': 'warning' } }

/** The judgement of uses in the file `a.css`, by a brand with some values. */
export function judged(
  uses: Iterable<Use>,
  brand: Partial<LintBrand> = {},
  options: Partial<Parameters<Judge>[1]> = {},
): ReturnType<Judge> {
  const usual = { path: 'a.css', variables: 'possible', wantsEdits: false, ignored: new Map() } as const
  return createJudge({ ...EMPTY, ...brand })(uses, { ...usual, ...options })
}

/** The problems of one use, without the fields that are the same for all. */
export function problemsOf(use: Use, brand: Partial<LintBrand>): object[] {
  const { findings } = judged([use], brand)
  return findings.map(({ path, severity, count, value, ...fields }) => fields)
}
