import type { Column } from './blocks.ts'
import {
  beginningOf,
  isFormOf,
  isTypoOf,
  isUnspaced,
  MAX_WORD,
  nameTerm,
  otherBeginnings,
  spellingsOf,
  type Word,
  wordsOf,
} from './words.ts'

export type WordIndex = { find: (text: string) => WordMatches }

/** The matches for the first eight words of a query. */
export type WordMatches = {
  /** The score of each entry; 0 for no match. */
  scores: Float32Array
  /** Whether the entries have all words of the query; otherwise they have some. */
  hasAll: boolean
  /** Whether a word of an entry matches the query. */
  isWanted: (word: Word) => boolean
  /** The number of terms that the search read. */
  termsRead: number
}

/**
 * Makes an index with a cost limit for every query: a search reads a limited number of terms and postings. The last
 * word also matches as the beginning of a word. A word of four letters or more without matches may have one typo. Other
 * forms of a word count less, and a name that equals the query comes first (decisions/0120).
 */
export function wordIndex(entries: number, terms: IndexTerms): WordIndex {
  const index: Index = { entries, ...sortedTerms(terms) }
  return { find: wanted => find(index, wanted) }
}

export function sortedTerms({ letters, termEnds, formSteps, postingEnds, postings, endings }: IndexTerms): SortedTerms {
  const startOf = (ends: Column, at: number): number => (at === 0 ? 0 : ends.at(at - 1))
  const terms = {
    terms: termEnds.length(),
    termAt: (at: number) => letters.slice(startOf(termEnds, at), termEnds.at(at)),
    countOf: (at: number) => postingEnds.at(at) - startOf(postingEnds, at),
    nextForm: (at: number) => (at + formSteps.at(at)) >>> 0,
    postingsOf: (at: number) => postings.slices(startOf(postingEnds, at), postingEnds.at(at)),
    endings,
  }
  const numberOf = (term: string): number | undefined => {
    const at = lowerBound(terms, term)
    return at < terms.terms && terms.termAt(at) === term ? at : undefined
  }
  return { ...terms, startingWith: prefix => termsWithPrefix(terms, prefix), numberOf }
}

/** The sorted terms of an index; `search-index.ts` describes the columns. */
export type IndexTerms = { letters: string; endings: ReadonlySet<string> } & Record<
  'termEnds' | 'formSteps' | 'postingEnds' | 'postings',
  Column
>

/** The terms, numbered in order. */
export type SortedTerms = Terms & {
  startingWith: (prefix: string) => Generator<number>
  numberOf: (term: string) => number | undefined
}

type Index = SortedTerms & { entries: number }

type Terms = {
  terms: number
  termAt: (at: number) => string
  countOf: (at: number) => number
  /** The next term with the same stem: the first after the last, and for a lone term itself. */
  nextForm: (at: number) => number
  postingsOf: (at: number) => readonly Uint32Array[]
  endings: ReadonlySet<string>
}

/** The words of a query that count. At most eight, since `findSpelling` has a bit for each in a byte. */
const MAX_WORDS = 8
const MAX_POSTINGS_READ = 500_000
/** The maximum number of terms, not counting exact matches; each word gets an equal share of the remainder. */
const MAX_TERMS_READ = 50_000

/** A word of a query, the terms that match it, whether these only match with a typo, and its other forms in the index. */
type Wanted = { term: string; isLast: boolean; matches: readonly Match[]; isTypo: boolean; forms: ReadonlySet<string> }
/** The number of a matching term, its weight, and the number of postings that gives its rarity. */
type Match = { at: number; factor: number; count: number }

/** The matches of a query. Of two spellings, one that finds all words wins; else, each entry has its better score. */
function find(index: Index, text: string): WordMatches {
  const [first = NOTHING, second] = spellingsOf(text).map(spelling => findSpelling(index, spelling))
  if (!second || (first.hasAll && !second.hasAll)) return first
  if (second.hasAll && !first.hasAll) return second
  return {
    scores: first.scores.map((score, entry) => Math.max(score, second.scores[entry] ?? 0)),
    hasAll: first.hasAll,
    isWanted: word => first.isWanted(word) || second.isWanted(word),
    termsRead: first.termsRead + second.termsRead,
  }
}

const NOTHING: WordMatches = { scores: new Float32Array(), hasAll: false, isWanted: () => false, termsRead: 0 }

