import { textOrder } from '../../base/text.ts'
import { type Finding, type Problem, RULES, type RuleId } from '../../brand/finding.ts'

/** Collects what is found in a brand folder. */
export type Findings = {
  /** Adds problems about a file, whose path is relative to the brand folder. */
  add: (project: string | null, path: string, ...problems: readonly Problem[]) => void
  /** Whether a project has an error. */
  hasError: (project: string | null) => boolean
  /** All of them, by path, line and rule: the same in whatever order the folder was read. */
  list: () => Finding[]
}

/** An empty collection. */
export function collectFindings(): Findings {
  const findings: Finding[] = []
  return {
    add: (project, path, ...problems) => {
      for (const { rule, line, message } of problems)
        findings.push({ severity: RULES[rule].severity, rule, project, path, line, message: inOnePiece(message) })
    },
    hasError: project => findings.some(finding => finding.project === project && finding.severity === 'error'),
    list: () => findings.toSorted(findingOrder),
  }
}

/** A concatenated text keeps all its pieces in memory, which take more than itself; some folders have many findings. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

/** A problem about a whole file. */
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
