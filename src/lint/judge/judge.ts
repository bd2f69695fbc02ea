import { withoutUndefined } from '../../base/object.ts'
import type { Edit, LintFinding } from '../finding.ts'
import type { IgnoredLines } from '../ignore.ts'
import type { LintBrand } from '../lint-brand.ts'
import type { FileUse, Place, Use } from '../use.ts'
import { createColorRule } from './colors.ts'
import { contrastRule } from './contrast.ts'
import { createFontRule } from './fonts.ts'
import type { Details, Problem } from './problem.ts'
import { createTypeRule } from './types.ts'
import { createWordRule } from './words.ts'

/** Compares the uses of a file with a brand. `usesVariables` says whether the file already uses those of the brand. */
export type Judge = (
  uses: Iterable<Use> | AsyncIterable<Use>,
  options: { path: string; usesVariables?: boolean; wantsEdits?: boolean; ignored?: IgnoredLines },
) => Promise<Judgement>

/** Findings in the order of their first places, edits in that of the text, and the files inside the file. */
type Judgement = { findings: LintFinding[]; edits: Edit[]; files: (FileUse & Place)[] }

export function createJudge(brand: LintBrand): Judge {
  const made = [createColorRule, createFontRule, createTypeRule, createWordRule].map(create => create(brand))
  const rules = [contrastRule, unreadableRule, ...made]
  return async (uses, { path, usesVariables = false, wantsEdits = false, ignored }) => {
    const findings = new Map<string, LintFinding>()
    const [edits, files]: [Edit[], Judgement['files']] = [[], []]
    for await (const use of uses) {
      if (use.kind === 'file') files.push(use)
      for (const rule of rules)
        for (const problem of rule(use)) {
          const severity = brand.levels[problem.rule]
          if (severity === 'off' || (ignored && isIgnored(use, problem, ignored))) continue
          const key = `${problem.rule} ${problem.value}`
          const before = findings.get(key)
          if (before) before.count++
          else findings.set(key, findingOf(use, problem, path, severity))
          const edit = wantsEdits ? problem.edit?.(usesVariables) : undefined
          if (edit) edits.push(edit)
        }
    }
    return { findings: [...findings.values()], edits: inOrder(edits), files }
  }
}

function isIgnored(use: Place, { rule, details }: Problem, ignored: IgnoredLines): boolean {
  const { line = 0 } = { ...use, ...details().place }
  return ignored.get(line)?.has(rule) ?? false
}

function unreadableRule(use: Use): Problem[] {
  if (use.kind !== 'unreadable') return []
  return [{ rule: 'unreadable', value: use.message, details: () => ({ message: use.message }) }]
}

function findingOf(use: Place, { rule, details }: Problem, path: string, severity: 'error' | 'warning'): LintFinding {
  const { place, text, found, nearest, write, guide, deltaE, ratio, message } = details()
  const { line, column, slide, shape }: Place = { ...use, ...place }
  const values = { text, found, nearest, write, guide, deltaE, ratio, message } satisfies Record<
    Exclude<keyof Details, 'place'>,
    unknown
  >
  return withoutUndefined({ severity, rule, path, line, column, slide, shape, ...values, count: 1 })
}

/** Sorts edits; of those that overlap, the first remains. */
function inOrder(edits: readonly Edit[]): Edit[] {
  const apart: Edit[] = []
  for (const edit of edits.toSorted((a, b) => a.start - b.start))
    if (edit.start >= (apart.at(-1)?.end ?? 0)) apart.push(edit)
  return apart
}
