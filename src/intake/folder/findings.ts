import { type Finding, type Problem, RULES, type RuleId, type RuleLevel } from '#brand/finding.ts'
import { compareStrings } from '#platform/base/text.ts'
import { withDifference } from './look-alikes.ts'

export type Findings = {
  /** Adds problems about a file, whose path is relative to the brand folder. */
  add: (project: string | null, path: string, ...problems: readonly Problem[]) => void
  /** Sets the level of rules for one project; also applies to earlier findings. */
  setLevels: (project: string, levels: ReadonlyMap<RuleId, RuleLevel>) => void
  hasError: (project: string | null) => boolean
  /** All findings except consequences of others: causes first, each group by path, line and rule. */
  list: () => Finding[]
}

export function collectFindings(): Findings {
  const findings: Found[] = []
  const levelsOf = new Map<string, ReadonlyMap<RuleId, RuleLevel>>()
  const severityOf = ({ project, rule, severity }: Finding) =>
    (project === null ? undefined : levelsOf.get(project)?.get(rule)) ?? severity
  return {
    add: (project, path, ...problems) => {
      for (const { rule, line, message, ...rest } of problems) {
        const { severity } = RULES[rule]
        findings.push({ severity, rule, project, path, line, message: flattenString(withDifference(message)), ...rest })
      }
    },
    setLevels: (project, levels) => void levelsOf.set(project, levels),
    hasError: project => {
      const errors = findings.filter(finding => finding.project === project && severityOf(finding) === 'error')
      const broken = brokenBy(errors.length > 0 ? findings : [])
      return errors.some(finding => !causeOf(finding, broken)?.breaks?.isHarmless)
    },
    list: () => {
      const reported = findings.flatMap(finding => {
        const severity = severityOf(finding)
        return severity === 'off' ? [] : [{ ...finding, severity }]
      })
      const { causes, others } = causesOf(reported)
      return limitPerFile([...causes.sort(findingOrder), ...others.sort(findingOrder)])
    },
  }
}

/** Limits the findings per file, errors first. A last finding counts the rest, and is an error if one of them is. */
function limitPerFile(findings: readonly Finding[]): Finding[] {
  const groups = [...Map.groupBy(findings, ({ path }) => path).values()].filter(({ length }) => length > MAX_PER_FILE)
  if (groups.length === 0) return [...findings]
  const left = new Set<Finding>()
  const last = new Map<Finding, Finding>()
  for (const group of groups) {
    const errors = group.filter(({ severity }) => severity === 'error')
    const warnings = group.filter(({ severity }) => severity === 'warning')
    const kept = new Set([...errors, ...warnings].slice(0, MAX_PER_FILE))
    const rest = group.filter(each => !kept.has(each))
    for (const each of rest) left.add(each)
    const [first] = rest
    const severity = rest.some(each => each.severity === 'error') ? 'error' : 'warning'
    const message = `and ${rest.length} more findings in this file; fix those above, then check again`
    if (first) last.set(first, { ...first, severity, line: null, message })
  }
  return findings.flatMap(each => last.get(each) ?? (left.has(each) ? [] : each))
}

/** More findings for one file would not help. */
const MAX_PER_FILE = 100

/** Copies a string: V8 keeps the parts of concatenated strings, which takes more memory if there are many findings. */
function flattenString(text: string): string {
  return Buffer.from(text).toString()
}

/** Wraps findings so that each added problem is marked as breaking this file; the path is relative to the project. */
export function breakingFindings(findings: Findings, path: string): Findings {
  const breaks = { paths: [path] }
  const add: Findings['add'] = (project, at, ...problems) =>
    findings.add(project, at, ...problems.map(each => ({ ...each, breaks })))
  return { ...findings, add }
}

/** A problem with a line, or with the whole file. */
export function problem(rule: RuleId, message: string, line: number | null = null): Problem {
  return { rule, line, message }
}

function findingOrder(a: Finding, b: Finding): number {
  return (
    compareStrings(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareStrings(a.rule, b.rule) ||
    compareStrings(a.message, b.message)
  )
}

/** A finding, and the files that its problem breaks or misses. */
type Found = Finding & Pick<Problem, 'missing' | 'breaks'>

/**
 * Separates findings that cause other findings, and drops the consequences: for example, a style is missing because its
 * list or entry has an error. A cause becomes an error if one of its consequences is an error. An empty list is
 * reported only as a cause.
 */
function causesOf(findings: readonly Found[]): { causes: Finding[]; others: Finding[] } {
  const broken = brokenBy(findings)
  const hasErrors = new Map<Found, boolean>()
  const rest = findings.filter(finding => {
    const cause = causeOf(finding, broken)
    if (cause)
      hasErrors.set(cause, hasErrors.get(cause) === true || (!cause.breaks?.isHarmless && finding.severity === 'error'))
    return !cause
  })
  const causes = rest.flatMap(finding => {
    const hasError = hasErrors.get(finding)
    return hasError === undefined ? [] : [{ ...plain(finding), ...(hasError && { severity: 'error' as const }) }]
  })
  return { causes, others: rest.filter(each => !hasErrors.has(each) && each.rule !== 'styles-empty').map(plain) }
}

/** The first finding that breaks a file, or a style in it. */
function brokenBy(findings: readonly Found[]): ReadonlyMap<string, Found> {
  const broken = new Map<string, Found>()
  for (const finding of findings) {
    const { paths = [], ids = [ALL] } = finding.breaks ?? {}
    for (const path of paths)
      for (const id of [ANY, ...ids]) {
        const key = idKey(finding, path, id)
        if (!broken.has(key)) broken.set(key, finding)
      }
  }
  return broken
}

function causeOf(finding: Found, broken: ReadonlyMap<string, Found>): Found | undefined {
  if (!finding.missing) return undefined
  const { path, id = ANY } = finding.missing
  const keys = [finding, { project: null }].flatMap(of => [idKey(of, path, id), idKey(of, path, ALL)])
  return keys.map(key => broken.get(key)).find(cause => cause !== undefined)
}

/** Neither value is a valid style id. */
const [ANY, ALL] = ['?', '*'] as const

function idKey({ project }: Pick<Finding, 'project'>, path: string, id: string): string {
  return JSON.stringify([project, path, id])
}

function plain({ missing, breaks, ...finding }: Found): Finding {
  return finding
}
