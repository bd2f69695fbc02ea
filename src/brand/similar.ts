import { closest, distance } from 'fastest-levenshtein'

/** The known word that a misspelt one means: in another case, longer, or with up to a `share` of other letters. */
export function mostSimilar(text: string, words: readonly string[], share = 1 / 2): string | undefined {
  const word = text.toLowerCase()
  const known = words.map(each => each.toLowerCase())
  const same = words[known.indexOf(word)]
  if (same !== undefined || word.length < 2 || word.length > MAX_LENGTH || words.length === 0) return same
  const begun = words[known.findIndex(each => each.startsWith(word))]
  if (begun !== undefined) return begun
  const match = closest(word, known)
  return distance(word, match) <= match.length * share ? words[known.indexOf(match)] : undefined
}

/** Up to `max` known words, the most similar ones to a written word first. */
export function similarTo(text: string, words: readonly string[], max: number): string[] {
  const word = text.toLowerCase().slice(0, MAX_COMPARED)
  const costOf = (each: string): number => {
    const other = each.toLowerCase().slice(0, MAX_COMPARED)
    const hasOther = word !== '' && (other.includes(word) || word.includes(other))
    const penalty = hasOther ? 0 : 1
    return penalty + distance(word, other) / Math.max(word.length, other.length, 1)
  }
  const costs = words.slice(0, MAX_KNOWN).map(each => ({ each, cost: costOf(each) }))
  return costs
    .sort((a, b) => a.cost - b.cost)
    .slice(0, max)
    .map(({ each }) => each)
}

const MAX_LENGTH = 50
/** Limits that keep a comparison with many long words short. */
const MAX_COMPARED = 100
const MAX_KNOWN = 5000
