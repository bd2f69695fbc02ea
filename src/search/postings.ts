import { copyString } from '../base/text.ts'
import { BLOCK_NUMBERS, type Column, numberWriter, openColumn } from './blocks.ts'
import type { Field } from './index-entries.ts'
import { wordsOf } from './words.ts'

/** The words of entries, numbered in the order of their addition. */
export type Postings = {
  add: (fields: readonly Field[]) => void
  /** Their memory use in an index. */
  bytes: () => number
  sorted: () => SortedPostings
}

/** The terms in order, the ends of their postings, and all postings in windows. */
export type SortedPostings = {
  terms: readonly string[]
  ends: Uint32Array
  /** Each window overwrites the previous one; all except the last contain whole blocks. */
  windows: () => Generator<Uint32Array>
}

/**
 * Collects the words of up to 2²³ entries. A posting is one number: the entry times 256, plus the weight of the term in
 * it. Until sorting, postings are in the order of their entries, with four bytes for each word.
 */
export function collectPostings(): Postings {
  const ids = new Map<string, number>()
  const counts: number[] = []
  const log = openColumn()
  const writer = numberWriter(block => log.add(block.slice()))
  let [left, letters] = [MAX_POSTINGS, 0]
  const idOf = (term: string): number | undefined => {
    const earlier = ids.get(term)
    if (earlier !== undefined || ids.size === MAX_TERMS) return earlier
    const id = counts.push(0) - 1
    ids.set(copyString(term), id)
    letters += term.length
    return id
  }
  return {
    add: fields => {
      writer.write(NEXT_ENTRY)
      for (const [term, weight] of weightsOf(fields)) {
        const id = idOf(term)
        if (id === undefined || left === 0) continue
        left--
        counts[id] = (counts[id] ?? 0) + 1
        writer.write(id * 256 + Math.min(255, Math.ceil(weight * 10)))
      }
    },
    bytes: () => (MAX_POSTINGS - left + 2 * ids.size) * Uint32Array.BYTES_PER_ELEMENT + 2 * letters,
    sorted: () => {
      writer.flush()
      const terms = [...ids.keys()].sort()
      const starts = new Uint32Array(terms.length)
      const ends = new Uint32Array(terms.length)
      let end = 0
      for (const [rank, term] of terms.entries()) {
        const id = ids.get(term) ?? 0
        starts[id] = end
        ends[rank] = end += counts[id] ?? 0
      }
      return { terms, ends, windows: () => windowsOf(log, starts, end) }
    },
  }
}

const MAX_TERMS = 250_000
/** 128 MiB. */
const MAX_POSTINGS = 1 << 25
/** Not a valid posting, since there are fewer terms. */
const NEXT_ENTRY = 2 ** 32 - 1

/**
 * Sorts the postings by term. Scans all of them once for each window, so memory never has a second copy.
 */
function* windowsOf(log: Column, starts: Uint32Array, count: number): Generator<Uint32Array> {
  const window = new Uint32Array(Math.min(count, WINDOW))
  for (let from = 0; from < count; from += WINDOW) {
    const next = starts.slice()
    let entry = -1
    for (const block of log.slices(0, log.length()))
      for (const item of block) {
        if (item === NEXT_ENTRY) {
          entry++
          continue
        }
        const id = item >>> 8
        const at = next[id] ?? 0
        next[id] = at + 1
        if (at >= from && at - from < WINDOW) window[at - from] = entry * 256 + (item & 255)
      }
    yield window.subarray(0, count - from)
  }
}

/** Postings in a window: 4 MiB. */
const WINDOW = 16 * BLOCK_NUMBERS

/** The weight of each term for an entry: repeated terms count more, and long fields count less (BM25). */
function weightsOf(fields: readonly Field[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { text, weight, typicalWords } of fields) {
    const words = wordsOf(text)
    const counts = new Map<string, number>()
    for (const { term } of words) counts.set(term, (counts.get(term) ?? 0) + 1)
    const damping = 0.3 + (0.9 * words.length) / typicalWords
    for (const [term, count] of counts)
      weights.set(term, (weights.get(term) ?? 0) + (weight * count) / (count + damping))
  }
  return weights
}