/** The matches for one spelling. */
function findSpelling(index: Index, text: string): WordMatches {
  const { wanted, termsRead } = wantedIn(index, text)
  const scores = new Float32Array(index.entries)
  // For each entry, a bit for each word of the query that it has.
  const matchedWords = new Uint8Array(index.entries)
  let postingsLeft = MAX_POSTINGS_READ
  for (const [word, { matches }] of wanted.entries()) {
    for (const { at: term, factor, count } of matches) {
      if (postingsLeft < 0) break
      postingsLeft -= index.countOf(term)
      const termScore = factor * Math.log(1 + index.entries / count)
      for (const postings of index.postingsOf(term)) score(scores, matchedWords, 1 << word, postings, termScore)
    }
  }
  const allWords = (1 << wanted.length) - 1
  const hasAll = matchedWords.includes(allWords)
  // If some entries have all words, those with fewer do not count.
  if (hasAll)
    for (let entry = 0; entry < matchedWords.length; entry++) if (matchedWords[entry] !== allWords) scores[entry] = 0
  preferNames(index, text, scores)
  return { scores, hasAll, termsRead, isWanted: ({ term }) => wanted.some(want => isMatch(want, term)) }
}

/** Puts entries whose whole name is the text before all others, and prefers names of which it is a large part. */
export function preferNames(terms: SortedTerms, text: string, scores: Float32Array): void {
  const name = nameTerm(text)
  const preferred = new Set<number>()
  for (const at of name === '' ? [] : terms.startingWith(name).take(MAX_NAMES)) {
    const share = name.length / terms.termAt(at).length
    const factor = share === 1 ? SAME_NAME : 1 + 2 * share ** 2
    for (const postings of terms.postingsOf(at))
      for (const posting of postings) {
        const entry = posting >> 8
        if (!preferred.has(entry)) scores[entry] = (scores[entry] ?? 0) * factor
        preferred.add(entry)
      }
  }
}

/** The most names that begin with the text. */
const MAX_NAMES = 1000
/** The factor of an entry with exactly this name: more than the weights of postings differ, so that it comes first. */
const SAME_NAME = 1000

/** Scores the entries that contain a term. An entry that already contains a better form of the word gets no more. */
function score(scores: Float32Array, matched: Uint8Array, bit: number, postings: Uint32Array, termScore: number): void {
  for (const posting of postings) {
    // A posting is an entry times 256, plus the weight of the term there.
    const entry = posting >> 8
    const matchedBefore = matched[entry] ?? 0
    if ((matchedBefore & bit) !== 0) continue
    matched[entry] = matchedBefore | bit
    scores[entry] = (scores[entry] ?? 0) + termScore * (posting & 255)
  }
}

/** The words of a query with the terms that match each, and how many terms that took. */
function wantedIn(index: Index, text: string): { wanted: Wanted[]; termsRead: number } {
  const terms = termsOf(text)
  let left = MAX_TERMS_READ
  /** Finds terms, at most an equal share of the rest for each word that remains. */
  const finderFor = (wordsLeft: number): FindTerms => {
    return (prefix, max = left) => {
      const share = Math.floor(left / wordsLeft)
      const matching = index.startingWith(prefix).take(Math.min(max, share)).toArray()
      left -= matching.length
      return matching
    }
  }
  const wanted = terms.map((term, at) => {
    const wordsLeft = terms.length - at
    return wantedTerm(index, term, wordsLeft === 1, finderFor(wordsLeft))
  })
  return { wanted, termsRead: MAX_TERMS_READ - left }
}

/** The different words of a query. */
function termsOf(text: string): string[] {
  const words = wordsOf(text)
  // In a script without spaces, the last letter alone is also a word, but it is a part of the pair that ends there.
  const apartWords = words.filter(({ end }, at) => words[at - 1]?.end !== end)
  return [...new Set(apartWords.map(({ term }) => term))].slice(0, MAX_WORDS)
}

/** A word with the terms that match it: typos only if there are no others. */
function wantedTerm(index: Index, term: string, isLast: boolean, findTerms: FindTerms): Wanted {
  const matches = matchTerms(index, term, isLast, findTerms)
  const isTypo = matches.length === 0
  return {
    term,
    isLast,
    isTypo,
    matches: isTypo ? matchTypos(index, term, isLast, findTerms) : matches,
    forms: new Set(matches.filter(({ factor }) => factor === FORM).map(match => index.termAt(match.at))),
  }
}

/** Returns the terms with a prefix, up to the limit. */
type FindTerms = (prefix: string, max?: number) => readonly number[]

/** The forms of a word, and for the last word also the longer words that begin with it. */
function matchTerms(index: Index, term: string, isLast: boolean, findTerms: FindTerms): Match[] {
  const forms = formsOf(index, term, prefix => findTerms(prefix, MAX_FORMS))
  const count = forms.reduce((sum, at) => sum + index.countOf(at), 0)
  const whole = forms.map(at => ({ at, factor: index.termAt(at) === term ? 1 : FORM, count }))
  const canBegin = isLast && (term.length > 1 || isUnspaced(term))
  if (!canBegin) return whole
  // The longer words by their length, so that the shortest come first.
  const longerByLength: Match[][] = Array.from({ length: MAX_WORD + 1 }, () => [])
  for (const at of findTerms(term)) {
    const { length } = index.termAt(at)
    if (length > term.length)
      longerByLength[length]?.push({ at, factor: (BEGINNING * term.length) / length, count: index.countOf(at) })
  }
  return [...whole, ...longerByLength.flat()]
}

