import { compareStrings } from '../../base/text.ts'
import { type Finding, type Problem, RULES, type RuleId, type RuleLevel } from '../../brand/finding.ts'
import { causesOf, type Found } from './causes.ts'

/** The findings of a brand folder, as they are collected. */
export type Findings = {
  /** Adds problems about a file, whose path is relative to the brand folder. */
  add: (project: string | null, path: string, ...problems: readonly Problem[]) => void
  /** Sets the level of rules for one project, also for what was found before. */
  setLevels: (project: string, levels: ReadonlyMap<RuleId, RuleLevel>) => void
  /** Whether a project has an error. */
  hasError: (project: string | null) => boolean
  /**
   * All findings except consequences of others: first causes of such consequences, then by path, line and
   * rule. The order does not depend on the order of reading.
   */
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
        findings.push({ severity, rule, project, path, line, message: inOnePiece(message), ...rest })
      }
    },
    setLevels: (project, levels) => void levelsOf.set(project, levels),
    hasError: project => findings.some(finding => finding.project === project && severityOf(finding) === 'error'),
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

/**
 * At most so many findings of each file, errors before warnings; the last one then says how many more there are, and is
 * an error if one of those is.
 */
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
    const message = `and ${rest.length} more findings of this file; correct those above, and check again`
    if (first) last.set(first, { ...first, severity, line: null, message })
  }
  return findings.flatMap(each => last.get(each) ?? (left.has(each) ? [] : each))
}

/** More findings of one file help nobody. */
const MAX_PER_FILE = 100

/** V8 keeps the parts of a concatenated text, which take more memory than the text; some folders have many findings. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

/** Findings to which problems are added that keep a file from being read; its path is relative to the project. */
export function breakingFindings(findings: Findings, path: string): Findings {
  const breaks = { paths: [path] }
  const add: Findings['add'] = (project, at, ...problems) =>
    findings.add(project, at, ...problems.map(each => ({ ...each, breaks })))
  return { ...findings, add }
}

/** A problem about a line of a file, or about the whole file. */
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
