import type { Color } from '#brand/color.ts'
import type { Page } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'

/** A one-line string as literal Markdown: nothing in it is markup or starts a block. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>~&|]/g, mark => `\\${mark}`)
    .replace(/^[-+=#:]/, mark => `\\${mark}`)
    .replace(/^(\d+)([.)])/, '$1\\$2')
}

/** A string on one line, without characters that would reorder the rest of it (Unicode TR9 §2). */
export function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}

/** A page of Markdown with front matter: title, id and description. */
export function withFrontMatter({ name: title, id, description }: Page, content: string): string {
  const fields = Object.entries<string>(withoutUndefined({ title, id, description }))
  const lines = fields.map(([name, value]) => `${name}: ${yamlText(value)}\n`)
  return `---\n${lines.join('')}---\n${content}`
}

/** A double-quoted YAML scalar (YAML 1.2.2 §7.3.1). Some programs look for a bare `---`, so hyphens are escaped. */
export function yamlText(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replace(/-{2,}/g, hyphens => '\\u002d'.repeat(hyphens.length))
    .replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Lines as a comment of YAML, without characters that YAML does not allow or that reorder a line, and without the hyphens
 * that end a document.
 */
export function yamlComment(lines: readonly string[]): string {
  const escapeLine = (line: string) =>
    line
      .replace(
        /[^\t\x20-\x7e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]+/gu,
        ' ',
      )
      .replace(/-{3,}/g, '—')
  return lines.map(line => `# ${escapeLine(line)}\n`).join('')
}

/** A colour with all its authored values, as a Markdown list item. */
export function colorLine({ id: _, name, inks = {}, ...given }: Color): string {
  return line(name, { ...given, ...pairs('inks', inks, ', ') })
}

/** A type style with all its authored values, as a Markdown list item. */
export function typeLine({ id: _, name, features, axes = {}, ...given }: TypeStyle): string {
  return line(name, { ...given, ...pairs('features', features, ' '), ...pairs('axes', axes, ' ') })
}

/** A field that joins pairs of names and values, such as `tnum 1 liga 0`; none without any. */
function pairs(key: string, values: Readonly<Record<string, unknown>>, between: string): Record<string, string> {
  const all = Object.entries(values).map(([name, value]) => `${name} ${value}`)
  return all.length > 0 ? { [key]: all.join(between) } : {}
}

function line(name: string, given: Readonly<Record<string, string | number | boolean | readonly string[]>>): string {
  const facts = Object.entries(given).map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : value}`)
  return `- ${markdownText(name)}: ${markdownText(facts.join('; '))}\n`
}
