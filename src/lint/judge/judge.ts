import { pick, withoutUndefined } from '../../base/object.ts'
import type { Edit } from '../../base/text.ts'
import type { LintFinding } from '../finding.ts'
import type { IgnoredLines } from '../ignore.ts'
import type { LintBrand } from '../lint-brand.ts'
import type { FileUse, Place, Use } from '../use.ts'
import { createColorRule } from './colors.ts'
import { contrastRule } from './contrast.ts'
import { createFontRule } from './fonts.ts'
import type { Problem } from './problem.ts'
import { createTypeRule } from './types.ts'
import { createWordRule } from './words.ts'

/** Whether a file may use variables of the brand, and whether it does already. */
export type VariableUse = 'none' | 'possible' | 'used'

/** Compares the uses of a file with a brand. */
export type Judge = (
  uses: Iterable<Use>,
  options: { path: string; variables: VariableUse; wantsEdits: boolean; ignored: IgnoredLines },
) => Judgement

/** What a file says, compared with a brand. */
export type Judgement = {
  /** In the order of their first places, with the path of the options. */
  findings: LintFinding[]
  /** Replacements that make almost right colours right. They may overlap, where a place is read twice. */
  edits: Edit[]
  /** The files inside the file. */
  files: (FileUse & Place)[]
}

export function createJudge(brand: LintBrand): Judge {
  const made = [createColorRule, createFontRule, createTypeRule, createWordRule].map(create => create(brand))
  const rules = [contrastRule, unreadableRule, ...made]
  return (uses, { path, variables, wantsEdits, ignored }) => {
    const findings = new Map<string, LintFinding>()
    const add = (use: Place, problem: Problem, severity: LintFinding['severity']) => {
      const before = findings.get(keyOf(problem))
      if (before) before.count++
      else if (findings.size >= MAX_FINDINGS && problem !== TOO_MANY) add(use, TOO_MANY, brand.levels.unreadable)
      else findings.set(keyOf(problem), findingOf(use, problem, path, severity))
    }
    const [edits, files]: [Edit[], Judgement['files']] = [[], []]
    for (const use of uses) {
      if (use.kind === 'file') files.push(use)
      for (const rule of rules)
        for (const problem of rule(use)) {
          const severity = brand.levels[problem.rule]
          if (severity === 'off' || (problem.rule === 'color-literal' && variables === 'none')) continue
          if (isIgnored(use, problem, ignored)) continue
          add(use, problem, severity)
          const edit = wantsEdits ? problem.edit?.(variables === 'used') : undefined
          if (edit) edits.push(edit)
        }
    }
    return { findings: [...findings.values()], edits, files }
  }
}

function keyOf({ rule, value }: Problem): string {
  return `${rule} ${value}`
}

/** The most findings of a file; one more says that there are others. */
const MAX_FINDINGS = 10_000

const TOO_MANY = unreadable(
  `has more than ${MAX_FINDINGS} findings; the others are left out: correct some, and try again`,
)

function isIgnored(use: Place, { rule, place }: Problem, ignored: IgnoredLines): boolean {
  const { line = 0 } = place ?? use
  return ignored.get(line)?.has(rule) ?? false
}

function unreadableRule(use: Use): Problem[] {
  return use.kind === 'unreadable' ? [unreadable(use.message)] : []
}

function unreadable(message: string): Problem {
  return { rule: 'unreadable', value: message, details: () => ({ message }) }
}

function findingOf(
  use: Place,
  { rule, value, place = use, details }: Problem,
  path: string,
  severity: 'error' | 'warning',
): LintFinding {
  const at = pick(place, ['line', 'column', 'slide', 'shape'])
  return { severity, rule, path, ...at, ...withoutUndefined(details()), count: 1, value }
}
