import { quote } from '../../base/text.ts'
import { mostSimilar } from '../../brand/similar.ts'
import { SYNONYMS } from './synonyms.ts'

/**
 * The known word that was probably meant: our word for the written one, one that starts with it, or one that differs in
 * few letters.
 *
 * @param share how much of the known word may differ
 */
export function nearest(written: string, known: readonly string[], share = 1 / 2): string | undefined {
  const word = written.toLowerCase()
  const same = known.find(each => each.toLowerCase() === word)
  return same ?? synonym(word, known) ?? mostSimilar(written, known, share)
}

function synonym(word: string, known: readonly string[]): string | undefined {
  return SYNONYMS.get(word.replace(/[^a-z0-9]/g, ''))?.find(ours => known.includes(ours))
}

/** What to do about a name that leads nowhere: what `otherwise` says, unless another was probably meant. */
export function advice(meant: string | undefined, otherwise: string): string {
  return meant === undefined ? otherwise : `did you mean ${quote(meant)}?`
}
