import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { LocatedFinding } from '../../output/output.ts'
import { visible } from '../../output/text.ts'

export type AnnotatedFinding = LocatedFinding & { column?: number }

type AnnotatedRules = Readonly<Record<string, { severity: string; summary: string; fix: string }>>

/** A path that begins with the folder as the user typed it, so that terminals can open it. */
export function typedPath(path: string, folder: string): string {
  const typed = folder.replace(/(?<!\/)\/+$/, '')
  // Of `/`, nothing is left.
  const prefix = folder !== '' && typed === '' ? '/' : typed
  return below(prefix === '.' ? '' : prefix, path)
}

/** Findings with paths relative to the root of the folder's repository, or else to the folder, as annotations need them. */
export function relativeToRepository<Each extends { path: string }>(findings: readonly Each[], folder: string): Each[] {
  const real = realpathSync(folder)
  const root = repositoryOf(real) ?? real
  const fromRoot = (path: string) => relative(root, resolve(real, path)).replaceAll(sep, '/') || '.'
  return findings.map(finding => ({ ...finding, path: fromRoot(finding.path) }))
}

/** Orders findings of a file: errors first. */
export function byError(a: Pick<AnnotatedFinding, 'severity'>, b: Pick<AnnotatedFinding, 'severity'>): number {
  return Number(b.severity === 'error') - Number(a.severity === 'error')
}

/** `brand` and `styles/x.yaml` become `brand/styles/x.yaml`. The path `.` is the folder itself. */
function below(prefix: string, path: string): string {
  if (prefix === '') return path
  if (path === '.') return prefix
  return prefix.endsWith('/') ? prefix + path : `${prefix}/${path}`
}

/** The nearest parent folder with `.git`, which is a file in a worktree. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** Findings as a SARIF 2.1.0 log (OASIS), with all checked rules. */
export function sarifLog(findings: readonly AnnotatedFinding[], table: AnnotatedRules): object {
  const rules = Object.entries(table).map(([id, { severity, summary, fix }]) => ({
    id,
    shortDescription: { text: summary },
    help: { text: fix },
    defaultConfiguration: severity === 'off' ? { enabled: false } : { level: severity },
  }))
  const ids = rules.map(({ id }) => id)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'housestyle', rules } },
        originalUriBaseIds: { [ROOT]: { description: { text: ROOT_TEXT } } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(finding => result(finding, ids.indexOf(finding.rule))),
      },
    ],
  }
}

const ROOT = '%SRCROOT%'
const ROOT_TEXT = 'The root of the repository, or the brand folder if there is no repository.'

function result({ severity, rule, path, line, column, message }: AnnotatedFinding, ruleIndex: number): object {
  const artifactLocation = {
    uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
    uriBaseId: ROOT,
  }
  const region =
    line === null ? {} : { region: { startLine: line, ...(column !== undefined && { startColumn: column }) } }
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, ...region } }],
  }
}

/** Findings as GitHub workflow commands, which become annotations of the lines. */
export function githubAnnotations(findings: readonly AnnotatedFinding[]): string {
  return findings
    .map(({ severity, path, line, column, rule, message }) => {
      const place = `${line === null ? '' : `,line=${line}`}${column === undefined ? '' : `,col=${column}`}`
      const properties = `file=${property(path)}${place},title=${property(rule)}`
      return `::${severity === 'note' ? 'notice' : severity} ${properties}::${data(message)}\n`
    })
    .join('')
}

/** The message of a workflow command, in which `%` begins an escape. Line ends are escaped by `visible`. */
function data(text: string): string {
  return visible(text).replaceAll('%', '%25')
}

/** A property of a workflow command, which ends at a colon or comma. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
