import { basename, dirname, relative } from 'node:path'
import { withoutPassword } from '../base/server-url.ts'
import { shellWord } from '../base/text.ts'
import { SETTINGS } from '../settings/table.ts'
import type { Io } from './command.ts'
import { COMMANDS } from './commands.ts'
import { visible } from './output/text.ts'

/** The running command: `program` starts a suggested command, and its options name the store. */
type Caller = { options: Readonly<Record<string, unknown>>; program: string; environment: Io['environment'] }

/** A command that can be pasted into a shell. It starts like the running command, for example with `npx`, and uses the same store. */
export function commandLine(caller: Caller, name: string, operands: readonly string[] = []): string {
  return [caller.program, name, ...operands.map(shellWord), ...storeOptions(name, caller)].join(' ')
}

/** Completes each command in a message, written as `` `housestyle status` ``, so that it can be pasted. */
export function completeCommands(message: string, caller: Caller): string {
  return message.replace(/`housestyle ([^`]+)`/g, (_, command: string) => {
    const store = command.includes(' --data ') ? [] : storeOptions(command, caller)
    return `\`${[caller.program, command, ...store].join(' ')}\``
  })
}

/** The options of the running command that name the store, if a command takes them. */
function storeOptions(command: string, { options, environment }: Caller): string[] {
  const [first, second] = command.split(' ')
  const named = (name: string) => COMMANDS.find(each => each.name === name)
  const takesStore = (named(`${first} ${second}`) ?? named(`${first}`))?.settings.includes('data')
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
  return /^\.\.(?:$|[\\/])/.test(relative(checkout, folder())) ? `node ${shellWord(script)}` : 'npx housestyle'
}
