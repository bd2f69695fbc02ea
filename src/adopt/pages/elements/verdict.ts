import { valuesAt } from '#platform/base/object.ts'
import { spacedName, wordTable } from '#platform/base/text.ts'
import type { Prop } from './props.ts'

/* What elements say to do and not to do: the only words that decide what an element becomes. */

export type Verdict = 'Do' | "Don't"

const VERDICTS = wordTable<Verdict>([
  ['Do', 'do dos good correct'],
  ["Don't", 'dont donts bad incorrect wrong misuse avoid'],
])
const OPPOSITES = { Do: "Don't", "Don't": 'Do' } as const

/** What the words of a name say, such as `DontCard`; undefined for both or neither, and beside more than one other word. */
export function verdictIn(name: string, maxOthers = 1): Verdict | undefined {
  const words = wordsIn(name)
  const verdicts = valuesAt(VERDICTS, words)
  const isClear = new Set(verdicts).size === 1 && words.length - verdicts.length <= maxOthers
  return isClear ? verdicts[0] : undefined
}

function wordsIn(name: string): string[] {
  return spacedName(name.replace(/['’]/g, ''))
    .toLowerCase()
    .replace(/\bdo[\s_-]?no?t/g, 'dont')
    .split(/[^a-z]+/)
    .filter(word => word !== '')
}

/** What a prop such as `correct`, `isDo={false}` or `type="dont"` says. */
function verdictOf({ name, value }: Prop): Verdict | undefined {
  if (typeof value === 'string') return verdictIn(value, 0)
  const said = typeof value === 'boolean' ? verdictIn(name) : undefined
  return said !== undefined && value === false ? OPPOSITES[said] : said
}

/** What an element says by its name or by a prop, which is no text then. */
export function readVerdict(name: string, props: readonly Prop[]): { verdict: Verdict; rest: Prop[] } | undefined {
  const flag = props.find(verdictOf)
  const [verdict] = [verdictIn(name), ...props.map(verdictOf)].filter(said => said !== undefined)
  return verdict && { verdict, rest: props.filter(prop => prop !== flag) }
}
