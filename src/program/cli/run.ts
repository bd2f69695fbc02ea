import { basename, dirname, relative } from 'node:path'
import { CommanderError, Option, Command as Program } from 'commander'
import { errorCode, errorMessage, OperationalError } from '#platform/base/error.ts'
import { withoutPassword } from '#platform/base/server-url.ts'
import { groupsOf, shellWord } from '#platform/base/text.ts'
import { SETTINGS } from '#platform/settings/table.ts'
import { commandsAbout, version } from './about.ts'
import { type Arguments, type Command, type Io, settingsOf } from './command.ts'
import { COMMANDS, FIRST_WORDS } from './commands.ts'
import {
  CommandFailure,
  describeSystemError,
  EXIT,
  exitCodeOf,
  isFailureCode,
  isInterruption,
  Misuse,
} from './failure.ts'
import { jsonLine, printOutput } from './output/output.ts'
import { visible } from './output/text.ts'

/** Runs the command that the arguments name. Returns the exit code, one of `EXIT`. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.done
  let options: Readonly<Record<string, unknown>> = {}
  const program = makeProgram(commandsMeant(args[0]), io, async (command, operands, given) => {
    options = given
    const runCommand = await command.load()
    const withPort = (port: number) => `${writtenLine(args, options, io)} --port ${port}`
    const commandArguments = { operands, options, ...commandsOf(options, io), withPort }
    const output = await runCommand(commandArguments, io)
    exitCode = typeof output === 'number' ? output : printOutput(output, commandArguments, io)
  })
  try {
    await program.parseAsync(args[0] === '-v' ? ['--version'] : args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : await printMisuse(error, args, io)
    if (isInterruption(error, io.signal)) return printInterruption(args, io)
    return printFailure(error, args, io, options)
  }
}

function commandsOf(
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Pick<Arguments, 'commandLine' | 'completeCommands'> {
  // Lazy: `program` throws if the working folder was removed.
  const caller = () => ({ options, program: io.program ?? 'housestyle', environment: io.environment })
  return {
    commandLine: (name, operands) => commandLine(caller(), name, operands),
    completeCommands: message => completeCommands(message, caller()),
  }
}

type Action = (command: Command, operands: readonly string[], options: Record<string, unknown>) => Promise<void>

/** The commands whose name begins with a word, or all if there are none. A service starts faster without the others. */
function commandsMeant(word: string | undefined): readonly Command[] {
  const commands = COMMANDS.filter(({ name }) => name.split(' ')[0] === word)
  return commands.length > 0 ? commands : [...COMMANDS, ...commandsAbout(COMMANDS, run)]
}

function makeProgram(commands: readonly Command[], io: Io, action: Action): Program {
  const program = new Program('housestyle')
    .description('A folder of brand guidelines in git becomes a read-only HTTP API, a website and downloads.')
    .version(version(), '-V, --version', 'print the version (also -v)')
    .enablePositionalOptions() // An option after `share list` belongs to that command, not to `share`.
    .addHelpText('after', `\nRun housestyle <command> --help for a command's options and examples.`)
  prepare(program, io)
  const parents = new Map<string, Program>()
  for (const command of commands) {
    const added = addCommand(parentOf(command, program, parents, io), command, io, action)
    parents.set(command.name, added)
  }
  return program
}

function prepare(program: Program, io: Io): void {
  program
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err, outputError: () => undefined, ...NO_COLORS })
    .configureHelp({ helpWidth: Math.min(io.columns, MAX_COLUMNS), subcommandTerm: command => command.name() })
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
}

const MAX_COLUMNS = 80

const NO_COLORS = { getOutHasColors: () => false, getErrHasColors: () => false }

/** The program itself, or for `share list` the command `share`, which is made for its first subcommand. */
function parentOf(command: Command, program: Program, parents: Map<string, Program>, io: Io): Program {
  const [word = '', rest] = command.name.split(' ')
  if (rest === undefined) return program
  const existing = parents.get(word)
  if (existing) return existing
  const parent = program
    .command(word)
    .description(FIRST_WORDS[word] ?? '')
    .helpGroup(headingOf(command))
  prepare(parent, io)
  parents.set(word, parent)
  return parent
}

function headingOf({ group }: Command): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}:`
}

function addCommand(parent: Program, command: Command, io: Io, action: Action): Program {
  const { name, operands, summary, options, examples } = command
  const added = parent.command(`${name.split(' ').at(-1)} ${operands}`.trim()).description(summary)
  prepare(added, io)
  if (!name.includes(' ')) added.helpGroup(headingOf(command))
  added.exitOverride(error => failWithExample(error, command))
  added.addHelpText('after', `\nExamples:\n${examples.map(example => `  housestyle ${example}`).join('\n')}`)
  for (const { flags, help, repeats, default: value } of options) {
    if (repeats) added.option(flags, help, (value: string, earlier: string[] = []) => [...earlier, value])
    else added.option(flags, help, value)
  }
  for (const { flag, value, help, default: standard } of settingsOf(command)) {
    const shown = standard === '' ? help : `${help} (default: ${standard})`
    // A switch without a value is on.
    added.addOption(new Option(value === SWITCH ? `${flag} [${value}]` : `${flag} <${value}>`, shown))
  }
  return added.action(() => action(command, added.args, added.opts()))
}

const SWITCH = 'on/off'

/** Adds an example to the message about a missing operand or value, if possible one with the affected option. */
function failWithExample(error: CommanderError, { examples }: Command): never {
  if (error.code !== 'commander.missingArgument' && error.code !== 'commander.optionMissingArgument') throw error
  const flag = groupsOf(/--[\w-]+/, error.message)[0]
  const example = examples.find(each => flag !== undefined && each.split(' ').includes(flag)) ?? examples[0]
  error.message += `: write, for example, \`housestyle ${example}\``
  throw error
}

