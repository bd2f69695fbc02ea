import { closest, distance } from 'fastest-levenshtein'
import { quote } from '../../base/text.ts'

/** The known word that was probably meant: one that starts with what was written, or differs in few letters. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const word = written.toLowerCase()
  if (word.length < 2 || word.length > 50 || known.length === 0) return undefined
  const begun = known.find(one => one.toLowerCase().startsWith(word))
  if (begun !== undefined) return begun
  const match = closest(word, known)
  return distance(word, match.toLowerCase()) <= match.length / 2 ? match : undefined
}

/** What to do about a name that leads nowhere: what `otherwise` says, unless another was probably meant. */
export function advice(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${quote(meant)}?`
}
