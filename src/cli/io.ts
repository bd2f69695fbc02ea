import { stripVTControlCharacters, styleText } from 'node:util'

/** What a command has of the process that runs it. */
export type Io = {
  /** Results. */
  out: (text: string) => void
  /** Everything else. */
  err: (text: string) => void
  /** Whether results, and everything else, may be coloured. */
  hasColor: { out: boolean; err: boolean }
  /** Whether a person watches what is not a result. */
  isTerminal: boolean
  /** Asks the person at the terminal; absent where there is none. */
  ask?: (question: string) => Promise<string>
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  /** The working folder, absolute. */
  folder: string
  /** Aborted when the person or the system wants the command to end: with `SIGINT` or `SIGTERM` as the message. */
  signal: AbortSignal
}

/** Prints one JSON value as a result. */
export function printJson(io: Io, value: unknown): void {
  let held = ''
  for (const piece of jsonPieces(value, '\n')) {
    held += piece
    if (held.length < MIN_PRINTED) continue
    io.out(escaped(held))
    held = ''
  }
  io.out(`${escaped(held)}\n`)
}

const MIN_PRINTED = 1 << 16

/** As `JSON.stringify(value, null, 2)` writes it, but long lists are never written whole; `line` starts a line. */
function* jsonPieces(value: unknown, line: string): Generator<string> {
  const isList = Array.isArray(value)
  if (!isList && !isNested(value)) {
    yield (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', line)
    return
  }
  let before = isList ? '[' : '{'
  for (const [key, item] of Object.entries(value)) {
    if (!isList && item === undefined) continue
    yield `${before}${line}  ${isList ? '' : `${JSON.stringify(key)}: `}`
    yield* jsonPieces(item, `${line}  `)
    before = ','
  }
  const isEmpty = before !== ','
  yield isList ? (isEmpty ? '[]' : `${line}]`) : isEmpty ? '{}' : `${line}}`
}

/** Whether a value is an object, of those that a literal makes, in which there may be lists. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).some(item => typeof item === 'object')
}

/** A JSON value on one line. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value))
}

/** JSON itself lets some control characters through, which a terminal may still obey. */
function escaped(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u${hex(mark).padStart(4, '0')}`)
}

/** Colours a text where that is allowed. */
export function paint(hasColor: boolean, style: Parameters<typeof styleText>[0], text: string): string {
  return hasColor ? styleText(style, text, { validateStream: false }) : text
}

/** Makes control characters visible, so that a name from outside cannot start a line of its own or move the cursor. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, mark => `\\u{${hex(mark)}}`)
}

function hex(mark: string): string {
  return (mark.codePointAt(0) ?? 0).toString(16)
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
