import type { Problem } from '#brand/finding.ts'
import { tomlValue } from '#formats/toml/toml.ts'
import { errorMessage } from '#platform/base/error.ts'
import { normalText } from '#platform/base/text.ts'
import { type SplitPage, splitOtherFormat } from './front-matter.ts'

/** Splits a page with front matter in TOML or JSON (Hugo), which becomes YAML on the same lines; else undefined. */
export function splitOtherFrontMatter(page: string): (SplitPage & { problem?: Problem }) | undefined {
  const text = normalText(page)
  const other = splitOtherFormat(text)
  if (!other) return undefined
  const { format, ...split } = other
  try {
    const values: unknown = format === 'TOML' ? tomlValue(split.yaml) : JSON.parse(split.yaml)
    return { ...split, yaml: asYaml(values, split.yaml) }
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n')
    const message = `the front matter is ${format} that cannot be read (${reason}); correct it, or write YAML between --- lines`
    return { ...split, yaml: '', problem: { rule: 'yaml-syntax', line: 1, message } }
  }
}

/**
 * A YAML mapping in braces, with each value as JSON on the line on which its key first appears in `text`, so that findings
 * have the right lines.
 */
function asYaml(values: unknown, text: string): string {
  const lines = text.split('\n')
  const entries = lines.map(() => '')
  for (const [key, value] of Object.entries(Object(values))) {
    // `key =`, `"key":`, `[key]` or `key.name =`
    const keyPattern = new RegExp(`(?<![^\\s[{,"'])${RegExp.escape(key)}["']?\\s*[=:\\].]`)
    const at = lines.findIndex(line => keyPattern.test(line))
    entries[Math.max(0, at)] += `${JSON.stringify(key)}: ${JSON.stringify(value)}, `
  }
  return entries.every(entry => entry === '') ? '' : `{${entries.join('\n')}}`
}
