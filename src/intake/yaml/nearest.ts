import { closest, distance } from 'fastest-levenshtein'
import { quote } from '../../base/text.ts'
import { SYNONYMS } from './synonyms.ts'

/**
 * The known word that was probably meant: our word for the written one, one that starts with it, or one that differs in
 * few letters.
 *
 * @param share how much of the known word may differ
 */
export function nearest(written: string, known: readonly string[], share = 1 / 2): string | undefined {
  const word = written.toLowerCase()
  if (word.length < 2 || word.length > MAX_LENGTH || known.length === 0) return undefined
  const own = known.find(one => one.toLowerCase() === word) ?? synonym(word, known)
  if (own !== undefined) return own
  const begun = known.find(one => one.toLowerCase().startsWith(word))
  if (begun !== undefined) return begun
  const match = closest(word, known)
  return distance(word, match.toLowerCase()) <= match.length * share ? match : undefined
}

const MAX_LENGTH = 50

function synonym(word: string, known: readonly string[]): string | undefined {
  return SYNONYMS.get(word.replace(/[^a-z0-9]/g, ''))?.find(ours => known.includes(ours))
}

/** What to do about a name that leads nowhere: what `otherwise` says, unless another was probably meant. */
export function advice(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${quote(meant)}?`
}
