import type { Color } from '../../brand/color.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { markdownText } from './markdown-text.ts'

/** A colour with all its authored values, as a Markdown list item. */
export function colorLine({ id: _, name, ...given }: Color): string {
  return line(name, given)
}

/** A type style with all its authored values, as a Markdown list item. */
export function typeLine({ id: _, name, features, axes = {}, ...given }: TypeStyle): string {
  return line(name, { ...given, ...settings('features', features), ...settings('axes', axes) })
}

function settings(key: string, values: Readonly<Record<string, number>>): Record<string, string> {
  const tags = Object.entries(values).map(([tag, value]) => `${tag} ${value}`)
  return tags.length > 0 ? { [key]: tags.join(' ') } : {}
}

function line(name: string, given: Readonly<Record<string, string | number | boolean | readonly string[]>>): string {
  const facts = Object.entries(given).map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : value}`)
  return `- ${markdownText(name)}: ${markdownText(facts.join('; '))}\n`
}
