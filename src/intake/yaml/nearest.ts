import { quoteWhole } from '../../base/text.ts'
import { mostSimilar } from '../../brand/similar.ts'
import { SYNONYMS } from './synonyms.ts'

/**
 * The known word that was probably meant: a synonym, a word with the same beginning, or one that differs in a few
 * letters.
 *
 * @param share the share of the known word that may differ
 */
export function nearest(text: string, words: readonly string[], share = 1 / 2): string | undefined {
  const word = text.toLowerCase()
  const same = words.find(each => each.toLowerCase() === word)
  return same ?? synonym(word, words) ?? mostSimilar(text, words, share)
}

function synonym(word: string, words: readonly string[]): string | undefined {
  return SYNONYMS.get(word.replace(/[^a-z0-9]/g, ''))?.find(ours => words.includes(ours))
}

/** The fix for an unknown name: the suggestion if there is one, else `otherwise`. */
export function advice(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${quoteWhole(meant)}?`
}
