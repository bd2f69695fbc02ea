import { slug } from '#brand/ids.ts'
import type { Token } from '#brand/tokens/token-tree.ts'
import { wordSet } from '#platform/base/text.ts'

type Place = Pick<Token, 'path' | 'set'>

/** The shortest end of a path that is clear and unique becomes the name, the groups above it the group. */
export function nameColors(tokens: readonly Place[]): { name: string; group?: string }[] {
  const paths = tokens.map(({ set, path }) => ({ whole: [...set, ...withoutFirst(path, COLORS)], sets: set.length }))
  // The last part, unless it is unclear without the one before it: `500`, `default`.
  const starts = paths.map(({ whole }) =>
    Math.max(
      0,
      whole.findLastIndex(part => !UNCLEAR.has(part.toLowerCase()) && !NO_WORD.test(part)),
    ),
  )
  while (lengthenShared(paths, starts)) {} // Each call makes at least one name longer.
  return paths.map(({ whole, sets }, at) => {
    const group = whole.slice(sets, -1).join(' / ')
    return { name: whole.slice(starts[at]).join(' '), ...(group !== '' && { group }) }
  })
}

/** The name in a key such as `color-sea` or `font-family-text`: its words without that of its kind before them. */
export function nameInKey(key: string): string {
  const words = withoutFirst(key.split(/[-_]+/), KINDS)
  return withoutFirst(words, FAMILY).join(' ')
}

const KINDS = wordSet('color colors colour colours clr font')
const FAMILY = wordSet('family')

/** Names type styles by their whole paths: `heading h1 bold`. */
export function nameTypes(tokens: readonly Place[]): string[] {
  const plain = tokens.map(({ set, path }) => ({ set, name: withoutFirst(path, TYPES).join(' ') }))
  const sharing = Map.groupBy(plain, ({ name }) => slug(name))
  const shared = new Set([...sharing.values()].filter(({ length }) => length > 1).flat())
  return plain.map(each => (shared.has(each) ? [...each.set, each.name].join(' ') : each.name))
}

const COLORS = wordSet('color colors colour colours')
const TYPES = wordSet('typography typographies textstyle textstyles text-style text-styles')

function withoutFirst(path: readonly string[], words: ReadonlySet<string>): readonly string[] {
  const [first = '', ...rest] = path
  return rest.length > 0 && words.has(first.toLowerCase()) ? rest : path
}

/** Parts that are unclear without the one before. */
const UNCLEAR = wordSet(`default base main root value light lighter lightest dark darker darkest mid medium hover active
  disabled focus pressed`)
/** `500`, `p2` */
const NO_WORD = /^(?:\P{L}.*|\p{L}?\d*)$/u

/** Adds one part to names that several colours share, if possible. Returns whether any name changed. */
function lengthenShared(paths: readonly { whole: readonly string[] }[], starts: number[]): boolean {
  const names = paths.map(({ whole }, at) => slug(whole.slice(starts[at]).join(' ')))
  const sharing = Map.groupBy(paths.keys(), at => names[at])
  const places = [...sharing.values()].filter(({ length }) => length > 1).flat()
  const longer = places.filter(at => starts[at])
  for (const at of longer) starts[at] = (starts[at] ?? 0) - 1
  return longer.length > 0
}