/** Prints a usage error. An incomplete command such as `token` has already printed its help. */
async function printMisuse(error: CommanderError, args: readonly string[], io: Io): Promise<number> {
  if (error.code === 'commander.help') return EXIT.misused
  const message = error.message.replace(/^error: /, '').replace(/\s+/g, ' ')
  // The library has no field for the unknown word.
  const [, written] = groupsOf(/^unknown command '(.*?)'/, message)
  const meant = written === undefined ? undefined : await commandMeant(written, args)
  const text = meant === undefined ? message : `unknown command '${written}' (Did you mean ${meant}?)`
  return printFailure(new Misuse(text), args, io)
}

/** The command that is most similar to an unknown word, given the word before it. */
async function commandMeant(written: string, args: readonly string[]): Promise<string | undefined> {
  const { nearest } = await import('#intake/yaml/nearest.ts')
  const at = args.indexOf(written)
  const prefix = args
    .slice(0, Math.max(0, at))
    .map(word => `${word} `)
    .join('')
  const names = [...COMMANDS, ...commandsAbout(COMMANDS, run)].map(({ name }) => name)
  return nearest(
    written,
    names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length)),
  )
}

/** Prints the interruption only as JSON, because users know that they have interrupted a command. */
function printInterruption(args: readonly string[], io: Io): number {
  const message = 'the command was interrupted before it had finished'
  if (isJson(args)) printFailure(new CommandFailure('interrupted', message), args, io)
  return EXIT.interrupted
}

/** Prints the reason for a failure, as JSON with `--json`. Prints the stack of a fault only if the log level is debug. */
function printFailure(
  error: unknown,
  args: readonly string[],
  io: Io,
  options: Readonly<Record<string, unknown>> = {},
): number {
  const { code, message: text } = describeFailure(error)
  const message = commandsOf(options, io).completeCommands(text)
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

/** Whether `--json` was given. Looks at the raw arguments, because they may be malformed. */
function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? undefined : end).includes('--json')
}

/** The running command: `program` starts a suggested command, and its options name the store. */
type Caller = { options: Readonly<Record<string, unknown>>; program: string; environment: Io['environment'] }

/** A command that can be pasted into a shell. It starts like the running command, for example with `npx`, and uses the same store. */
export function commandLine(caller: Caller, name: string, operands: readonly string[] = []): string {
  return [caller.program, name, ...operands.map(shellWord), ...storeOptions(name, caller)].join(' ')
}

/**
 * The command line that the user wrote, without secrets and without `--port`. For a script of npm, these are the script
 * and the options that the user added: `npm run dev -- --json`.
 */
function writtenLine(args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io): string {
  const { npm_lifecycle_event: script = 'npx', npm_command: command = script } = io.environment
  const scriptWords = `${io.environment.npm_lifecycle_script}`.split(' ')
  // A script of npm may also start another program, which runs this one.
  const isScript = script !== 'npx' && scriptWords.includes(`${args[0]}`)
  const [start = 'housestyle', words] = isScript
    ? [`npm ${[...new Set([command, script])].join(' ')} --`, args.filter(word => !scriptWords.includes(word))]
    : [io.program, args]
  const secrets = Object.entries(SETTINGS)
    .filter(([, row]) => 'isSecret' in row)
    .map(([name]) => options[name])
  const secretTexts = secrets.filter(value => typeof value === 'string').filter(Boolean)
  const shown = words.map(word => visible(secretTexts.reduce((rest, secret) => rest.replaceAll(secret, '…'), word)))
  return [start, ...shown.map(shellWord)].join(' ').replace(/ --port[ =]\S+/g, '')
}

/** Completes each command in backticks in a message, `housestyle …`, as `commandLine` does. */
export function completeCommands(message: string, caller: Caller): string {
  return message.replace(/`housestyle ([^`]+)`/g, (_, command: string) => {
    const store = command.includes(' --data ') ? [] : storeOptions(command, caller)
    return `\`${[caller.program, command, ...store].join(' ')}\``
  })
}

/** The options of the running command that name the store, if a command takes them. */
function storeOptions(command: string, { options, environment }: Caller): string[] {
  const [first, second] = command.split(' ')
  const commandNamed = (name: string) => COMMANDS.find(each => each.name === name)
  const takesStore = (commandNamed(`${first} ${second}`) ?? commandNamed(`${first}`))?.settings.includes('data')
  const names = takesStore ? (['data', 'database', 'files'] as const) : []
  return names.flatMap(name => storeOption(name, options[name], environment))
}

/** Never prints an address that may contain a password; the shell reads it from the variable of the setting. */
function storeOption(name: 'data' | 'database' | 'files', value: unknown, environment: Io['environment']): string[] {
  if (typeof value !== 'string') return []
  const { environment: variable, value: kind } = SETTINGS[name]
  const isSecret = name !== 'data' && withoutPassword(value) !== value
  const secret = environment[variable] === value ? `"\${${variable}:?}"` : `<${kind}>`
  return [`--${name}`, isSecret ? secret : shellWord(visible(value))]
}

/** The start of the command line that ran this program: `housestyle` if it is installed, `npx housestyle` in a checkout. */
export function programName(
  script: string | undefined,
  { folder, environment }: { folder: () => string; environment: Readonly<Partial<Record<string, string>>> },
): string {
  if (environment.npm_command !== undefined) return 'npx housestyle'
  if (script === undefined || basename(script) !== 'housestyle.js') return 'housestyle'
  const checkout = dirname(dirname(script))
  // `npx` finds the program only in the checkout and below it.
  return /^\.\.(?:$|[\\/])/.test(relative(checkout, folder())) ? `node ${shellWord(script)}` : 'npx housestyle'
}
