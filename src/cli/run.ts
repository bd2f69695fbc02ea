import { readFileSync } from 'node:fs'
import { CommanderError, Command as Program } from 'commander'
import { errorCode, errorMessage, OperationalError } from '../base/error.ts'
import { SETTINGS } from '../settings.ts'
import type { Command } from './command.ts'
import { COMMANDS, GROUPS } from './commands.ts'
import { CommandFailure } from './failure.ts'
import { EXIT, exitCodeOf, isFailureCode } from './failure-codes.ts'
import type { Io } from './io.ts'
import { jsonLine } from './output/json.ts'
import { visible } from './output/text.ts'
import { describeSystemError } from './system-error.ts'

/** Runs the command that the arguments name. Gives its exit code, one of `EXIT`. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.done
  const program = makeProgram(io, async (command, operands, options) => {
    const runCommand = await command.load()
    exitCode = await runCommand({ operands, options }, io)
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : printMisuse(error, args, io)
    if (io.signal.aborted && error instanceof Error && error.name === 'AbortError') return printInterruption(args, io)
    return printFailure(error, args, io)
  }
}

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

/** A command that is only a group has shown its help, which says it all. */
function printMisuse(error: CommanderError, args: readonly string[], io: Io): number {
  if (error.code === 'commander.help') return EXIT.misused
  const message = error.message.replace(/^error: /, '').replace(/\s+/g, ' ')
  return printFailure(new CommandFailure('usage', message), args, io)
}

/** Whoever interrupts a command knows it; a script that reads JSON is told. */
function printInterruption(args: readonly string[], io: Io): number {
  const message = 'the command was interrupted before it was done'
  if (isJson(args)) printFailure(new CommandFailure('interrupted', message), args, io)
  return EXIT.interrupted
}

/** Prints why a command failed, as JSON with `--json`; the stack of a fault only if the log is for debugging. */
function printFailure(error: unknown, args: readonly string[], io: Io): number {
  const { code, message } = describeFailure(error)
  if (isJson(args)) io.err(`${jsonLine({ error: code, message })}\n`)
  else io.err(`housestyle: ${visible(message)}\n`)
  if (code === 'fault' && error instanceof Error && io.environment.HOUSESTYLE_LOG === 'debug')
    io.err(`${error.stack}\n`)
  return exitCodeOf(code)
}

function describeFailure(error: unknown): { code: string; message: string } {
  const code = errorCode(error)
  const message = errorMessage(error)
  if (error instanceof OperationalError || isFailureCode(code)) return { code, message }
  const systemMessage = describeSystemError(error)
  return systemMessage === undefined ? { code: 'fault', message } : { code: 'system_error', message: systemMessage }
}

/** Whether results are wanted as JSON; the arguments may be too wrong to be parsed. */
function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}
