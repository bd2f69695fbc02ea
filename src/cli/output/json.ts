import type { Io } from '../io.ts'
import { hex } from './text.ts'

/** Prints a JSON value as the result, in pieces, so that the text of a long result is never entirely in memory. */
export function printJson(io: Io, value: unknown): void {
  let buffered = ''
  for (const piece of jsonPieces(value, '\n')) {
    buffered += piece
    if (buffered.length < MIN_PRINTED_CHARACTERS) continue
    io.out(escapeControls(buffered))
    buffered = ''
  }
  io.out(`${escapeControls(buffered)}\n`)
}

const MIN_PRINTED_CHARACTERS = 1 << 16

/** The output of `JSON.stringify(value, null, 2)`, one item at a time. `line` is a line break and the indentation. */
function* jsonPieces(value: unknown, line: string): Generator<string> {
  const isList = Array.isArray(value)
  if (!isList && !isNested(value)) {
    yield (JSON.stringify(value, null, 2) ?? 'null').replaceAll('\n', line)
    return
  }
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  let before = open
  for (const [key, item] of Object.entries(value)) {
    if (!isList && item === undefined) continue
    yield `${before}${line}  ${isList ? '' : `${JSON.stringify(key)}: `}`
    yield* jsonPieces(item, `${line}  `)
    before = ','
  }
  const isEmpty = before === open
  yield isEmpty ? `${open}${close}` : `${line}${close}`
}

/** Whether a value is a plain object that may contain lists. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).some(item => typeof item === 'object')
}

/** A JSON value on one line. */
export function jsonLine(value: unknown): string {
  return escapeControls(JSON.stringify(value))
}

/**
 * Escapes the control characters that JSON allows but a terminal may obey, including marks that change the direction of
 * text. The pattern lists these one by one, because `\p{Bidi_Control}` costs V8 a millisecond to compile.
 */
function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    mark => `\\u${hex(mark).padStart(4, '0')}`,
  )
}
