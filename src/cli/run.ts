import { readFileSync } from 'node:fs'
import { CommanderError, Command as Program } from 'commander'
import { TrustError } from '../access/trust/trust-entries.ts'
import { errorCode, errorMessage } from '../base/error.ts'
import { SETTINGS, SettingError } from '../settings.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { CommandFailure, UsageFailure } from './failure.ts'
import { type Io, jsonLine, visible } from './io.ts'
import { systemErrorWords } from './system-error.ts'

/** Runs the command that the arguments name. Gives the exit code: 0 done, 1 refused or findings, 2 wrong use. */
export async function run(args: readonly string[], io: Io): Promise<number | 'interrupted'> {
  let exitCode: number | 'interrupted' = 0
  const program = makeProgram(io, async (command, operands, options) => {
    const { run: runCommand } = await command.load()
    exitCode = await runCommand({ operands, options }, io)
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : tellUse(error, args, io)
    if (io.signal.aborted && error instanceof Error && error.name === 'AbortError') return 'interrupted'
    return tell(error, args, io)
  }
}

const WRONG_USE = 2

type Action = (command: Command, operands: readonly string[], options: Record<string, unknown>) => Promise<void>

function makeProgram(io: Io, action: Action): Program {
  const program = new Program('housestyle')
    .description('A folder of brand guidelines in git becomes a read-only HTTP API, a website and downloads.')
    .version(version(), '--version', 'print the version')
    .helpOption('--help', 'show this help')
    .enablePositionalOptions() // What follows `share list` is an option of that, and not of `share`.
    .addHelpText('after', `\nhousestyle <command> --help shows a command's options and examples.`)
  prepare(program, io)
  const groups = new Map<string, Program>()
  for (const command of COMMANDS) {
    const made = addCommand(parentOf(command, program, groups, io), command, io, action)
    groups.set(command.name, made)
  }
  return program
}

function prepare(program: Program, io: Io): void {
  program
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => undefined, ...NO_COLORS })
    .configureHelp({ helpWidth: Math.min(io.columns, 110) })
    .helpCommand(false)
    .helpOption('--help', 'show this help')
}

const NO_COLORS = { getOutHasColors: () => false, getErrHasColors: () => false }

const GROUPS: Readonly<Record<string, string>> = {
  token: 'issue, list and revoke access tokens',
  client: 'clients that may ask for tokens',
  keys: 'the keys that tokens are signed with',
  files: 'the addresses of files',
}

function parentOf({ name }: Command, program: Program, groups: Map<string, Program>, io: Io): Program {
  const [group = '', rest] = name.split(' ')
  if (rest === undefined) return program
  const known = groups.get(group)
  if (known) return known
  const made = program.command(group).description(GROUPS[group] ?? '')
  prepare(made, io)
  groups.set(group, made)
  return made
}

function addCommand(parent: Program, command: Command, io: Io, action: Action): Program {
  const { name, operands = '', summary, options = [], settings, examples } = command
  const made = parent.command(`${name.split(' ').at(-1)} ${operands}`.trim()).description(summary)
  prepare(made, io)
  made.addHelpText('after', `\nExamples:\n${examples.map(example => `  housestyle ${example}`).join('\n')}`)
  for (const { flags, help, repeats, default: value } of options) {
    if (repeats) made.option(flags, help, (each: string, all: string[] = []) => [...all, each])
    else made.option(flags, help, value)
  }
  for (const setting of settings) {
    const { flag, value, help, default: standard } = SETTINGS[setting]
    made.option(`${flag} <${value}>`, standard === '' ? help : `${help} (default: ${standard})`)
  }
  return made.action(() => action(command, made.args, made.opts()))
}

function version(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return version
}

/** Wrong use is told as refusals are. A command that is only a group has shown its help, which says it all. */
function tellUse(error: CommanderError, args: readonly string[], io: Io): number {
  if (error.code === 'commander.help') return WRONG_USE
  return tell(new UsageFailure(error.message.replace(/^error: /, '').replace(/\s+/g, ' ')), args, io)
}

/** A refusal is told in words, as JSON where results are; a fault as well, with its stack where the log is for debugging. */
function tell(error: unknown, args: readonly string[], io: Io): number {
  const known = error instanceof CommandFailure ? error.code : EXPECTED.get(errorCode(error))
  const words = known === undefined ? systemErrorWords(error) : undefined
  const code = words === undefined ? known : 'system'
  const message = words ?? errorMessage(error)
  if (isJson(args)) io.err(`${jsonLine({ error: code ?? 'fault', message })}\n`)
  else io.err(`housestyle: ${visible(message)}\n`)
  if (code === undefined && error instanceof Error && io.environment.HOUSESTYLE_LOG === 'debug')
    io.err(`${error.stack}\n`)
  return WRONG.some(kind => error instanceof kind) ? WRONG_USE : 1
}

/** What a person wrote cannot be. */
const WRONG = [UsageFailure, SettingError, TrustError]
/** What `--json` calls errors that a person can mend, by their codes; all others are a `fault`. */
const EXPECTED = new Map([
  ['ERR_SETTING', 'setting'],
  ['ERR_STORE', 'store'],
  ['ERR_FOLDER', 'folder'],
  ['ERR_SEALED_KEY', 'sealed-key'],
  ['ERR_TRUST', 'trust'],
])

/** Whether results are wanted as JSON; the arguments may be too wrong to be parsed. */
function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}
