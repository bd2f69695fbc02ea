import { anyOf, wordsIn, wordTable } from '#platform/base/text.ts'
import { cssCall } from './values.ts'

/** How a selector matches the root element (a `Tier`), and its specificity (Selectors 4 §17) as one number. */
export type RootMatch = { tier: number; specificity: number }

/** What a value of the root comes from, the strongest last; rules that are not for the root come first. */
export const TIER = { other: 0, initial: 1, assumed: 2, root: 3 } as const

/**
 * Matches a list of selectors with the root element of a page without classes and attributes. `body`, `.light` and the
 * like are assumed to be for it. `parent` is the match of the rule around a nested one.
 */
export function matchRoot(selectors: readonly string[], parent?: RootMatch): RootMatch {
  const matches = selectors.map(selector => matchSelector(selector, parent))
  const tier = highest(matches, 'tier')
  return {
    tier,
    specificity: highest(
      matches.filter(each => each.tier === tier),
      'specificity',
    ),
  }
}

function highest(matches: readonly RootMatch[], key: keyof RootMatch): number {
  return matches.reduce((most, each) => Math.max(most, each[key]), 0)
}

function matchSelector(selector: string, parent: RootMatch | undefined): RootMatch {
  const parts: readonly string[] = selector.match(SIMPLE) ?? []
  const matches = parts.map(part => matchSimple(part, parent))
  const specificity = matches.reduce((sum, each) => sum + each.specificity, 0)
  // The root is in no other element: nothing is before a combinator, and a nested rule has to name its parent.
  const isAlone = parts.join('') === (selector || undefined) && (!parent || parts.includes('&'))
  return { tier: isAlone ? Math.min(...matches.map(({ tier }) => tier)) : TIER.other, specificity }
}

/** `&`, `*`, `[name=value]`, `html`, `.name`, `#name`, `:name`, `:name(…)`. */
const SIMPLE = /[&*]|\[[^[\]]*\]|[.#:]{0,2}[\w-]+(?:\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\))?/g

function matchSimple(part: string, parent: RootMatch | undefined): RootMatch {
  const { name, args } = cssCall(part)
  const matches = args.map(selector => matchSelector(selector, selector.includes('&') ? parent : undefined))
  if (name !== '') return (FUNCTIONS.get(name) ?? noMatch)(matches)
  if (part === '&') return parent ?? { tier: TIER.assumed, specificity: 0 }
  const tier = TIERS.get(part.toLowerCase()) ?? (LIGHT.test(part) ? TIER.assumed : TIER.other)
  return { tier, specificity: SPECIFICITIES.get(part.charAt(0)) ?? 1 }
}

type MatchedList = (list: readonly RootMatch[]) => RootMatch

const noMatch: MatchedList = list => ({ tier: TIER.other, specificity: highest(list, 'specificity') })
const bestOf: MatchedList = list => ({ tier: highest(list, 'tier'), specificity: highest(list, 'specificity') })

const FUNCTIONS = wordTable<MatchedList>([
  [bestOf, ':is :matches :-webkit-any'],
  [list => ({ ...bestOf(list), specificity: 0 }), ':where'],
  // A page has no class, so that `:not(.light)` holds.
  [list => (bestOf(list).tier === TIER.root ? noMatch(list) : { ...bestOf(list), tier: TIER.root }), ':not'],
])

const TIERS = wordTable<number>([
  [TIER.root, ':root :scope html *'],
  [TIER.assumed, ':host body'],
])

/** `.light`, `[data-theme=default]`, `.theme-light`, and none that says dark, too. */
const LIGHT = lightPattern()

function lightPattern(): RegExp {
  const light = anyOf(wordsIn('light, default'))
  const named = `(?=.*${light})[.[].*${anyOf(wordsIn('theme, mode, scheme'))}`
  return new RegExp(`^(?!.*${anyOf(wordsIn('dark, night, contrast'))})(?:\\.${light}$|${named})`, 'i')
}

const OF_ID = 1_000_000
const SPECIFICITIES: ReadonlyMap<string, number> = new Map([
  ['#', OF_ID],
  ['.', 1000],
  ['[', 1000],
  [':', 1000],
  ['*', 0],
])
