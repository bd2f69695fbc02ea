import type { Finding, Problem } from '../../brand/finding.ts'

/** A finding, and the files that its problem breaks or misses. */
export type Found = Finding & Pick<Problem, 'missing' | 'breaks'>

/**
 * Separates findings that cause other findings, and drops the consequences: for example, a style is missing because its
 * list or entry has an error. A cause becomes an error if one of its consequences is an error. An empty list is
 * reported only as a cause.
 */
export function causesOf(findings: readonly Found[]): { causes: Finding[]; others: Finding[] } {
  const broken = brokenBy(findings)
  const hasErrors = new Map<Found, boolean>()
  const rest = findings.filter(finding => {
    const cause = causeOf(finding, broken)
    if (cause) hasErrors.set(cause, hasErrors.get(cause) === true || finding.severity === 'error')
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
        const key = keyOf(finding, path, id)
        if (!broken.has(key)) broken.set(key, finding)
      }
  }
  return broken
}

function causeOf(finding: Found, broken: ReadonlyMap<string, Found>): Found | undefined {
  if (!finding.missing) return undefined
  const { path, id = ANY } = finding.missing
  const keys = [finding, { project: null }].flatMap(of => [keyOf(of, path, id), keyOf(of, path, ALL)])
  return keys.map(key => broken.get(key)).find(cause => cause !== undefined)
}

/** Neither value is a valid style id. */
const [ANY, ALL] = ['?', '*'] as const

function keyOf({ project }: Pick<Finding, 'project'>, path: string, id: string): string {
  return JSON.stringify([project, path, id])
}

function plain({ missing, breaks, ...finding }: Found): Finding {
  return finding
}
