import type { Page } from '../../brand/page.ts'

/** A page of Markdown with front matter: title, id and description. */
export function withFrontMatter({ name: title, id, description }: Page, content: string): string {
  const fields = Object.entries({ title, id, description }).filter(([, value]) => value !== undefined)
  const lines = fields.map(([name, value]) => `${name}: ${yamlText(value ?? '')}\n`)
  return `---\n${lines.join('')}---\n${content}`
}

/**
 * A string as a double-quoted YAML scalar on one line (YAML 1.2.2 §7.3.1). Escapes characters that YAML cannot print,
 * and runs of hyphens, since some programs look for a bare `---`.
 */
export function yamlText(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replace(/-{2,}/g, hyphens => '\\u002d'.repeat(hyphens.length))
    .replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

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
