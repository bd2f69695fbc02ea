import { readFileSync } from 'node:fs'
import { type Command, hasFlag, JSON_OPTION, type Run } from './command.ts'
import { CommandFailure } from './failure.ts'
import { EXIT } from './failure-codes.ts'
import { printJson } from './output/json.ts'

/** The commands about the program itself. `run` runs another command. */
export function commandsAbout(
  commands: readonly Command[],
  run: (args: readonly string[], io: Parameters<Run>[1]) => Promise<number>,
): readonly Command[] {
  const all = () => [...commands, ...about]
  const about: readonly Command[] = [
    {
      name: 'completion',
      group: 'upkeep',
      operands: '<shell>',
      summary: 'print a script that completes commands and options: bash, zsh or fish',
      settings: [],
      examples: ['completion bash', 'completion zsh', 'completion fish'],
      load: async () => (await import('./completion.ts')).printCompletion(all()),
    },
    {
      name: 'version',
      group: 'upkeep',
      summary: 'print the version',
      options: [JSON_OPTION],
      settings: [],
      examples: ['version'],
      load: async () => printVersion,
    },
    {
      name: 'help',
      group: 'upkeep',
      operands: '[command...]',
      summary: 'show all commands, or the options of one command',
      settings: [],
      examples: ['help', 'help token issue'],
      load: async () => helpFor(all(), run),
    },
  ]
  return about
}

/** The version of the program, such as `0.1.0`. */
export function version(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return version
}

const printVersion: Run = async (args, io) => {
  if (hasFlag(args, 'json')) printJson(io, { version: version() })
  else io.out(`${version()}\n`)
  return EXIT.done
}

/** `help [command...]`. An unknown command fails with the same message as without `help`. */
function helpFor(commands: readonly Command[], run: Parameters<typeof commandsAbout>[1]): Run {
  return async ({ operands }, io) => {
    const name = operands.join(' ')
    if (commands.some(each => name === '' || each.name === name || each.name.startsWith(`${name} `)))
      return run([...operands, '--help'], io)
    const known = commands.find(each => name.startsWith(`${each.name} `))
    if (known) throw new CommandFailure('usage', `there is no command ${name}: see \`housestyle help ${known.name}\``)
    return run(operands, io)
  }
}
