import { closest, distance } from 'fastest-levenshtein'

/**
 * The known word that a misspelt one means: in another case (`HEX`), longer (`descr`), or with up to a `share` of other
 * letters (`colro`); undefined if there is none.
 */
export function mostSimilar(text: string, words: readonly string[], share = 1 / 2): string | undefined {
  const word = text.toLowerCase()
  const lowerWords = words.map(known => known.toLowerCase())
  const sameWord = words[lowerWords.indexOf(word)]
  if (sameWord !== undefined || word.length < 2 || word.length > MAX_LENGTH || words.length === 0) return sameWord
  const longerWord = words[lowerWords.findIndex(known => known.startsWith(word))]
  if (longerWord !== undefined) return longerWord
  const match = closest(word, lowerWords)
  return distance(word, match) <= match.length * share ? words[lowerWords.indexOf(match)] : undefined
}

/** Up to `max` known words, the most similar ones to a written word first. */
export function similarTo(text: string, words: readonly string[], max: number): string[] {
  const word = text.toLowerCase().slice(0, MAX_COMPARED)
  /** Words that contain the other one come first; then the share of different letters counts. */
  const costOf = (knownWord: string): number => {
    const known = knownWord.toLowerCase().slice(0, MAX_COMPARED)
    const isPart = word !== '' && (known.includes(word) || word.includes(known))
    const penalty = isPart ? 0 : 1
    return penalty + distance(word, known) / Math.max(word.length, known.length, 1)
  }
  const costs = words.slice(0, MAX_KNOWN).map(knownWord => ({ knownWord, cost: costOf(knownWord) }))
  return costs
    .sort((a, b) => a.cost - b.cost)
    .slice(0, max)
    .map(({ knownWord }) => knownWord)
}

const MAX_LENGTH = 50
/** Limits that keep a comparison with many long words short. */
const MAX_COMPARED = 100
const MAX_KNOWN = 5000
