import { once } from 'node:events'
import { withoutUndefined } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { SETTINGS, type Setting, type SettingName } from '#platform/settings/table.ts'
import type { withStore } from '../compose/store.ts'
import { EXIT, Misuse } from './failure.ts'

/** The operands and options of a command; options by their long name in camelCase. */
export type Arguments = {
  operands: readonly string[]
  options: Readonly<Record<string, unknown>>
  /** A command with its operands, as a line that can be pasted into a shell. */
  commandLine: (name: string, operands?: readonly string[]) => string
  /** Completes each command in a message, written as `` `housestyle status` ``, so that it can be pasted. */
  completeCommands: (message: string) => string
  /** The command line that the user wrote, but without secrets and with another port. */
  withPort: (port: number) => string
}

/** An operand by its place, which is empty if it was not given. */
export function operand({ operands }: Arguments, at: number): string {
  return operands[at] ?? ''
}

/** A command as `--help` shows it. `load` imports its code, so that other commands start faster. */
export type Command = {
  name: string
  /** The heading under which `--help` lists it. */
  group: 'write' | 'publish' | 'serve' | 'access' | 'upkeep'
  /** Operands as in usage lines: `<folder>`, `[folder]`, `[projects...]`; empty if there are none. */
  operands: string
  summary: string
  options: readonly Option[]
  settings: readonly SettingName[]
  /** The help of settings that have another meaning for this command than for a service. */
  settingHelp?: Readonly<Partial<Record<SettingName, string>>>
  examples: readonly string[]
  load: () => Promise<Run>
}

/** An option of a command. `flags` has the form `--note <text>`. If it `repeats`, all its values are collected. */
type Option = { flags: string; help: string; repeats: boolean; default?: string }

/** Options as rows: flags, such as `--note <text>` or, if the option may be repeated, `--scope <scope...>`; and their help. */
export type OptionTable = Readonly<Record<string, string | { help: string; default: string }>>

/** A row of the table. Its `examples` omit the name. `json` is the help of `--json`, or null without that option. */
export type CommandRow = Pick<Command, 'summary' | 'settingHelp' | 'examples' | 'load'> & {
  options?: OptionTable
  json?: string | null
  settings?: readonly SettingName[]
}

/** The commands of a group. The table is keyed by usage: a name and its operands. */
export function commandGroup(group: Command['group'], table: Readonly<Record<string, CommandRow>>): Command[] {
  return Object.entries(table).map(([usage, row]) => {
    const { options = {}, json = JSON_HELP, settings = STORE_SETTINGS, examples } = row
    const name = usage.replace(/ [<[].*/, '')
    const operands = usage.slice(name.length + 1)
    const allOptions = Object.entries(json === null ? options : { ...options, '--json': json }).map(optionOf)
    const lines = examples.map(example => `${name} ${example}`.trim())
    return { ...row, group, name, operands, options: allOptions, settings, examples: lines }
  })
}

function optionOf([flags, row]: [flags: string, row: OptionTable[string]]): Option {
  const details = typeof row === 'string' ? { help: row } : row
  return { ...details, flags: flags.replace('...', ''), repeats: flags.includes('...') }
}

const JSON_HELP = 'print the result as one JSON value'

export function settingsOf({ settings, settingHelp = {} }: Command): Setting[] {
  return settings.map(name => ({ ...SETTINGS[name], ...withoutUndefined({ help: settingHelp[name] }) }))
}

export const FINDING_FORMATS = ['text', 'json', 'sarif', 'github'] as const

export const STORE_SETTINGS: readonly SettingName[] = ['data', 'database', 'files']

/** Runs a command. Gives its output, or only its exit code (one of `EXIT`) if it has printed everything itself. */
export type Run = (args: Arguments, io: Io) => Promise<Output | number>

/** The output of a command: one JSON value with `--json`; otherwise `text`, `note` and the next steps. */
export type Output = {
  json: unknown
  /** Printed on stdout. A function, if formatting takes time that `--json` can save. */
  text?: string | (() => string)
  /** Printed on stderr, after the text. Its commands are completed. */
  note?: string | undefined
  next?: readonly NextStep[]
  exitCode?: number
}

/** A command to suggest. `purpose` completes "to …:". */
export type NextStep = { command: string; operands?: readonly string[]; purpose?: string }

export type Store = Parameters<Parameters<typeof withStore>[1]>[0]

export function textOption({ options }: Arguments, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The format that `--format` or `--json` names, by default text. */
export function formatOption<Format extends string>(args: Arguments, formats: readonly Format[]): Format {
  const wanted = textOption(args, 'format') ?? (hasFlag(args, 'json') ? 'json' : 'text')
  const format = formats.find(each => each === wanted)
  if (!format) throw new Misuse(`--format: ${quote(wanted)} is not one of ${formats.join(', ')}`)
  return format
}

export function listOption({ options }: Arguments, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

export function hasFlag({ options }: Arguments, name: string): boolean {
  return options[name] === true
}

/** The streams, terminal and environment of the process, as commands use them. */
export type Io = {
  out: (text: string) => void
  /** Prints a binary result. Resolves when more can be written. */
  outBytes: (bytes: Uint8Array) => Promise<void>
  input?: AsyncIterable<Uint8Array>
  err: (text: string) => void
  hasColor: { out: boolean; err: boolean }
  isTerminal: boolean
  /** Whether stdout is a terminal, for which results get a layout for people. */
  isOutTerminal?: boolean
  /** Asks the user a question. Absent if there is no terminal. */
  ask?: (question: string) => Promise<string>
  columns: number
  environment: Readonly<Partial<Record<string, string>>>
  nodeVersion: string
  /** The start of the user's command line: `housestyle` (by default) or `npx housestyle`. */
  readonly program?: string
  /** The working folder, absolute. Reading it throws if it was removed. */
  readonly folder: string
  /** The name of the user, which the history shows; absent if the system has none. */
  readonly user?: string | undefined
  /** The id of the user whose files a command trusts; absent on systems without numeric user ids. */
  userId?: number
  /** Aborted by SIGINT or SIGTERM. The message of the abort reason is the name of the signal. */
  signal: AbortSignal
  /** Sends a signal to a process, or to a process group if the id is negative. Throws if none exists. */
  kill: (id: number, signal: NodeJS.Signals) => void
  /** Keeps the command running if its output is no longer read. `isLogging`: whether a log line is being written. */
  outlastReaders?: (isLogging: () => boolean) => void
  /** Gives a log what libraries print, and the warnings of Node. */
  logConsole?: (log: (fields: object, message: string) => void) => void
}

/** The bytes on stdin, until a signal. */
export async function* inputOf({ input, signal }: Io): AsyncGenerator<Uint8Array> {
  for await (const chunk of input ?? []) {
    signal.throwIfAborted()
    yield chunk
  }
}

/** Waits for the signal that ends a service. Returns the exit code, because SIGTERM is the normal way to stop a service. */
export async function untilInterrupted({ signal }: Io): Promise<number> {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason instanceof Error && signal.reason.message === 'SIGINT' ? EXIT.interrupted : EXIT.done
}
