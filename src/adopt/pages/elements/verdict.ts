import { wordTable } from '#platform/base/text.ts'
import type { Prop } from './props.ts'

/* What elements say to do and not to do: the only words that decide what an element becomes. */

type Verdict = 'Do' | "Don't"

const VERDICTS = wordTable<Verdict>([
  ['Do', 'do dos good correct'],
  ["Don't", 'dont donts bad incorrect wrong misuse avoid'],
])

/** What the words of a name say, such as `DontCard`; undefined for both or neither, and beside more than one other word. */
export function verdictIn(name: string, maxOthers = 1): Verdict | undefined {
  const { verdicts, others } = readWords(name)
  const [verdict, ...more] = verdicts
  return more.length > 0 || others > maxOthers ? undefined : verdict
}

/** The verdicts in a name, and the number of its other words. */
function readWords(name: string): { verdicts: ReadonlySet<Verdict>; others: number } {
  const words = wordsIn(name)
  const verdicts = words.flatMap(word => VERDICTS.get(word) ?? [])
  return { verdicts: new Set(verdicts), others: words.length - verdicts.length }
}

function wordsIn(name: string): string[] {
  const spaced = name.replace(/['’]/g, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return (
    spaced
      .toLowerCase()
      .replace(/\bdo[\s_-]?no?t/g, 'dont')
      .match(/[a-z]+/g) ?? []
  )
}

/** What a prop such as `correct`, `isDo={false}` or `type="dont"` says. */
export function verdictOf({ name, value }: Prop): Verdict | undefined {
  if (typeof value !== 'boolean') return typeof value === 'string' ? verdictIn(value, 0) : undefined
  const said = verdictIn(name)
  return said === undefined || value ? said : said === 'Do' ? "Don't" : 'Do'
}

/** What an element says by its name or by a prop, which is no text then. */
export function readVerdict(
  name: string,
  props: readonly Prop[],
  page: string,
): { verdict: Verdict; rest: Prop[] } | undefined {
  const flag = props.find(verdictOf)
  const verdict = verdictIn(name) ?? (flag && verdictOf(flag)) ?? contrast(name, page)
  return verdict && { verdict, rest: props.filter(prop => prop !== flag) }
}

/** The verdict of an element named for both, without a prop for it: the one that others of its name do not have. */
function contrast(name: string, page: string): Verdict | undefined {
  const { verdicts, others } = readWords(name)
  if (verdicts.size < 2 || others > 1) return undefined
  const tags = page.matchAll(new RegExp(`<${RegExp.escape(name)}\\s([^<>]*)`, 'g'))
  const said = new Set(
    tags.flatMap(([, props = '']) => [...props.matchAll(/=["'](\w+)["']/g)].map(([, word = '']) => verdictIn(word, 0))),
  )
  if (said.has('Do') === said.has("Don't")) return undefined
  return said.has('Do') ? "Don't" : 'Do'
}
