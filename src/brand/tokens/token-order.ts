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
  const last = new Map<string, { name: string; value: Json }[]>()
  const kept = sets.toReversed().map(({ name, tokens, notes }) => {
    const isOther = isOtherScheme(name)
    const left = tokens.filter(({ path, value }) => {
      const later = last
        .get(path.join('.'))
        ?.find(each => isOther === isOtherScheme(each.name) && meet(each.name, name, themes))
      if (later && jsonText(later.value) !== jsonText(value))
        addNote(notes, { name: path.join('.'), value: jsonText(value) }, 'replaced')
      return later === undefined
    })
    for (const { path, value } of left) {
      const key = path.join('.')
      last.set(key, [...(last.get(key) ?? []), { name, value }])
    }
    return left
  })
  return kept.reverse()
}

/** The states of a set that a theme does not have. */
const DISABLED: ReadonlySet<Json | undefined> = new Set([undefined, null, 'disabled'])

/** Whether a theme of Tokens Studio has both sets, or there is none. */
function meet(one: string, other: string, themes: Json | undefined): boolean {
  const chosen = listIn(themes)
    .map(theme => member(theme, 'selectedTokenSets'))
    .filter(isObject)
  const has = (sets: JsonObject, name: string) => !DISABLED.has(sets.get(name))
  return chosen.length === 0 || chosen.some(sets => has(sets, one) && has(sets, other))
}
