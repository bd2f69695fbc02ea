import { textOrder } from '../../base/text.ts'
import { type Finding, type Problem, RULES, type RuleId, type RuleLevel, STYLE_LISTS } from '../../brand/finding.ts'

/** The findings of a brand folder, as they are collected. */
export type Findings = {
  /** Adds problems about a file, whose path is relative to the brand folder. */
  add: (project: string | null, path: string, ...problems: readonly Problem[]) => void
  /** Sets the level of rules for one project, also for what was found before. */
  setLevels: (project: string, levels: ReadonlyMap<RuleId, RuleLevel>) => void
  /** Whether a project has an error. */
  hasError: (project: string | null) => boolean
  /** All findings by path, line and rule: the order does not depend on the order of reading. */
  list: () => Finding[]
}

export function collectFindings(): Findings {
  const findings: (Finding & Pick<Problem, 'list'>)[] = []
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
      const unread = new Set(findings.flatMap(finding => (UNREAD.has(finding.rule) ? (listOf(finding) ?? []) : [])))
      return findings
        .flatMap(({ list, ...finding }) => {
          const severity = severityOf(finding)
          const isDoubtful = list && unread.has(`${finding.project} ${list}`)
          return severity === 'off' || isDoubtful ? [] : [{ ...finding, severity }]
        })
        .sort(findingOrder)
    },
  }
}

/** What keeps all of a list from being read. */
const UNREAD: ReadonlySet<RuleId> = new Set([
  'unreadable',
  'changed-while-read',
  'too-large',
  'not-utf8',
  'yaml-syntax',
])

/** The list of styles that a finding is about, with its project. */
function listOf({ project, path }: Finding): string | undefined {
  const list = STYLE_LISTS.find(list => path === list || path.endsWith(`/${list}`))
  return list && `${project} ${list}`
}

/** V8 keeps the parts of a concatenated text, which take more memory than the text; some folders have many findings. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

/** A problem about a line of a file, or about the whole file. */
export function problem(rule: RuleId, message: string, line: number | null = null): Problem {
  return { rule, line, message }
}

function findingOrder(a: Finding, b: Finding): number {
  return (
    textOrder(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    textOrder(a.rule, b.rule) ||
    textOrder(a.message, b.message)
  )
}
