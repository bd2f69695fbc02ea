import type { LintRuleId } from '#brand/lint-rules.ts'
import { pick, withoutUndefined } from '#platform/base/object.ts'
import type { Edit } from '#platform/base/text.ts'
import type { Fix, LintFinding, Problem, Rule } from '../finding.ts'
import type { IgnoredLines } from '../ignore.ts'
import type { LintBrand } from '../lint-brand.ts'
import type { FileUse, PictureUse, Place, Use, UseKind } from '../use.ts'
import { createBuildRule } from './builds.ts'
import { createColorRule, createSchemeRule } from './colors.ts'
import { contrastRule } from './contrast.ts'
import { createFontRule } from './fonts.ts'
import { createInkRule } from './inks.ts'
import { preflightRule } from './preflight.ts'
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
  /** The colours that stay because their difference would be lost, in sentences without their file. */
  left: string[]
  /** The files inside the file. */
  files: (FileUse & Place)[]
  /** The pictures that a page places, without those on ignored lines. */
  pictures: (PictureUse & Place)[]
}

/** Makes the judge of a brand: for each use in a file, it collects the problems of its rule, and the fixes of these. */
export function createJudge(brand: LintBrand): Judge {
  const rules = rulesOf(brand)
  return (uses, { path, variables, wantsEdits, ignored }) => {
    const findings = openFindings(path, brand.levels.unreadable)
    const fixes: Fix[] = []
    const files: Judgement['files'] = []
    const pictures: Judgement['pictures'] = []
    const colors = new Set<string>()
    // Where no variable can be written, a literal colour is right.
    const levels: LintBrand['levels'] =
      variables === 'none' ? { ...brand.levels, 'color-literal': 'off' } : brand.levels
    const isIgnored = ({ line = 0 }: Place, rule: LintRuleId) => ignored.get(line)?.has(rule) ?? false
    for (const use of uses) {
      if (use.kind === 'color') colors.add(use.color.hex)
      if (use.kind === 'file') files.push(use)
      if (use.kind === 'picture' && !isIgnored(use, 'logo-stretched')) pictures.push(use)
      for (const problem of problemsIn(rules, use.kind, use)) {
        const severity = levels[problem.rule]
        if (severity === 'off' || isIgnored(problem.place ?? use, problem.rule)) continue
        findings.add(use, problem, problem.isWarning && severity === 'error' ? 'warning' : severity)
        const fix = problem.edit?.(variables === 'used')
        if (fix && wantsEdits) fixes.push(fix)
      }
    }
    return { findings: findings.list(), ...safeFixes(fixes, colors), files, pictures }
  }
}

/** The rule for each kind of use. Files and pictures are compared later, all together, with the files of the brand. */
type Rules = { readonly [Kind in UseKind]: Rule<Kind> }

function rulesOf(brand: LintBrand): Rules {
  return {
    color: createColorRule(brand),
    scheme: createSchemeRule(brand),
    contrast: contrastRule,
    font: createFontRule(brand),
    type: createTypeRule(brand),
    words: createWordRule(brand),
    ink: createInkRule(brand),
    build: createBuildRule(brand),
    print: preflightRule,
    unreadable: ({ message }) => [unreadable(message)],
    file: () => [],
    picture: () => [],
  }
}

/** Calls the rule of a kind: in a function of its own, so that TypeScript knows that both have the same kind. */
function problemsIn<Kind extends UseKind>(rules: Rules, kind: Kind, use: Use<Kind>): Iterable<Problem> {
  return rules[kind](use)
}

/**
 * The fixes that never make two colours of a file the same, and sentences about the others. `colors` are all colours of the
 * file: `#` and six digits each. A fix from a colour to itself writes its variable, and is always safe.
 */
function safeFixes(fixes: readonly Fix[], colors: ReadonlySet<string>): Pick<Judgement, 'edits' | 'left'> {
  const fixesByTarget = Map.groupBy(
    fixes.filter(({ from, to }) => from !== to),
    ({ to }) => to,
  )
  const sourcesByTarget = fixesByTarget
    .entries()
    .map(([to, ownFixes]) => [to, new Set(ownFixes.map(({ from }) => from))] as const)
  // The targets that several colours would become, or that the file has already.
  const unsafeTargets = new Map(sourcesByTarget.filter(([to, { size }]) => size > 1 || colors.has(to)))
  const left = Array.from(unsafeTargets, ([to, from]) => {
    const why = colors.has(to) ? `which the file has, too` : 'and no longer differ'
    return `${[...from].join(' and ')} would become ${to}, ${why}, so --fix leaves ${from.size > 1 ? 'them' : 'it'}: write ${to} where it is right`
  })
  const edits = fixes.filter(({ from, to }) => from === to || !unsafeTargets.has(to))
  return { edits: edits.map(fix => pick(fix, ['start', 'end', 'text'])), left }
}

/** Collects the findings of a file. A problem that was found before only adds to its count. */
function openFindings(path: string, severityBeyondLimit: LintFinding['severity']) {
  const findings = new Map<string, LintFinding>()
  const add = (use: Place, problem: Problem, severity: LintFinding['severity']) => {
    const key = problemKey(problem)
    const finding = findings.get(key)
    if (finding) finding.count++
    // Beyond the limit, only this one problem is added, once.
    else if (findings.size >= MAX_FINDINGS && problem !== TOO_MANY) add(use, TOO_MANY, severityBeyondLimit)
    else findings.set(key, findingOf(use, problem, path, severity))
  }
  return { add, list: () => [...findings.values()] }
}

/** The key of a finding: problems with the same rule and value are one. */
function problemKey({ rule, value }: Problem): string {
  return `${rule} ${value}`
}

/** The most findings of a file; one more says that there are others. */
const MAX_FINDINGS = 10_000

const TOO_MANY = unreadable(
  `has more than ${MAX_FINDINGS} findings; the others are left out: correct some, and try again`,
)

function unreadable(message: string): Problem {
  return { rule: 'unreadable', value: message, details: () => ({ message }) }
}

function findingOf(
  use: Place,
  { rule, value, place = use, details }: Problem,
  path: string,
  severity: LintFinding['severity'],
): LintFinding {
  const at = pick(place, ['line', 'column', 'slide', 'page', 'shape'])
  return { severity, rule, path, ...at, ...withoutUndefined(details()), count: 1, value }
}
