import { PRINT_KEYS, valueName } from '#brand/color.ts'
import { printWords } from './index-entries.ts'
import { isCommon, synonymsOf } from './question-words.ts'
import type { SearchIndex, SearchItems } from './search-index.ts'
import { formsOf, preferNames, type SortedTerms, sortedTerms, type WordMatches } from './word-index.ts'
import { isTypoOf, wordsOf } from './words.ts'

/** The index of a guide, and the items that it was made from. */
export type IndexedGuide = {
  index: Pick<SearchIndex, 'entries' | 'terms' | 'ownerOf'>
  items: Pick<SearchItems, 'colors' | 'types'>
}

/** The scores of the entries of a guide, and whether a word of an entry matches the question. */
export type Answers = Pick<WordMatches, 'scores' | 'isWanted'>

/**
 * Ranks the entries of guides for a question in natural language. Unlike a search while typing, it ignores common words,
 * also finds other forms and synonyms, and prefers entries with many words of the question to entries with one word in
 * their name. Scores of different guides are comparable. Its cost has a limit, as for other searches. Embeddings would need
 * tens of megabytes and processor time for every change, and nobody could explain their order to authors.
 */
export function answerQuestion(guides: readonly IndexedGuide[], question: string): Answers[] {
  const words = questionWords(question)
  const maxTermsEach = Math.floor(MAX_TERMS_READ / Math.max(1, words.length * guides.length))
  const asked = guides.map((guide): Asked => ({ guide, terms: sortedTerms(guide.index.terms), matches: [] }))
  const entries = sum(guides.map(({ index }) => index.entries))
  // First the matches of each word in all guides, since a word in few entries of all guides counts more.
  const rarities: number[] = []
  for (const word of words) {
    for (const { terms, matches } of asked) matches.push(matchesOf(terms, word, maxTermsEach))
    // The last matches are those of this word.
    const counts = asked.flatMap(({ terms, matches }) => matches.at(-1)?.map(({ at }) => terms.countOf(at)) ?? [])
    rarities.push(Math.log(1 + entries / Math.max(1, sum(counts))))
  }
  // Then the scores of each guide. Each `prefer…` changes them.
  const answers: Answers[] = []
  const maxPostings = MAX_POSTINGS_READ / Math.max(1, guides.length)
  for (const { guide, terms, matches } of asked) {
    const scores = scoresOf(guide.index.entries, terms, matches, rarities, maxPostings)
    preferAskedValues(guide, scores, question)
    preferSections(guide, scores)
    preferNames(terms, question, scores)
    const wanted = new Set(matches.flat().map(({ at }) => terms.termAt(at)))
    answers.push({ scores, isWanted: ({ term }) => wanted.has(term) })
  }
  return answers
}

/** A guide, its terms, and the matches for each word of the question, in their order. */
type Asked = { guide: IndexedGuide; terms: SortedTerms; matches: Match[][] }

const MAX_WORDS = 8
const MAX_POSTINGS_READ = 500_000
const MAX_TERMS_READ = 50_000

/** The words of a question without common ones; all words if no other remains. */
export function questionWords(question: string): string[] {
  const all = [...new Set(wordsOf(question).map(({ term }) => term))]
  const rare = all.filter(term => !isCommon(term))
  return (rare.length > 0 ? rare : all).slice(0, MAX_WORDS)
}

/**
 * The score of each entry: the sum of the weights of the words, times the share of the question that the entry has. Both
 * count rare words more. Once `maxPostings` are read, further matches are left out.
 */
function scoresOf(
  entries: number,
  terms: SortedTerms,
  matches: readonly (readonly Match[])[],
  rarities: readonly number[],
  maxPostings: number,
): Float32Array {
  const scores = new Float32Array(entries)
  const shares = new Float32Array(entries)
  // The weight and the factor of the best match in each entry, for the word at hand.
  const weights = new Float32Array(entries)
  const factors = new Float32Array(entries)
  let left = maxPostings
  for (const [word, rarity] of rarities.entries()) {
    weights.fill(0)
    for (const match of matches[word] ?? []) {
      left -= terms.countOf(match.at)
      if (left > 0) keepBest(terms, match, weights, factors)
    }
    for (let entry = 0; entry < entries; entry++) {
      if (weights[entry] === 0) continue
      scores[entry] = (scores[entry] ?? 0) + rarity * (weights[entry] ?? 0)
      shares[entry] = (shares[entry] ?? 0) + rarity * (factors[entry] ?? 0)
    }
  }
  const total = Math.max(sum(rarities), Number.MIN_VALUE)
  for (let entry = 0; entry < entries; entry++) scores[entry] = ((scores[entry] ?? 0) * (shares[entry] ?? 0)) / total
  return scores
}

/** Keeps the best match of a word in each entry. A posting is an entry times 256, plus the weight of the term there. */
function keepBest(terms: SortedTerms, { at, factor }: Match, weights: Float32Array, factors: Float32Array): void {
  for (const postings of terms.postingsOf(at))
    for (const posting of postings) {
      const entry = posting >> 8
      // The logarithm keeps one word in a name from outweighing several words of a page.
      const weight = factor * Math.log2(1 + (posting & 255) / 4)
      if (weight <= (weights[entry] ?? 0)) continue
      weights[entry] = weight
      factors[entry] = factor
    }
}

