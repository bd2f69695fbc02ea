import type { Io } from '../io.ts'
import { hex } from './text.ts'

/** Prints a JSON value as the result. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${escapeControls(JSON.stringify(value, null, 2) ?? 'null')}\n`)
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
