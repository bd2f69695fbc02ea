/** Lines as one CSS comment, which nothing in them can end, nor the HTML element that the sheet may stand in. */
export function cssComment(lines: readonly string[]): string {
  return `/*\n${lines.map(line => ` * ${harmless(line)}\n`).join('')} */\n`
}

function harmless(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(BIDI, '')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/<(?=[/!])/g, '< ')
}

/** Marks that would show the rest of a line in another order than it has (Unicode TR9 §2). */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
