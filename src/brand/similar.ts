import { closest, distance } from 'fastest-levenshtein'

/**
 * The known word that a misspelt one most likely stands for: the same in another case, one that starts with it, or one
 * that differs in few letters.
 *
 * @param share how much of the known word may differ
 */
export function mostSimilar(written: string, known: readonly string[], share = 1 / 2): string | undefined {
  const word = written.toLowerCase()
  const same = known.find(each => each.toLowerCase() === word)
  if (same !== undefined || word.length < 2 || word.length > MAX_LENGTH || known.length === 0) return same
  const begun = known.find(each => each.toLowerCase().startsWith(word))
  if (begun !== undefined) return begun
  const match = closest(word, known)
  return distance(word, match.toLowerCase()) <= match.length * share ? match : undefined
}

const MAX_LENGTH = 50
