import { setImmediate as nextTurn } from 'node:timers/promises'
import { questionWords } from '../../search/question.ts'
import { isFormOf } from '../../search/word-forms.ts'
import { type Word, wordsOf } from '../../search/words.ts'

/**
 * The entries that match a query best, as `coverage` counts; all entries for an empty query. Reading the words of
 * thousands of entries takes long, so other requests get a turn after each batch.
 */
export async function matching<Entry>(
  entries: readonly Entry[],
  query: string,
  textOf: (entry: Entry) => string,
): Promise<Entry[]> {
  const terms = questionWords(query)
  if (terms.length === 0) return [...entries]
  const counted: { entry: Entry; count: number }[] = []
  for (let at = 0; at < entries.length; at += BATCH_SIZE) {
    for (const entry of entries.slice(at, at + BATCH_SIZE))
      counted.push({ entry, count: coverage(terms, textOf(entry)) })
    await nextTurn()
  }
  const most = counted.reduce((max, { count }) => Math.max(max, count), 0)
  return most === 0 ? [] : counted.filter(({ count }) => count === most).map(({ entry }) => entry)
}

const BATCH_SIZE = 500

/** Counts the terms that a text has in any form, and once more each term right after the one before it: "dark background". */
function coverage(terms: readonly string[], text: string): number {
  const words = wordsOf(text)
  let count = 0
  for (const [at, term] of terms.entries()) {
    const before = terms[at - 1]
    let isInText = false
    let isPhrase = false
    for (const [place, word] of words.entries()) {
      if (isPhrase || !isMatch(word, term)) continue
      isInText = true
      const previous = words[place - 1]
      const isNext = previous && /^[\s-]*$/.test(text.slice(previous.end, word.start))
      isPhrase = before !== undefined && isNext === true && isMatch(previous, before)
    }
    count += (isInText ? 1 : 0) + (isPhrase ? 1 : 0)
  }
  return count
}

function isMatch({ term }: Word, wanted: string): boolean {
  return term === wanted || (wanted.length >= 3 && term.startsWith(wanted)) || isFormOf(term, wanted)
}
