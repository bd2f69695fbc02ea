import { parse as parseToml } from 'smol-toml'
import { errorMessage } from '../../base/error.ts'
import type { Problem } from '../../brand/finding.ts'
import { normalText } from '../folder/utf8.ts'
import { type SplitPage, splitBetween } from './front-matter.ts'

/** Front matter in another format than YAML, by its opening line and its closing one. */
const FORMATS = [
  { name: 'TOML', opening: /^\+\+\+[ \t]*\n/, closing: /\n\+\+\+[ \t]*(?:\n|$)/ },
  { name: 'TOML', opening: /^---[ \t]*toml[ \t]*\n/i, closing: /\n---[ \t]*(?:\n|$)/ },
  { name: 'JSON', opening: /^---[ \t]*json[ \t]*\n/i, closing: /\n---[ \t]*(?:\n|$)/ },
  { name: 'JSON', opening: /^;;;[ \t]*\n/, closing: /\n;;;[ \t]*(?:\n|$)/ },
  { name: 'JSON', opening: /^(?=\{\s*"[^"\n]*"\s*:)/, closing: /(?<=\})[ \t]*(?:\n(?![ \t]*["\]},])|$)/ },
] as const

/**
 * Splits a page whose front matter is TOML or JSON, as Hugo reads it. Its fields become YAML, each on the line that it
 * had. Undefined if the page has none.
 */
export function splitOtherFrontMatter(page: string): (SplitPage & { problem?: Problem }) | undefined {
  const text = normalText(page)
  const format = FORMATS.find(({ opening }) => opening.test(text))
  const split = format && splitBetween(text, format.opening, format.closing)
  if (!split) return undefined
  const yamlLine = text.startsWith('{') ? 1 : 2
  try {
    const values: unknown = format.name === 'TOML' ? parseToml(split.yaml) : JSON.parse(split.yaml)
    return { ...split, yamlLine, yaml: asYaml(values, split.yaml) }
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n')
    const message = `the front matter is ${format.name} that cannot be read (${reason}); correct it, or write YAML between --- lines`
    return { ...split, yamlLine, yaml: '', problem: { rule: 'yaml-syntax', line: 1, message } }
  }
}

/** A YAML mapping in braces, with each value as JSON on the line on which its key first appears. */
function asYaml(values: unknown, text: string): string {
  const written = text.split('\n')
  const entries = written.map(() => '')
  for (const [key, value] of Object.entries(values ?? {})) {
    const place = new RegExp(`(?:^|[\\s[{,"'])${RegExp.escape(key)}["']?\\s*[=:\\].]`)
    const at = written.findIndex(line => place.test(line))
    entries[Math.max(0, at)] += `${JSON.stringify(key)}: ${JSON.stringify(value)}, `
  }
  return entries.every(entry => entry === '') ? '' : `{${entries.join('\n')}}`
}
