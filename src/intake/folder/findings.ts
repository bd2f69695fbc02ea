import { type Finding, type Problem, RULES, type RuleId, type RuleLevel } from '#brand/finding.ts'
import { lazy } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import { withDifference } from './look-alikes.ts'

export type Findings = {
  /** Adds problems about a file, whose path is relative to the brand folder. */
  add: (project: string | null, path: string, ...problems: readonly Problem[]) => void
  /** Sets the level of rules for one project; also applies to earlier findings. */
  setLevels: (project: string, levels: ReadonlyMap<RuleId, RuleLevel>) => void
  /** Whether an error keeps this project from its draft; null: whether one keeps the whole folder from its import. */
  hasError: (project: string | null) => boolean
  /** All findings except consequences of others: causes first, each group by path, line and rule. */
  list: () => Finding[]
}

/** Collects the findings of one read of a brand folder. */
export function collectFindings(): Findings {
  const findings: RawFinding[] = []
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
      const broken = lazy(() => brokenBy(findings))
      // A logo that did not arrive from Git LFS is harmless, and so is the error of the setting that names it.
      return errors.some(finding => !causeOf(finding, broken())?.breaks?.isHarmless)
    },
    list: () => {
      const enabled = findings.flatMap(finding => {
        const severity = severityOf(finding)
        return severity === 'off' ? [] : [{ ...finding, severity }]
      })
      const { causes, others } = causesOf(enabled)
      return limitPerFile([...causes.sort(findingOrder), ...others.sort(findingOrder)])
    },
  }
}

/**
 * Keeps at most `MAX_PER_FILE` findings of each file, errors before warnings, in the given order. One more finding
 * replaces the first omitted one and counts all of them. It is an error if one of them is.
 */
function limitPerFile(findings: readonly Finding[]): Finding[] {
  /** The findings that replace each omitted one: none, or the finding that counts them. */
  const replacements = new Map<Finding, readonly Finding[]>()
  for (const ofFile of Map.groupBy(findings, ({ path }) => path).values()) {
    const errors = ofFile.filter(({ severity }) => severity === 'error')
    const warnings = ofFile.filter(({ severity }) => severity === 'warning')
    const kept = new Set([...errors, ...warnings].slice(0, MAX_PER_FILE))
    const omitted = ofFile.filter(finding => !kept.has(finding))
    for (const finding of omitted) replacements.set(finding, [])
    const [first] = omitted
    const severity = omitted.some(finding => finding.severity === 'error') ? 'error' : 'warning'
    const message = `and ${omitted.length} more findings in this file; fix those above, then check again`
    if (first) replacements.set(first, [{ ...first, severity, line: null, message }])
  }
  return findings.flatMap(finding => replacements.get(finding) ?? finding)
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

/** A finding with the files that its problem breaks or misses, which readers of findings do not get. */
type RawFinding = Finding & Pick<Problem, 'missing' | 'breaks'>

function withoutFiles({ missing, breaks, ...finding }: RawFinding): Finding {
  return finding
}

/**
 * Separates the findings that cause others, and drops the consequences. For example, a mistake in styles/colors.yaml is
 * the cause of each reference to a missing colour. A cause becomes an error if one of its consequences is an error,
 * unless it is harmless. An empty list of styles is reported only as a cause.
 */
function causesOf(findings: readonly RawFinding[]): { causes: Finding[]; others: Finding[] } {
  const broken = brokenBy(findings)
  const causes = new Set<RawFinding>()
  const causesOfErrors = new Set<RawFinding>()
  const remaining = findings.filter(finding => {
    const cause = causeOf(finding, broken)
    if (!cause) return true
    causes.add(cause)
    if (finding.severity === 'error' && !cause.breaks?.isHarmless) causesOfErrors.add(cause)
    return false
  })
  return {
    // A cause may be a consequence itself, and is then not among the remaining findings.
    causes: remaining
      .filter(finding => causes.has(finding))
      .map(finding => (causesOfErrors.has(finding) ? { ...finding, severity: 'error' as const } : finding))
      .map(withoutFiles),
    others: remaining.filter(finding => !causes.has(finding) && finding.rule !== 'styles-empty').map(withoutFiles),
  }
}

/** The first finding that breaks each file, or each style in it, by `partKey`. */
function brokenBy(findings: readonly RawFinding[]): ReadonlyMap<string, RawFinding> {
  const broken = new Map<string, RawFinding>()
  for (const finding of findings) {
    const { paths = [], ids = [WHOLE_FILE] } = finding.breaks ?? {}
    for (const path of paths)
      for (const part of [SOME_PART, ...ids]) {
        const key = partKey(finding.project, path, part)
        if (!broken.has(key)) broken.set(key, finding)
      }
  }
  return broken
}

/**
 * The finding that explains why something is missing; undefined if none does. A missing style is explained by a problem
 * with that style or with the whole list; a missing file by any problem in it.
 */
function causeOf(finding: RawFinding, broken: ReadonlyMap<string, RawFinding>): RawFinding | undefined {
  if (!finding.missing) return undefined
  const { path, id = SOME_PART } = finding.missing
  // A problem of the brand folder, such as a list of colours next to the projects, may break a file of any project.
  const keys = [finding.project, null].flatMap(project => [
    partKey(project, path, id),
    partKey(project, path, WHOLE_FILE),
  ])
  return keys.map(key => broken.get(key)).find(cause => cause !== undefined)
}

/** Stand in a key for at least one style of a file, and for all of it. Neither is a valid style id. */
const SOME_PART = '?'
const WHOLE_FILE = '*'

function partKey(project: string | null, path: string, part: string): string {
  return JSON.stringify([project, path, part])
}
