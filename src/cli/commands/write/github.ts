import type { Finding } from '../../../brand/finding.ts'
import { visible } from '../../output/text.ts'

/** Findings as GitHub workflow commands, which become annotations of the lines. */
export function githubAnnotations(findings: readonly Finding[]): string {
  return findings
    .map(({ severity, path, line, rule, message }) => {
      const properties = `file=${property(path)}${line === null ? '' : `,line=${line}`},title=${property(rule)}`
      return `::${severity} ${properties}::${data(message)}\n`
    })
    .join('')
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
