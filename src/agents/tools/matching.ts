import { inSteps } from '../../base/steps.ts'
import { type Word, wordsOf } from '../../search/words.ts'

/**
 * The words of a question that can find content. Words such as "which" or "the"
 * are in most pages, and the index reads only some words of a query.
 */
export function queryTerms(query: string): string[] {
  const all = [...new Set(wordsOf(query).map(({ term }) => term))]
  const telling = all.filter(term => !COMMON.has(term))
  return (telling.length > 0 ? telling : all).slice(0, MAX_TERMS)
}

const MAX_TERMS = 16

/** The entries that match a query best, as `coverage` counts; all entries for an empty query. */
export async function matching<Entry>(
  entries: readonly Entry[],
  query: string,
  textOf: (entry: Entry) => string,
): Promise<Entry[]> {
  const terms = queryTerms(query)
  if (terms.length === 0) return [...entries]
  const counted = await inSteps(entries, entry => ({ entry, count: coverage(terms, textOf(entry)) }))
  const most = counted.reduce((max, { count }) => Math.max(max, count), 0)
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ entry }) => entry)
}

/** Counts the terms in a string, and again each term directly after the previous one: "dark background". */
export function coverage(terms: readonly string[], text: string): number {
  const words = wordsOf(text)
  let count = 0
  for (const [at, term] of terms.entries()) {
    const before = terms[at - 1]
    let [isFound, isPhrase] = [false, false]
    for (const [place, word] of words.entries()) {
      if (isPhrase || !isMatch(word, term)) continue
      isFound = true
      const previous = words[place - 1]
      const isNext = previous && /^[\s-]*$/.test(text.slice(previous.end, word.start))
      isPhrase = before !== undefined && isNext === true && isMatch(previous, before)
    }
    count += (isFound ? 1 : 0) + (isPhrase ? 1 : 0)
  }
  return count
}

function isMatch({ term }: Word, wanted: string): boolean {
  return term === wanted || (wanted.length >= 3 && term.startsWith(wanted)) || singular(term) === singular(wanted)
}

function singular(term: string): string {
  return term.length > 3 ? term.replace(/s$/, '') : term
}

const COMMON = new Set(
  'a about an and any are as at be by can could do does for from have how i in is it its may me must my need of on or our please shall should tell that the their there these they this to us use used using want was we what when where which who why will with would you your'.split(
    ' ',
  ),
)
