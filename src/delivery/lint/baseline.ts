import { type JsonNode, parseJson } from '#formats/json/json.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { compareStrings } from '#platform/base/text.ts'
import type { LintFinding } from './finding.ts'

/** The entries of the findings that are accepted for now. */
export type Baseline = ReadonlySet<string>

/** The entry of a finding; its line and count may change. Undefined for an unreadable file, which none accepts. */
export function baselineEntry({ path, rule, value }: Pick<LintFinding, 'path' | 'rule' | 'value'>): string | undefined {
  return rule === 'unreadable' ? undefined : JSON.stringify({ path, rule, value })
}

/** The text of a baseline: JSON with one line for each entry, in order, so that changes are readable in git. */
export function baselineText(entries: Baseline): string {
  const lines = [...entries].sort(compareStrings).map(entry => `\n    ${entry}`)
  return `{\n  "version": 1,\n  "findings": [${lines.join(',')}\n  ]\n}\n`
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