// How much a match counts: the word itself counts 1, another form of it less, and so on. Of a beginning, it is for the
// whole word, and less for a part of one.
const FORM = 0.6
const BEGINNING = 0.7
const TYPO = 0.5
const TYPO_AT_BEGINNING = 0.3
/** The most forms of a word. */
const MAX_FORMS = 500

/** The term that equals a word, if any, then its other forms: terms with its stem, or with another ending or beginning. */
export function formsOf(terms: SortedTerms, word: string, findTerms: FindTerms): number[] {
  const withOtherBeginning = otherBeginnings(word, terms.endings).flatMap(each => terms.numberOf(each) ?? [])
  const withOtherEnding = findTerms(beginningOf(word)).filter(at => isFormOf(terms.termAt(at), word, terms.endings))
  const similar = [...withOtherEnding, ...withOtherBeginning]
  const same = terms.numberOf(word)
  const forms = new Set(same === undefined ? [] : [same])
  // From each term, the ring of terms with its stem, around to the term itself.
  for (const at of same === undefined ? similar : [same])
    for (let form = terms.nextForm(at); form !== at && forms.size < MAX_FORMS; form = terms.nextForm(form))
      forms.add(form)
  return [...forms.union(new Set(similar))]
}

/** Whole words with one typo, before words that begin with one. */
function matchTypos(index: Index, term: string, isLast: boolean, findTerms: FindTerms): Match[] {
  if (!mayBeTypo(term)) return []
  // All terms with the same first letter, and those that differ in it.
  const otherSpellings = firstLetterTypos(index, term)
  const withOtherStart = otherSpellings.flatMap(typo => (isLast ? findTerms(typo) : (index.numberOf(typo) ?? [])))
  const candidates = new Set([...findTerms(term.charAt(0)), ...withOtherStart])
  const typos: Match[] = []
  for (const at of candidates) {
    const candidate = index.termAt(at)
    const count = index.countOf(at)
    if (isTypoOf(term, candidate, false)) typos.unshift({ at, factor: TYPO, count })
    else if (isLast && isTypoOf(term, candidate, true))
      typos.push({ at, factor: (TYPO_AT_BEGINNING * term.length) / candidate.length, count })
  }
  return typos
}

/** Whether a word may have a typo: not a short one, and not a number, since one with another digit is another number. */
function mayBeTypo(term: string): boolean {
  return term.length >= MIN_TYPO_LENGTH && !/^\d+$/.test(term)
}

const MIN_TYPO_LENGTH = 4

/**
 * The strings that differ from a term only at its start: for `logo`, without the first letter (`ogo`), with the first two
 * swapped (`olgo`), and with each first letter of the index instead of it or before it (`bogo`, `blogo`).
 */
function firstLetterTypos(index: Terms, term: string): string[] {
  const rest = term.slice(1)
  const firstLetters: string[] = []
  // From the first term after the names, which begin with a space, to the first one with each next letter.
  for (let at = lowerBound(index, ' \uffff'); at < index.terms && firstLetters.length < MAX_LETTERS; ) {
    const letter = index.termAt(at).charAt(0)
    firstLetters.push(letter)
    at = lowerBound(index, `${letter}\uffff`)
  }
  const swapped = rest.charAt(0) + term.charAt(0) + rest.slice(1)
  return [rest, swapped, ...firstLetters.flatMap(letter => [letter + rest, letter + term])]
}

/** The maximum number of first letters to try: more than alphabets have. */
const MAX_LETTERS = 100

/** The numbers of the terms with a prefix. They are in a row, since no letter sorts after U+FFFF. */
function* termsWithPrefix(index: Terms, text: string): Generator<number> {
  const end = lowerBound(index, `${text}\uffff`)
  for (let at = lowerBound(index, text); at < end; at++) yield at
}

/** The first term that sorts at or after a string. */
function lowerBound({ terms, termAt }: Terms, text: string): number {
  let [low, high] = [0, terms]
  while (low < high) {
    const middle = (low + high) >> 1
    if (termAt(middle) < text) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a word of an entry matches a word of the query, for its highlight. */
function isMatch({ term, isLast, isTypo, forms }: Wanted, word: string): boolean {
  if (isTypo) return mayBeTypo(term) && isTypoOf(term, word, isLast)
  return word === term || forms.has(word) || (isLast && (term.length > 1 || isUnspaced(term)) && word.startsWith(term))
}
