import { nextTurn } from '../base/steps.ts'
import type { Column } from './blocks.ts'
import { isTypoOf, isUnspaced, MAX_WORD, type Word, wordsOf } from './words.ts'

/** What words are looked up in. */
export type WordIndex = { find: (text: string) => Promise<WordMatches> }

/** What was found of a text's first eight words. */
export type WordMatches = {
  /** How well each entry fits; 0 if it does not. */
  scores: Float32Array
  /** Whether these entries have all of the words; if none has, they have some. */
  hasAll: boolean
  /** Whether a word of an entry is one that was looked for. */
  isWanted: (word: Word) => boolean
  /** How many terms were looked at. */
  lookedAt: number
}

/**
 * An index that costs little to ask, whatever is asked: a search looks at a bounded number of terms and postings, and
 * after each word lets others have a turn. The last word is also found as the beginning of a word; one that is nowhere,
 * and is long enough, with one slip.
 *
 * @param entries how many entries the postings are of
 */
export function wordIndex(entries: number, { letters, termEnds, postingEnds, postings }: IndexTerms): WordIndex {
  const startOf = (ends: Column, at: number): number => (at === 0 ? 0 : ends.at(at - 1))
  const index: Index = {
    entries,
    terms: termEnds.length(),
    termAt: at => letters.slice(startOf(termEnds, at), termEnds.at(at)),
    countOf: at => postingEnds.at(at) - startOf(postingEnds, at),
    postingsOf: at => postings.slices(startOf(postingEnds, at), postingEnds.at(at)),
  }
  return { find: wanted => find(index, wanted) }
}

/** The terms in order, as `search-index.ts` has them. */
export type IndexTerms = { letters: string } & Record<'termEnds' | 'postingEnds' | 'postings', Column>

/** The terms, which have their numbers by their order. */
type Index = {
  entries: number
  terms: number
  termAt: (at: number) => string
  /** How many entries have a term. */
  countOf: (at: number) => number
  postingsOf: (at: number) => readonly Uint32Array[]
}

const MAX_WORDS = 8
/** A search looks at no more postings than this. */
const MAX_LOOKED_AT = 500_000
/** Nor at more terms, beside those that are words of it: an equal part of what is left for each word. */
const MAX_TERMS_LOOKED_AT = 50_000

type Wanted = { term: string; isLast: boolean; isNowhere: boolean; matches: readonly Match[] }
/** A term that is found, by its number, and how much it counts. */
type Match = { at: number; factor: number }

async function find(index: Index, text: string): Promise<WordMatches> {
  const { wanted, lookedAt } = await wantedIn(index, text)
  const scores = new Float32Array(index.entries)
  const met = new Uint8Array(index.entries)
  let left = MAX_LOOKED_AT
  for (const [word, { matches }] of wanted.entries()) {
    for (const { at: term, factor } of matches) {
      if (left < 0) break
      const count = index.countOf(term)
      left -= count
      const worth = factor * Math.log(1 + index.entries / count)
      for (const postings of index.postingsOf(term)) score(scores, met, 1 << word, postings, worth)
    }
    await nextTurn()
  }
  const all = (1 << wanted.length) - 1
  const hasAll = met.includes(all)
  if (hasAll) for (let entry = 0; entry < met.length; entry++) if (met[entry] !== all) scores[entry] = 0
  return { scores, hasAll, lookedAt, isWanted: ({ term }) => wanted.some(want => isMatch(want, term)) }
}

/** Scores the entries that contain a term. An entry that already contains a better form of the word gets no more. */
function score(scores: Float32Array, met: Uint8Array, bit: number, postings: Uint32Array, worth: number): void {
  for (const posting of postings) {
    const entry = posting >> 8
    const before = met[entry] ?? 0
    if ((before & bit) !== 0) continue
    met[entry] = before | bit
    scores[entry] = (scores[entry] ?? 0) + worth * (posting & 255)
  }
}

async function wantedIn(index: Index, text: string): Promise<{ wanted: Wanted[]; lookedAt: number }> {
  const words = wordsOf(text)
  const apart = words.filter(({ end }, at) => words[at - 1]?.end !== end)
  const terms = [...new Set(apart.map(({ term }) => term))].slice(0, MAX_WORDS)
  const wanted: Wanted[] = []
  let left = MAX_TERMS_LOOKED_AT
  for (const [at, term] of terms.entries()) {
    const isLast = at === terms.length - 1
    const look = (beginning: string) => {
      const looked = beginningWith(index, beginning)
        .take(Math.floor(left / (terms.length - at)))
        .toArray()
      left -= looked.length
      return looked
    }
    const matches = exactly(index, term, isLast, look)
    const isNowhere = matches.length === 0
    wanted.push({ term, isLast, isNowhere, matches: isNowhere ? nearly(index, term, isLast, look) : matches })
    await nextTurn()
  }
  return { wanted, lookedAt: MAX_TERMS_LOOKED_AT - left }
}

/** The terms that begin with a text, as many of them as may be looked at. */
type Look = (beginning: string) => readonly number[]

function exactly(index: Index, term: string, isLast: boolean, look: Look): Match[] {
  const first = firstFrom(index, term)
  const whole = first < index.terms && index.termAt(first) === term ? [{ at: first, factor: 1 }] : []
  const canBegin = isLast && (term.length > 1 || isUnspaced(term))
  if (!canBegin) return whole
  const begun: Match[][] = Array.from({ length: MAX_WORD + 1 }, () => [])
  for (const at of look(term)) {
    const { length } = index.termAt(at)
    if (length > term.length) begun[length]?.push({ at, factor: (0.7 * term.length) / length })
  }
  return [...whole, ...begun.flat()] // The shortest first.
}

const MIN_WITH_SLIP = 5

function nearly(index: Index, term: string, isLast: boolean, look: Look): Match[] {
  if (term.length < MIN_WITH_SLIP) return []
  const near: Match[] = []
  for (const at of look(term.charAt(0))) if (isTypoOf(term, index.termAt(at), isLast)) near.push({ at, factor: 0.5 })
  return near
}

/** The terms that begin with a text. */
function* beginningWith(index: Index, text: string): Generator<number> {
  const end = firstFrom(index, `${text}\uffff`)
  for (let at = firstFrom(index, text); at < end; at++) yield at
}

/** The first term that does not stand before a text. */
function firstFrom({ terms, termAt }: Index, text: string): number {
  let [low, high] = [0, terms]
  while (low < high) {
    const middle = (low + high) >> 1
    if (termAt(middle) < text) low = middle + 1
    else high = middle
  }
  return low
}

function isMatch({ term, isLast, isNowhere }: Wanted, word: string): boolean {
  if (isNowhere) return term.length >= MIN_WITH_SLIP && isTypoOf(term, word, isLast)
  return word === term || (isLast && (term.length > 1 || isUnspaced(term)) && word.startsWith(term))
}
