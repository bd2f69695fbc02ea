import type { Finding } from '../../brand/finding.ts'
import { type Arguments, hasFlag, type NextStep, type Output } from '../command.ts'
import { EXIT } from '../failure.ts'
import type { Io } from '../io.ts'
import { hex, table, visible } from './text.ts'

/** Prints the output of a command. Returns its exit code. */
export function printOutput({ json, text = '', note, next = [], exitCode }: Output, args: Arguments, io: Io): number {
  if (hasFlag(args, 'json')) printJson(io, json)
  else {
    io.out(typeof text === 'string' ? text : text())
    if (note !== undefined) io.err(args.completeCommands(note))
    printNextSteps(next, args, io)
  }
  return exitCode ?? EXIT.done
}

/** Prints each command on its own line after `next: `, so that it can be pasted. Its purpose is on the line before. */
export function printNextSteps(steps: readonly NextStep[], args: Arguments, io: Io): void {
  for (const { command, operands, purpose } of steps) {
    const line = args.commandLine(command, operands)
    if (visible(line) !== line) continue // A path with control characters cannot be pasted.
    io.err(`${purpose === undefined ? '' : `to ${purpose}:\n`}next: ${line}\n`)
  }
}

/** The output of a list: a line for each item, with aligned columns; without items, only a note. */
export function listOutput<Item>(
  items: readonly Item[],
  rowOf: (item: Item) => readonly string[],
  noteIfEmpty: string,
): Output {
  if (items.length === 0) return { json: items, note: noteIfEmpty }
  return { json: items, text: () => table(items.map(rowOf)) }
}

/** The output about a store without projects, and how to begin. `place` names the store. */
export function emptyStoreOutput(place: string): Output {
  const note = `the store ${visible(place)} holds no project yet: import a brand folder, or begin with a new one\n`
  return { json: [], note, next: [BEGIN] }
}

const BEGIN: NextStep = { purpose: 'write a small brand folder to start from', command: 'init', operands: ['acme'] }

/** The steps after a folder was checked. */
export function afterCheck(findings: readonly Finding[], folder: string): NextStep[] {
  if (findings.some(({ rule }) => rule === 'no-project')) return [BEGIN]
  const operands = [folderOperand(folder)]
  if (findings.some(({ severity }) => severity === 'error'))
    return [{ purpose: 'check again after correcting the errors', command: 'check', operands }]
  return [
    { purpose: 'see it while you write', command: 'dev', operands },
    { purpose: 'import it into the store', command: 'import', operands },
  ]
}

/** A folder as an operand, which must not look like an option. */
export function folderOperand(folder: string): string {
  return folder.startsWith('-') ? `./${folder}` : folder
}

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
