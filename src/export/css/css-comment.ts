/** Lines as one CSS comment. No line can end the comment, or the HTML element that contains the sheet. */
export function cssComment(lines: readonly string[]): string {
  return `/*\n${lines.map(line => ` * ${escapeLine(line)}\n`).join('')} */\n`
}

function escapeLine(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(BIDI, '')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/<(?=[/!])/g, '< ')
}

/** Characters that would reorder the rest of a line (Unicode TR9 §2). */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
