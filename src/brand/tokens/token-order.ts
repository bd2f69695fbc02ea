import { isObject, type Json, type JsonObject, jsonText, member } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'
import { addNote, type Notes } from './found-styles.ts'
import { isOtherScheme } from './scheme.ts'

/** The tokens of a set or file, and whether a later one may replace them. */
export type TokenSet<Item> = { name: string; tokens: readonly Item[]; notes: Notes }

/**
 * The tokens of sets in order without those that a later set has with another value, as Tokens Studio and Style
 * Dictionary merge them. A set for dark replaces none, and sets of different themes do not meet.
 */
export function withoutReplaced<Item extends { path: readonly string[]; value: Json }>(
  sets: readonly TokenSet<Item>[],
  themes?: Json,
): Item[][] {
  /** The tokens of the sets that were read, from the last one on, by path, with the names of their sets. */
  const laterTokens = new Map<string, { name: string; value: Json }[]>()
  const keptTokens = sets.toReversed().map(({ name, tokens, notes }) => {
    const isOther = isOtherScheme(name)
    const kept = tokens.filter(({ path, value }) => {
      const replacement = laterTokens
        .get(path.join('.'))
        ?.find(later => isOther === isOtherScheme(later.name) && meet(later.name, name, themes))
      if (replacement && jsonText(replacement.value) !== jsonText(value))
        addNote(notes, { name: path.join('.'), value: jsonText(value) }, 'replaced')
      return replacement === undefined
    })
    for (const { path, value } of kept) {
      const key = path.join('.')
      laterTokens.set(key, [...(laterTokens.get(key) ?? []), { name, value }])
    }
    return kept
  })
  return keptTokens.reverse()
}

/** The states of a set that a theme does not have. */
const DISABLED: ReadonlySet<Json | undefined> = new Set([undefined, null, 'disabled'])

/** Whether a theme of Tokens Studio has both sets, or there is none. */
function meet(one: string, other: string, themes: Json | undefined): boolean {
  const setsOfThemes = listIn(themes)
    .map(theme => member(theme, 'selectedTokenSets'))
    .filter(isObject)
  const has = (sets: JsonObject, name: string) => !DISABLED.has(sets.get(name))
  return setsOfThemes.length === 0 || setsOfThemes.some(sets => has(sets, one) && has(sets, other))
}
