import { parse as parseToml } from 'smol-toml'
import { errorMessage } from '../../base/error.ts'
import type { Problem } from '../../brand/finding.ts'
import { normalText } from '../folder/utf8.ts'
import type { SplitPage } from './front-matter.ts'

/** Front matter in another format than YAML, by its opening line and its closing one. */
type Format = { name: 'TOML' | 'JSON'; opening: RegExp; closing: RegExp; read: (text: string) => unknown }

const [TOML, JSON_TEXT] = [
  { name: 'TOML', read: parseToml },
  { name: 'JSON', read: JSON.parse },
] as const

const FORMATS: readonly Format[] = [
  { ...TOML, opening: /^\+\+\+[ \t]*\n/, closing: /\n\+\+\+[ \t]*(?:\n|$)/ },
  { ...TOML, opening: /^---[ \t]*toml[ \t]*\n/i, closing: /\n---[ \t]*(?:\n|$)/ },
  { ...JSON_TEXT, opening: /^---[ \t]*json[ \t]*\n/i, closing: /\n---[ \t]*(?:\n|$)/ },
  { ...JSON_TEXT, opening: /^;;;[ \t]*\n/, closing: /\n;;;[ \t]*(?:\n|$)/ },
  { ...JSON_TEXT, opening: /^(?=\{\s*"[^"\n]*"\s*:)/, closing: /(?<=\})[ \t]*(?:\n(?![ \t]*["\]},])|$)/ },
]

/**
 * Splits a page whose front matter is TOML or JSON, as Hugo reads it. Its fields become YAML, each on the line that it
 * had. Undefined if the page has none.
 */
export function splitOtherFrontMatter(page: string): (SplitPage & { problem?: Problem }) | undefined {
  const text = normalText(page)
  const format = FORMATS.find(({ opening }) => opening.test(text))
  const start = format?.opening.exec(text)?.[0].length ?? 0
  const closing = format?.closing.exec(text.slice(Math.max(0, start - 1)))
  if (!format || !closing) return undefined
  const from = Math.max(0, start - 1) + closing.index
  const written = text.slice(start, Math.max(start, from))
  const end = from + closing[0].length
  const contentLine = text.slice(0, end).split('\n').length + (text[end - 1] === '\n' ? 0 : 1)
  const split = { yamlLine: start === 0 ? 1 : 2, content: text.slice(end), contentLine }
  try {
    return { ...split, yaml: asYaml(format.read(written), written) }
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n')
    const message = `the front matter is ${format.name} that cannot be read (${reason}); correct it, or write YAML between --- lines`
    return { ...split, yaml: '', problem: { rule: 'yaml-syntax', line: 1, message } }
  }
}

/** A YAML mapping in braces, with each value as JSON on the line on which its key first appears. */
function asYaml(values: unknown, text: string): string {
  const written = text.split('\n')
  const entries = written.map(() => '')
  for (const [key, value] of Object.entries(values ?? {})) {
    const place = new RegExp(`(?:^|[\\s[{,"'])${RegExp.escape(key)}["']?\\s*[=:\\].]`)
    const at = Math.max(
      0,
      written.findIndex(line => place.test(line)),
    )
    entries[at] += `${JSON.stringify(key)}: ${JSON.stringify(value)}, `
  }
  return entries.every(entry => entry === '') ? '' : `{${entries.join('\n')}}`
}
