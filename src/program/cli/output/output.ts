import type { Finding } from '#brand/finding.ts'
import type { Progress } from '#intake/reading.ts'
import { pluralize } from '#platform/base/text.ts'
import { type Arguments, hasFlag, type Io, type NextStep, type Output } from '../command.ts'
import { EXIT } from '../failure.ts'
import { hex, paint, table, visible } from './text.ts'

export function printOutput({ json, text = '', note, next = [], exitCode }: Output, args: Arguments, io: Io): number {
  if (hasFlag(args, 'json')) printJson(io, json)
  else {
    io.out(typeof text === 'string' ? text : text())
    if (note !== undefined) io.err(args.completeCommands(note))
    printNextSteps(next, args, io)
  }
  return exitCode ?? EXIT.done
}

export function printWarning(message: string, args: Arguments, io: Io): void {
  io.err(`warning: ${args.completeCommands(visible(message))}\n`)
}

/** Prints each command on its own line after `next: `, so that it can be pasted. Its purpose is on the line before. */
export function printNextSteps(steps: readonly NextStep[], args: Arguments, io: Io): void {
  for (const { command, operands, purpose } of steps) {
    const line = args.commandLine(command, operands)
    if (visible(line) !== line) continue // A path with control characters cannot be pasted.
    io.err(`${purpose === undefined ? '' : `to ${purpose}:\n`}next: ${line}\n`)
  }
}

export function listOutput<Item>(
  items: readonly Item[],
  rowOf: (item: Item) => readonly string[],
  noteIfEmpty: string,
): Output {
  if (items.length === 0) return { json: items, note: noteIfEmpty }
  return { json: items, text: () => table(items.map(rowOf)) }
}

/** `place` names the store. */
export function emptyStoreOutput(place: string): Output {
  const note = `the store ${visible(place)} holds no project yet: import a brand folder, or begin with a new one\n`
  return { json: [], note, next: [BEGIN] }
}

const BEGIN: NextStep = { purpose: 'write a small brand folder to start from', command: 'init', operands: ['acme'] }

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

export function printJson(io: Io, value: unknown): void {
  io.out(`${jsonText(value)}\n`)
}

export function jsonText(value: unknown): string {
  return escapeControls(JSON.stringify(value, null, 2) ?? 'null')
}

export function jsonLine(value: unknown): string {
  return escapeControls(JSON.stringify(value))
}

/** Escapes what a terminal or a CI system may obey. `\p{Bidi_Control}` would cost V8 a millisecond to compile. */
function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|(?<=#)#(?=[\w.-]*\[)/g,
    mark => `\\u${hex(mark).padStart(4, '0')}`,
  )
}

export function printFindings(findings: readonly Finding[], io: Io): void {
  for (const finding of findings) io.err(findingLine(finding, io.hasColor.err))
  if (findings.length > 0) io.err(`${findingSummary(findings)}\n`)
}

export type LocatedFinding = Pick<Finding, 'path' | 'line' | 'message'> & {
  severity: Finding['severity'] | 'note'
  rule: string
}

/** A finding as a line: `path:line severity rule message`. The line is 1 if the finding concerns a whole file. */
export function findingLine({ path, line, severity, rule, message }: LocatedFinding, hasColor: boolean): string {
  const color = severity === 'error' ? 'red' : 'yellow'
  return `${visible(path)}:${line ?? 1} ${paint(hasColor, color, severity)} ${rule} ${visible(message)}\n`
}

export function findingSummary(findings: readonly Pick<Finding, 'severity'>[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return countSummary(errors, findings.length - errors)
}

/** `1 error, 2 warnings`, or `no problems`. */
export function countSummary(errors: number, warnings: number): string {
  if (errors + warnings === 0) return 'no problems'
  if (warnings === 0) return pluralize(errors, 'error')
  if (errors === 0) return pluralize(warnings, 'warning')
  return `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`
}

export function hasErrors(findings: readonly Pick<Finding, 'severity'>[]): boolean {
  return findings.some(({ severity }) => severity === 'error')
}

/** Runs work with a progress bar on a terminal that can redraw a line; elsewhere, `show` prints nothing. */
export async function withProgress<Value>(
  io: Io,
  work: (show: (progress: Progress) => void) => Promise<Value>,
): Promise<Value> {
  if (!canRedraw(io)) return work(() => undefined)
  let shownAt = 0
  const show = ({ project, done, total }: Progress) => {
    const now = performance.now()
    if (now - shownAt < REDRAW_MS && done < total) return
    shownAt = now
    const line = `${CLEAR_LINE}${bar(done, total)} ${done}/${total} ${visible(project)}`
    io.err(line.slice(0, io.columns + CLEAR_LINE.length - 1))
  }
  try {
    return await work(show)
  } finally {
    if (shownAt > 0) io.err(CLEAR_LINE)
  }
}

export function clearProgress(io: Io): void {
  if (canRedraw(io)) io.err(CLEAR_LINE)
}

function canRedraw(io: Io): boolean {
  return io.isTerminal && io.environment.TERM !== 'dumb'
}

type StoreWork = Pick<Io, 'signal'> & {
  waiting: (message: string) => void
  progress: (done: number, total: number) => void
}

/** Runs long work on a store, with options that print waits and show the progress in a unit, such as `files`. */
export function withStoreWork<Value>(
  args: Arguments,
  io: Io,
  unit: string,
  work: (options: StoreWork) => Promise<Value>,
): Promise<Value> {
  return withProgress(io, show => {
    const progress = (done: number, total: number) => show({ project: unit, done, total })
    return work({ signal: io.signal, waiting: printWaiting(args, io), progress })
  })
}

/** Prints the reason for a wait; nothing with `--json`, because then stderr contains at most one JSON value. */
export function printWaiting(args: Arguments, io: Io): (message: string) => void {
  return message => {
    if (!hasFlag(args, 'json')) io.err(`${message}\n`)
  }
}

const REDRAW_MS = 50
const CLEAR_LINE = '\r\u001b[2K'
const WIDTH = 24

function bar(done: number, total: number): string {
  const filled = Math.round((done / Math.max(total, 1)) * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`
}
