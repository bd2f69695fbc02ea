import type { Field } from './index-entries.ts'
import { wordsOf } from './words.ts'

/** The words of entries, numbered in the order in which they are added: each with the places where it stands. */
export type WordLists = {
  add: (fields: readonly Field[]) => void
  /** The terms in order, each with its places as an index has them. */
  sorted: () => (readonly [term: string, places: readonly number[]])[]
}

/** Collects the words of up to 2²³ entries. */
export function collectWords(): WordLists {
  const lists = new Map<string, number[]>()
  let entries = 0
  const listOf = (term: string): number[] | undefined => {
    const known = lists.get(term)
    if (known || lists.size === MAX_TERMS) return known
    const list: number[] = []
    lists.set(term, list)
    return list
  }
  return {
    add: fields => {
      const entry = entries++
      for (const [term, weight] of weightsOf(fields))
        listOf(term)?.push(entry * 256 + Math.min(255, Math.ceil(weight * 10)))
    },
    sorted: () => [...lists].sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

const MAX_TERMS = 250_000

/** How much each term says about an entry: more the second time, less in a longer text (BM25). */
function weightsOf(fields: readonly Field[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { text, weight, usual } of fields) {
    const words = wordsOf(text)
    const counts = new Map<string, number>()
    for (const { term } of words) counts.set(term, (counts.get(term) ?? 0) + 1)
    const damping = 0.3 + (0.9 * words.length) / usual
    for (const [term, count] of counts)
      weights.set(term, (weights.get(term) ?? 0) + (weight * count) / (count + damping))
  }
  return weights
}
