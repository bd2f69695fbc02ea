import { isNear, isUnspaced, type Word, wordsOf } from './words.ts'

/** What words are looked up in: up to 2²³ entries, numbered in the order in which they were added. */
export type WordIndex = {
  add: (fields: readonly Field[]) => void
  find: (text: string) => Found
  /** About how much memory it takes, in bytes. */
  size: () => number
}

/** A text of an entry: how much its words count, and how many words such a text usually has. */
export type Field = { text: string; weight: number; usual: number }

/** What was found of a text's first eight words. */
export type Found = {
  /** How well each entry fits; 0 where it does not. */
  scores: Float32Array
  /** Whether these entries have all of the words; where none has, they have some. */
  hasAll: boolean
  /** Whether a word of an entry is one that was looked for. */
  isWanted: (word: Word) => boolean
}

/**
 * An index in memory that is filled an entry at a time and costs little to ask, whatever is asked: a search looks at a
 * bounded number of places. The last word is also found as the beginning of a word; one that is nowhere, and is long
 * enough, with one slip.
 */
export function wordIndex(): WordIndex {
  const index: Index = { entries: 0, size: 0, places: new Map(), terms: new Map() }
  return {
    add: fields => addEntry(index, fields),
    find: text => find(index, text),
    size: () => index.size,
  }
}

type Index = {
  entries: number
  size: number
  /** Where each term stands: the number of the entry times 256, plus how much it counts there; 31 bits take least memory. */
  places: Map<string, number[]>
  /** The terms by their first letter. */
  terms: Map<string, string[]>
}

const MOST_TERMS = 250_000
const BYTES_A_TERM = 150
const BYTES_A_PLACE = 12

function addEntry(index: Index, fields: readonly Field[]): void {
  const entry = index.entries++
  for (const [term, weight] of weightsOf(fields)) {
    const places = index.places.get(term) ?? newTerm(index, term)
    places?.push(entry * 256 + Math.min(255, Math.ceil(weight * 10)))
    if (places) index.size += BYTES_A_PLACE
  }
}

/** How much each term says about an entry: more the second time, less in a longer text (BM25). */
function weightsOf(fields: readonly Field[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { text, weight, usual } of fields) {
    const words = wordsOf(text)
    const counts = new Map<string, number>()
    for (const { term } of words) counts.set(term, (counts.get(term) ?? 0) + 1)
    const damping = 0.3 + (0.9 * words.length) / usual
    for (const [term, count] of counts)
      weights.set(term, (weights.get(term) ?? 0) + (weight * count) / (count + damping))
  }
  return weights
}

function newTerm(index: Index, term: string): number[] | undefined {
  const { places, terms } = index
  if (places.size === MOST_TERMS) return undefined
  const list: number[] = []
  places.set(term, list)
  const first = term.charAt(0)
  const beside = terms.get(first)
  if (beside) beside.push(term)
  else terms.set(first, [term])
  index.size += BYTES_A_TERM
  return list
}

const MOST_WORDS = 8
/** A search looks at no more places than this. */
const MOST_LOOKED_AT = 500_000

type Wanted = { term: string; isLast: boolean; isNowhere: boolean; matches: readonly Match[] }
type Match = { places: readonly number[]; factor: number }

function find(index: Index, text: string): Found {
  const wanted = wantedIn(index, text)
  const scores = new Float32Array(index.entries)
  const met = new Uint8Array(index.entries)
  let left = MOST_LOOKED_AT
  for (const [at, { matches }] of wanted.entries()) {
    for (const { places, factor } of matches) {
      if (left < 0) break
      left -= places.length
      score(scores, met, 1 << at, places, factor * Math.log(1 + index.entries / places.length))
    }
  }
  const all = (1 << wanted.length) - 1
  const hasAll = met.includes(all)
  if (hasAll) for (let entry = 0; entry < met.length; entry++) if (met[entry] !== all) scores[entry] = 0
  return { scores, hasAll, isWanted: ({ term }) => wanted.some(want => isMatch(want, term)) }
}

/** Adds what a term is worth where it stands; an entry that has met the word in a better form already gets no more. */
function score(scores: Float32Array, met: Uint8Array, bit: number, places: readonly number[], worth: number): void {
  for (const place of places) {
    const entry = place >> 8
    const before = met[entry] ?? 0
    if ((before & bit) !== 0) continue
    met[entry] = before | bit
    scores[entry] = (scores[entry] ?? 0) + worth * (place & 255)
  }
}

function wantedIn(index: Index, text: string): Wanted[] {
  const words = wordsOf(text)
  const apart = words.filter(({ end }, at) => words[at - 1]?.end !== end)
  const terms = [...new Set(apart.map(({ term }) => term))].slice(0, MOST_WORDS)
  return terms.map((term, at) => {
    const isLast = at === terms.length - 1
    const matches = exactly(index, term, isLast)
    const isNowhere = matches.length === 0
    return { term, isLast, isNowhere, matches: isNowhere ? nearly(index, term, isLast) : matches }
  })
}

function exactly(index: Index, term: string, isLast: boolean): Match[] {
  const whole = { term, factor: 1 }
  const canBegin = isLast && (term.length > 1 || isUnspaced(term))
  const longer = canBegin ? besides(index, term).filter(other => other.startsWith(term) && other !== term) : []
  const begun = longer
    .sort((a, b) => a.length - b.length)
    .map(other => ({ term: other, factor: (0.7 * term.length) / other.length }))
  return [whole, ...begun].flatMap(match => matchesOf(index, match))
}

const SHORTEST_WITH_SLIP = 5

function nearly(index: Index, term: string, isLast: boolean): Match[] {
  if (term.length < SHORTEST_WITH_SLIP) return []
  const near = besides(index, term).filter(other => isNear(term, other, isLast))
  return near.flatMap(other => matchesOf(index, { term: other, factor: 0.5 }))
}

function besides({ terms }: Index, term: string): readonly string[] {
  return terms.get(term.charAt(0)) ?? []
}

function matchesOf({ places }: Index, { term, factor }: { term: string; factor: number }): Match[] {
  const list = places.get(term)
  return list ? [{ places: list, factor }] : []
}

function isMatch({ term, isLast, isNowhere }: Wanted, word: string): boolean {
  if (isNowhere) return term.length >= SHORTEST_WITH_SLIP && isNear(term, word, isLast)
  return word === term || (isLast && (term.length > 1 || isUnspaced(term)) && word.startsWith(term))
}
