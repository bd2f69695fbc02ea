import { SCOPES } from '#brand/contract/operations.ts'
import { COMMAND_FORMATS, FORMATS } from '#delivery/export/formats.ts'
import { quote, shellWord } from '#platform/base/text.ts'
import { LOG_LEVELS } from '#platform/settings/table.ts'
import { ALGORITHMS } from '#serving/access/keys/jose.ts'
import { type Command, FINDING_FORMATS, type Run, settingsOf } from './command.ts'
import { EXIT, Misuse } from './failure.ts'

/** `completion <shell>`: prints a script that completes these commands and their options. */
export function printCompletion(commands: readonly Command[]): Run {
  return async ({ operands: [shell = ''] }, io) => {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
    if (!script) {
      const known = Object.keys(SCRIPTS).join(', ')
      throw new Misuse(`there is no completion for the shell ${quote(shell)}: write one of ${known}`)
    }
    io.out(script(entriesOf(commands)))
    return EXIT.done
  }
}

/** The possible next words after a name: `''` for the program, `token`, `token issue`. */
type Entry = { name: string; words: readonly Word[] }

type Word = { text: string; help: string }

function entriesOf(commands: readonly Command[]): Entry[] {
  const firstWords = commands.map(({ name }) => name.split(' ')[0] ?? '')
  const names = new Set(['', ...firstWords, ...commands.map(({ name }) => name)])
  return [...names].map(name => {
    const command = commands.find(each => each.name === name)
    const options = command ? optionsOf(command) : name === '' ? [VERSION] : []
    return { name, words: [...wordsAfter(name, commands), ...options, HELP] }
  })
}

/** The known values of options. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--to': [...FORMATS, ...COMMAND_FORMATS].map(({ id }) => id),
  '--format': FINDING_FORMATS,
  '--scope': SCOPES,
  '--log': LOG_LEVELS,
  '--algorithm': ALGORITHMS,
}

const HELP = { text: '--help', help: 'show the help' }
const VERSION = { text: '--version', help: 'print the version' }

/** The next words of the commands that begin with a name: after `token`, `issue` and `list`. `help` takes every command. */
function wordsAfter(name: string, commands: readonly Command[]): Word[] {
  const start = name === '' ? '' : `${name} `
  const words = new Map<string, string>()
  for (const { name: commandName, summary } of commands) {
    const rest = commandName.slice(start.length).split(' ')
    const [word = ''] = rest
    if (!commandName.startsWith(start) || word === '') continue
    // The help of `share` is its own, and not that of `share list`.
    if (rest.length === 1 || !words.has(word)) words.set(word, summary)
  }
  if (name === 'help') return wordsAfter('', commands)
  return [...words].map(([text, help]) => ({ text, help }))
}

function optionsOf(command: Command): Word[] {
  const { name, options } = command
  if (name === 'completion') return Object.keys(SCRIPTS).map(text => ({ text, help: `for ${text}` }))
  const ownOptions = options.map(({ flags, help }) => ({ text: flags.split(' ')[0] ?? '', help }))
  return [...ownOptions, ...settingsOf(command).map(({ flag, help }) => ({ text: flag, help }))]
}

const SCRIPTS: Readonly<Record<string, (entries: readonly Entry[]) => string>> = { bash, zsh, fish }

/** The words before the cursor choose the case. If no word of the case matches, bash completes a file name. */
function bash(entries: readonly Entry[]): string {
  const body = ({ words }: Entry) => `words=${shellWord(words.map(({ text }) => text).join(' '))}`
  return `# Source this in ~/.bashrc: source <(housestyle completion bash)
_housestyle() {
  local words=''
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases(entries, body)}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(values => `words=${shellWord(values.join(' '))}`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _housestyle housestyle
`
}

function zsh(entries: readonly Entry[]): string {
  const body = ({ words }: Entry) => `list=(${words.map(({ text, help }) => shellWord(`${text}:${help}`)).join(' ')})`
  return `#compdef housestyle
# Source this in ~/.zshrc, after compinit: source <(housestyle completion zsh)
_housestyle() {
  local -a list
  case "\${(j: :)words[2,CURRENT-1]} " in
${cases(entries, body)}
  esac
  case "\${words[CURRENT-1]}" in
${valueCases(values => `list=(${values.map(shellWord).join(' ')})`)}
  esac
  _describe housestyle list || _files
}
if [ "\${funcstack[1]}" = _housestyle ]; then _housestyle "$@"; else compdef _housestyle housestyle; fi
`
}

/** A case for each option with known values; the word before the cursor chooses it. */
function valueCases(body: (values: readonly string[]) => string): string {
  return Object.entries(VALUES)
    .map(([option, values]) => `    ${option}) ${body(values)} ;;`)
    .join('\n')
}

/** A case for each command, longest first. A space follows each word. */
function cases(entries: readonly Entry[], body: (entry: Entry) => string): string {
  const wordCount = ({ name }: Entry) => name.split(' ').length
  return entries
    .toSorted((one, other) => wordCount(other) - wordCount(one))
    .map(entry => `    ${entry.name === '' ? "' '" : `'${entry.name} '*`}) ${body(entry)} ;;`)
    .join('\n')
}

/**
 * A line for each word, with its condition. Subcommands must be next (`_at`), options may come anywhere after their
 * command (`_after`): those of `share` after `share`, but not after `share list`.
 */
function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ name, words }) => {
    const subcommands = entries.filter(other => name !== '' && other.name.startsWith(`${name} `))
    const isNoSubcommand = subcommands.map(other => `; and not __housestyle_after ${other.name}`).join('')
    return words.map(({ text, help }) => {
      const values = VALUES[text] ? ` -x -a ${fishText(VALUES[text].join(' '))}` : ''
      const word = text.startsWith('--') ? `-l ${text.slice(2)}${values}` : `-f -a ${text}`
      const condition =
        text.startsWith('--') && name !== '' ? `__housestyle_after ${name}${isNoSubcommand}` : `__housestyle_at ${name}`
      return `complete -c housestyle -n ${fishText(condition.trim())} ${word} -d ${fishText(help)}`
    })
  })
  return `# Save this: housestyle completion fish > ~/.config/fish/completions/housestyle.fish
function __housestyle_at
  set -l words (commandline -opc)
  test "$words[2..-1]" = "$argv"
end
function __housestyle_after
  set -l words (commandline -opc)
  set -l last (math (count $argv) + 1)
  test "$words[2..$last]" = "$argv"
end
${lines.join('\n')}
`
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
