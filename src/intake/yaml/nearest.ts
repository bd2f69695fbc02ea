import { closest, distance } from 'fastest-levenshtein'

/** The known word that somebody most likely meant: one that begins so, or one that few letters set apart. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const word = written.toLowerCase()
  if (word.length < 2 || word.length > 50) return undefined
  const begun = known.find(one => one.toLowerCase().startsWith(word))
  if (begun !== undefined) return begun
  const match = closest(word, known)
  return distance(word, match.toLowerCase()) <= match.length / 2 ? match : undefined
}
