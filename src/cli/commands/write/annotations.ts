import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { type Finding, RULES } from '../../../brand/finding.ts'
import { visible } from '../../output/text.ts'

/** A path that begins with the folder as the user typed it, so that terminals can open it. */
export function typedPath(path: string, folder: string): string {
  const typed = folder.replace(/\/+$/, '')
  const prefix = folder !== '' && typed === '' ? '/' : typed
  return below(prefix === '.' ? '' : prefix, path)
}

/** Findings with paths relative to the root of the folder's repository, if there is one, as annotations need them. */
export function relativeToRepository(findings: readonly Finding[], folder: string): Finding[] {
  const real = realpathSync(folder)
  const root = repositoryOf(real)
  const prefix = root === undefined ? '' : relative(root, real).replaceAll(sep, '/')
  return findings.map(finding => ({ ...finding, path: below(prefix, finding.path) }))
}

function below(prefix: string, path: string): string {
  if (prefix === '') return path
  if (path === '.') return prefix
  return prefix.endsWith('/') ? prefix + path : `${prefix}/${path}`
}

/** The nearest parent folder with `.git`, which is a file in a worktree. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return undefined
  }
}

/** Findings as a SARIF 2.1.0 log (OASIS), with all checked rules. */
export function sarifLog(findings: readonly Finding[]): object {
  const rules = Object.entries(RULES).map(([id, { severity, summary, fix }]) => ({
    id,
    shortDescription: { text: summary },
    help: { text: fix },
    defaultConfiguration: { level: severity },
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

function result({ severity, rule, path, line, message }: Finding, ruleIndex: number): object {
  const artifactLocation = {
    uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
    uriBaseId: ROOT,
  }
  const region = line === null ? {} : { region: { startLine: line } }
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, ...region } }],
  }
}

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
