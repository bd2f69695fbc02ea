import { posix } from 'node:path'
import { failed, ok, type Result } from '../base/result.ts'
import { compareStrings } from '../base/text.ts'
import type { LintFinding } from './finding.ts'
import { type JsonNode, parseJson } from './tokens/json.ts'

/** The findings that are accepted for now, by file, rule and value; lines and counts may change. */
export type Baseline = ReadonlySet<string>

/** The text of a baseline: JSON with one line for each entry, in order, so that changes are readable in git. */
export function baselineOf(findings: readonly LintFinding[]): string {
  const entries = [...new Set(findings.filter(isBaselined).map(entryOf))].sort(compareStrings)
  return `{\n  "version": 1,\n  "findings": [${entries.map(entry => `\n    ${entry}`).join(',')}\n  ]\n}\n`
}

/** Reads a baseline. The problem ends a sentence. */
export function parseBaseline(text: string): Result<Baseline, string> {
  const json = parseJson(text.replace(/^\ufeff/, ''))
  if (!json.ok) return json
  const { members } = json.value
  const entries = members.get('findings')
  if (members.get('version')?.scalar !== 1 || !entries)
    return failed('is not a baseline of this version of housestyle: write it again with --write-baseline')
  const valuesOf = (entry: JsonNode) => ['path', 'rule', 'value'].map(key => [key, entry.members.get(key)?.scalar])
  return ok(new Set(entries.members.values().map(entry => JSON.stringify(Object.fromEntries(valuesOf(entry))))))
}

/** The findings that a baseline does not have. */
export function withoutBaselined(findings: readonly LintFinding[], baseline: Baseline): LintFinding[] {
  return findings.filter(finding => !isBaselined(finding) || !baseline.has(entryOf(finding)))
}

/** Nothing is known about a file that cannot be read, so a baseline never accepts it. */
function isBaselined({ rule }: LintFinding): boolean {
  return rule !== 'unreadable'
}

function entryOf({ path, rule, found = '' }: LintFinding): string {
  const value = found.replace(/#[0-9a-f]{3,8}\b/gi, hex => hex.toLowerCase())
  return JSON.stringify({ path: posix.normalize(path.replaceAll('\\', '/')), rule, value })
}
