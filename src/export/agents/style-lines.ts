import type { Color } from '../../brand/color.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { markdownText } from './markdown-text.ts'

/** A colour with all its authored values, as a Markdown list item. */
export function colorLine({ id: _, name, ...given }: Color): string {
  return line(name, given)
}

/** A type style with all its authored values, as a Markdown list item. */
export function typeLine({ id: _, name, features, ...given }: TypeStyle): string {
  const tags = Object.entries(features).map(([tag, value]) => `${tag} ${value}`)
  return line(name, tags.length > 0 ? { ...given, features: tags.join(' ') } : given)
}

function line(name: string, given: Readonly<Record<string, string | number | boolean | readonly string[]>>): string {
  const facts = Object.entries(given).map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : value}`)
  return `- ${markdownText(name)}: ${markdownText(facts.join('; '))}\n`
}
