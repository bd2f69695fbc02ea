import { stripVTControlCharacters, styleText } from 'node:util'

/** What a command has of the process that runs it. */
export type Io = {
  /** Results. */
  out: (text: string) => void
  /** Everything else. */
  err: (text: string) => void
  /** Whether results may be coloured. */
  hasColor: boolean
  /** Whether a person watches what is not a result. */
  isTerminal: boolean
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  /** The working folder, absolute. */
  folder: string
  /** Aborted when the person or the system wants the command to end. */
  signal: AbortSignal
}

/** Prints one JSON value as a result. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** Colours a text where results may be coloured. */
export function paint(io: Io, style: Parameters<typeof styleText>[0], text: string): string {
  return io.hasColor ? styleText(style, text, { validateStream: false }) : text
}

/** Makes control characters visible, so that a name from outside cannot start a line of its own or move the cursor. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u{${mark.codePointAt(0)?.toString(16)}}`)
}

/** `1 page`, `2 pages`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
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
