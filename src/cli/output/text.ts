import { stripVTControlCharacters, styleText } from 'node:util'

/** Colours a text if `hasColor`. */
export function paint(hasColor: boolean, style: Parameters<typeof styleText>[0], text: string): string {
  return hasColor ? styleText(style, text, { validateStream: false }) : text
}

/** Makes control characters visible, so that a name from outside cannot begin a new line or move the cursor. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u{${hex(mark)}}`)
}

/** Rows as lines, their cells in columns. Colour codes do not count for the width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widthOf = (cell: string) => stripVTControlCharacters(cell).length
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => widthOf(row[column] ?? '')))) ?? []
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd()
  return rows.map(row => `${line(row)}\n`).join('')
}

/** The code point of a character, in hexadecimal. */
export function hex(mark: string): string {
  return (mark.codePointAt(0) ?? 0).toString(16)
}
