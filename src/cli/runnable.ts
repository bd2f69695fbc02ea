import { shellWord } from '../base/text.ts'
import { COMMANDS } from './commands.ts'
import { visible } from './output/text.ts'

/**
 * A text for people in which each command of housestyle can be pasted as it is: it begins as the current command did, such
 * as with `npx`, and names the same store.
 */
export function runnable(
  text: string,
  { options, program }: { options: Readonly<Record<string, unknown>>; program: string },
): string {
  const store = STORE_OPTIONS.flatMap(name => storeOption(name, options[name])).join('')
  return text.replace(COMMAND, (found: string, words: string, operands: string, offset: number) => {
    const command = commandOf(words)
    if (!command) return found
    const rest = `${words.slice(command.name.length)}${operands}`
    const takesStore = command.settings.includes('data') && !/^[^;\n]*? --data /.test(text.slice(offset))
    // A word behind the name may belong to the sentence, so the options come before it.
    const isOperand = rest === '' || operands !== ''
    const added = takesStore ? store : ''
    return `${program} ${command.name}${isOperand ? rest + added : added + rest}`
  })
}

const STORE_OPTIONS = ['data', 'database', 'files'] as const

/** A command, and behind it operands that cannot be words of the sentence: `<folder>`, `acme/guidelines`, `--all`, `'a b'`. */
const COMMAND =
  /(?<![\w/.-])housestyle ([a-z]+(?: [a-z]+)?(?![\w/]))((?: (?:<[^>]*>|--[a-z-]+|'[^']*'|[0-9a-f]{16}|[^\s/;:,"']+\/[^\s;:,"']*))*)/g

function commandOf(words: string): (typeof COMMANDS)[number] | undefined {
  const [first] = words.split(' ')
  return COMMANDS.find(({ name }) => name === words) ?? COMMANDS.find(({ name }) => name === first)
}

/** An address that may hold a password is not repeated. */
function storeOption(name: (typeof STORE_OPTIONS)[number], value: unknown): string[] {
  if (typeof value !== 'string') return []
  const isSecret = name !== 'data' && /[@?]/.test(value)
  return [` --${name} ${isSecret ? '…' : shellWord(visible(value))}`]
}
