import { stripVTControlCharacters, styleText } from 'node:util'
import type { ContentChanges } from '../../brand/content-changes.ts'

/**
 * Whether output to a stream may have colours, by the rules of Node's `getColorDepth`: `FORCE_COLOR` decides, with 0 for
 * none; otherwise a terminal has colours unless `NO_COLOR` is not empty or `TERM` is `dumb`.
 */
export function hasColors(isTerminal: boolean, environment: Readonly<Partial<Record<string, string>>>): boolean {
  const { FORCE_COLOR, NO_COLOR = '', TERM } = environment
  if (FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(FORCE_COLOR)
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb'
}

/** Styles a string if `hasColor`. */
export function paint(hasColor: boolean, style: Parameters<typeof styleText>[0], text: string): string {
  return hasColor ? styleText(style, text, { validateStream: false }) : text
}

/** Escapes control characters, so that a name from outside cannot begin a new line or move the cursor. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u{${hex(mark)}}`)
}

/** Rows as lines with aligned columns. Colour codes do not count for the width. */
export function table(rows: readonly (readonly string[])[]): string {
  const widthOf = (cell: string) => stripVTControlCharacters(cell).length
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
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

/** A size for people: `512 B`, `1.4 MiB`. */
export function byteSize(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1]
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** A label for each change of a project: `+ page logo`, `~ style ink`, `- file files/old.svg`. */
export function changeLabels({ pages, styles, files }: ContentChanges, hasColor: boolean): string[] {
  return Object.entries({ page: pages, style: styles, file: files }).flatMap(([noun, { added, changed, removed }]) => [
    ...added.map(id => paint(hasColor, 'green', `+ ${noun} ${visible(id)}`)),
    ...changed.map(id => paint(hasColor, 'yellow', `~ ${noun} ${visible(id)}`)),
    ...removed.map(id => paint(hasColor, 'red', `- ${noun} ${visible(id)}`)),
  ])
}
