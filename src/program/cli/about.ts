import { readFileSync } from 'node:fs'
import { PACKAGE } from '#platform/base/own-files.ts'
import { type Command, commandGroup, type Run } from './command.ts'
import { Misuse } from './failure.ts'

/** The commands about the program itself. `run` runs another command. */
export function commandsAbout(
  commands: readonly Command[],
  run: (args: readonly string[], io: Parameters<Run>[1]) => Promise<number>,
): readonly Command[] {
  const all = () => [...commands, ...about]
  const about = commandGroup('upkeep', {
    'completion <shell>': {
      summary: 'print a script that completes commands and options: bash, zsh or fish',
      json: null,
      settings: [],
      examples: ['bash', 'zsh', 'fish'],
      load: async () => (await import('./completion.ts')).printCompletion(all()),
    },
    version: {
      summary: 'print the version',
      settings: [],
      examples: [''],
      load: async () => async () => ({ json: { version: version() }, text: `${version()}\n` }),
    },
    'help [command...]': {
      summary: 'show all commands, or the options of one command',
      json: null,
      settings: [],
      examples: ['', 'token issue'],
      load: async () => helpFor(all(), run),
    },
  })
  return about
}

export function version(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8'))
  return version
}

/** `help [command...]`. An unknown command fails with the same message as without `help`. */
function helpFor(commands: readonly Command[], run: Parameters<typeof commandsAbout>[1]): Run {
  return async ({ operands }, io) => {
    const name = operands.join(' ')
    if (commands.some(each => name === '' || each.name === name || each.name.startsWith(`${name} `)))
      return run([...operands, '--help'], io)
    const start = commands.find(each => name.startsWith(`${each.name} `))
    if (start) throw new Misuse(`there is no command ${name}: see \`housestyle help ${start.name}\``)
    return run(operands, io)
  }
}
