import type { Finding, Problem } from '#brand/finding.ts'

/** Problems as `rule line: message`, with any other fields as JSON at the end. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.map(({ rule, line, message, ...more }) => {
    const rest = Object.keys(more).length === 0 ? '' : ` ${JSON.stringify(more)}`
    return `${rule}${line === null ? '' : ` ${line}`}: ${message}${rest}`
  })
}

/** Findings as `path:line severity rule: message`. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ path, line, severity, rule, message }) => {
    return `${path}:${line ?? ''} ${severity} ${rule}: ${message}`
  })
}

/** The rule of a problem as above. */
export function ruleIn(problem: string): string {
  return problem.split(/[ :]/, 1).join()
}

/** Problems or findings as `rule line`. */
export function ruleLines(problems: readonly Pick<Problem, 'rule' | 'line'>[]): string[] {
  return problems.map(({ rule, line }) => `${rule} ${line ?? ''}`.trim())
}

/** The messages of problems or findings. */
export function messagesOf(problems: readonly Pick<Problem, 'message'>[]): string[] {
  return problems.map(({ message }) => message)
}