/** The number of a matching term, and its weight: the word itself counts most, then its forms, then synonyms. */
type Match = { at: number; factor: number }

/** The terms that match a word, best first. Reads at most `max` terms. */
function matchesOf(terms: SortedTerms, word: string, max: number): Match[] {
  // The best factor of each term, by its number.
  const factors = new Map<number, number>()
  let left = max
  const keep = (at: number, factor: number) => {
    if (factor > (factors.get(at) ?? 0)) factors.set(at, factor)
  }
  const findTerms = (prefix: string): number[] => {
    const matching = terms.startingWith(prefix).take(left).toArray()
    left -= matching.length
    return matching
  }
  const collect = (prefix: string, factorOf: (term: string) => number) => {
    for (const at of findTerms(prefix)) keep(at, factorOf(terms.termAt(at)))
  }
  const collectForms = (wanted: string, exact: number, form: number) => {
    for (const at of formsOf(terms, wanted, findTerms)) keep(at, terms.termAt(at) === wanted ? exact : form)
  }
  collectForms(word, FACTORS.word, FACTORS.form)
  for (const synonym of synonymsOf(word)) collectForms(synonym, FACTORS.synonym, FACTORS.formOfSynonym)
  // Only without any such match: longer words that begin with it, then words with a typo.
  if (factors.size === 0 && word.length >= MIN_PREFIX)
    collect(word, term => (FACTORS.prefix * word.length) / term.length)
  if (factors.size === 0 && word.length >= MIN_TYPO)
    collect(word.charAt(0), term => (isTypoOf(word, term, false) ? FACTORS.typo : 0))
  return [...factors].map(([at, factor]) => ({ at, factor })).toSorted((a, b) => b.factor - a.factor)
}

/** How much each kind of match counts. */
const FACTORS = { word: 1, form: 0.9, synonym: 0.7, formOfSynonym: 0.65, prefix: 0.6, typo: 0.5 } as const

/** The minimum lengths of words for a match of their beginning, and for one with a typo. */
const MIN_PREFIX = 3
const MIN_TYPO = 5

/** Prefers colours and type styles that a question about their values names: `Pantone of ink on uncoated paper`. */
function preferAskedValues({ items: { colors, types } }: IndexedGuide, scores: Float32Array, question: string): void {
  const asked = wordsOf(question).map(({ term }) => term)
  const isNamed = (name: string) => wordsOf(name).every(({ term }) => asked.includes(term))
  type Named = { name: string; inks?: Readonly<Record<string, string>> }
  /** Prefers styles, which are in the entries from `first` on, if the question has a word for their values. */
  const prefer = (first: number, named: readonly Named[], values: ReadonlySet<string>) => {
    const isValueAsked = asked.some(term => values.has(term))
    const hasAskedInk = (inks: object) => wordsOf(Object.keys(inks).join(' ')).some(({ term }) => asked.includes(term))
    for (const [at, { name, inks }] of named.entries())
      if ((isValueAsked || (inks && hasAskedInk(inks))) && isNamed(name))
        scores[first + at] = (scores[first + at] ?? 0) * NAMED
  }
  prefer(0, colors, COLOR_VALUES)
  prefer(colors.length, types, TYPE_VALUES)
}

/** How many times as much the score of such a style counts. */
const NAMED = 2.5
const COLOR_VALUES = new Set(['hex', 'rgb', ...printWords(PRINT_KEYS.map(valueName)).map(word => word.toLowerCase())])
const TYPE_VALUES = new Set(['font', 'size', 'weight', 'leading', 'line', 'tracking', 'letter', 'spacing'])

/** Prefers a section to the start of its page, which has the words of the page's name and little text. */
function preferSections({ index }: IndexedGuide, scores: Float32Array): void {
  // The entries of one item are in a row. `start` is the first one of the current item, and `best` the best one after it, or
  // `start` itself if it has no others. Both are -1 before the first item.
  let start = -1
  let best = -1
  /** Ends the current item: puts its best section just before its start, if it is nearly as good. */
  const close = () => {
    const startScore = scores[start] ?? 0
    const bestScore = scores[best] ?? 0
    if (best > start && bestScore > 0 && bestScore >= SECTION_SHARE * startScore)
      scores[best] = Math.max(bestScore, startScore * JUST_MORE)
  }
  for (let entry = 0; entry < scores.length; entry++) {
    if (start < 0 || index.ownerOf(start) !== index.ownerOf(entry)) {
      close()
      start = entry
      best = entry
    } else if (best === start || (scores[entry] ?? 0) > (scores[best] ?? 0)) best = entry
  }
  close()
}

/** The least share of the score of the start that a section needs. */
const SECTION_SHARE = 0.7
const JUST_MORE = 1.001

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
