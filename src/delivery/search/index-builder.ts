import { colorsNamed } from 'culori/fn'
import type { Color } from '#brand/color.ts'
import type { BrandFile } from '#brand/file.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { copyString } from '#platform/base/text.ts'
import { BLOCK_NUMBERS, type Column, numberWriter, openColumn, textWriter } from './blocks.ts'
import {
  colorFields,
  type Field,
  fileFields,
  type PagePart,
  type PageText,
  partFields,
  partsOf,
  typeFields,
} from './index-entries.ts'
import { collectForms, type Stemmer } from './stemmer.ts'
import { nameTerm, type Word, wordsOf } from './words.ts'

/** The items of a guide, by kind. */
export type Items = { colors: Color; types: TypeStyle; files: BrandFile; pages: PageText }

/** Some of the items of a guide. */
export type GuidePart<Kind extends keyof Items> = { kind: Kind; items: readonly Items[Kind][] }

/** The messages for an index: its maximum size and language; then colours, type styles, files and pages, in this order; the end. */
export type IndexTask =
  | { kind: 'begin'; maxBytes: number; lang: string }
  | { [Kind in keyof Items]: GuidePart<Kind> }[keyof Items]
  | { kind: 'end' }

/** The number columns of an index, which `search-index.ts` describes. */
export type NumberColumn = 'pageOf' | 'textEnds' | 'termEnds' | 'formSteps' | 'postingEnds' | 'postings'

/** A piece of an index. Pieces of one column follow each other. */
export type IndexBlock =
  | { kind: 'numbers'; column: NumberColumn; block: Uint32Array }
  | { kind: 'texts'; block: Uint8Array }
  | { kind: 'letters'; letters: string }

/**
 * The replies of the process that makes an index: its blocks; then the number of entries that are not parts of pages, and the
 * endings of words (`stemmer.ts`).
 */
export type IndexAnswer = IndexBlock | { kind: 'end'; items: number; endings: readonly string[] }

export type IndexBuilder = {
  add: <Kind extends keyof Items>(part: GuidePart<Kind>) => void
  /** Yields the rest of the index. Copy each answer before requesting the next one. */
  finish: () => Iterable<IndexAnswer>
}

/**
 * Builds an index up to a maximum number of entries. Near the maximum size, it adds only the names of further pages and
 * not their content.
 *
 * @param onBlock receives each full block and must copy it at once, so the builder does not keep content in memory
 */
export function collectIndex(onBlock: (block: IndexBlock) => void, maxBytes: number, stemmer?: Stemmer): IndexBuilder {
  const postings = collectPostings(stemmer)
  const parts = partWriter(onBlock)
  // The number of entries that are not parts of pages. These come first, since parts of pages are numbered after them.
  let items = 0
  const addItem = (fields: readonly Field[]): void => {
    if (items === MAX_ENTRIES) return
    items++
    postings.add(fields)
  }
  const isFull = () => postings.bytes() + parts.bytes() > maxBytes * TEXT_SHARE
  const addPage = (page: PageText): void => {
    for (const part of partsOf(isFull() ? '' : page.text)) {
      if (items + parts.count() === MAX_ENTRIES) break
      parts.write(part)
      postings.add(partFields(page, part))
    }
    parts.endPage()
  }
  const colors = new Map<string, Color>()
  const addOne: { [Kind in keyof Items]: (item: Items[Kind]) => void } = {
    colors: color => {
      colors.set(color.id, color)
      addItem(colorFields(color, cssNamesOf(color)))
    },
    types: style => addItem(typeFields(style)),
    files: file => addItem(fileFields(file, colors.get(file.ground ?? ''))),
    pages: addPage,
  }
  return {
    add: ({ kind, items: added }) => {
      for (const item of added) addOne[kind](item)
    },
    *finish() {
      parts.flush()
      yield* termBlocks(postings.sorted())
      yield { kind: 'end', items, endings: postings.endings() }
    },
  }
}

/** The names of a colour in CSS: `rebeccapurple`. */
function cssNamesOf({ hex }: Color): string[] {
  const value = Number.parseInt(hex.slice(1), 16)
  return Object.entries(colorsNamed)
    .filter(([, named]) => named === value)
    .map(([name]) => name)
}

/** The most entries, since a search scans all of them. */
const MAX_ENTRIES = 1 << 19
/** The share of the maximum size for page content. The rest is for names, and for the last page. */
const TEXT_SHARE = 7 / 8

/** Writes the page number, heading, anchor and text of each part. */
function partWriter(onBlock: (block: IndexBlock) => void) {
  const pageOf = numberWriter(block => onBlock({ kind: 'numbers', column: 'pageOf', block }))
  const textEnds = numberWriter(block => onBlock({ kind: 'numbers', column: 'textEnds', block }))
  const texts = textWriter(block => onBlock({ kind: 'texts', block }))
  let pages = 0
  let parts = 0
  /** The end of the last string. */
  let end = 0
  return {
    count: () => parts,
    bytes: () => end + parts * PART_BYTES,
    write: ({ heading, anchor, text }: PagePart): void => {
      parts++
      pageOf.write(pages)
      for (const each of [heading, anchor, text]) {
        end = texts.write(each)
        textEnds.write(end)
      }
    },
    endPage: () => void pages++,
    flush: (): void => {
      for (const writer of [pageOf, textEnds, texts]) writer.flush()
    },
  }
}

/** Its page number, and the ends of its three strings. */
const PART_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT

/** The terms and their postings. */
function* termBlocks({ terms, formSteps, ends, windows }: SortedPostings): Generator<IndexBlock> {
  const termEnds = new Uint32Array(terms.length)
  let end = 0
  for (const [at, term] of terms.entries()) {
    end += term.length
    termEnds[at] = end
  }
  for (let at = 0; at < terms.length; at += TERM_BATCH)
    yield { kind: 'letters', letters: terms.slice(at, at + TERM_BATCH).join('') }
  yield* numberBlocks('termEnds', termEnds)
  yield* numberBlocks('formSteps', formSteps)
  yield* numberBlocks('postingEnds', ends)
  for (const window of windows()) yield* numberBlocks('postings', window)
}

/** The number of terms in a message. */
const TERM_BATCH = 3000

/** Numbers in blocks of the largest size. */
function* numberBlocks(column: NumberColumn, numbers: Uint32Array): Generator<IndexBlock> {
  for (let at = 0; at < numbers.length; at += BLOCK_NUMBERS)
    yield { kind: 'numbers', column, block: numbers.subarray(at, at + BLOCK_NUMBERS) }
}

/** The terms in order, the steps to the next forms, the ends of their postings, and all postings in windows. */
type SortedPostings = {
  terms: readonly string[]
  formSteps: Uint32Array
  ends: Uint32Array
  /** Each window overwrites the previous one; all except the last contain whole blocks. */
  windows: () => Generator<Uint32Array>
}

/**
 * Collects the words of up to 2²³ entries. A posting is one number: the entry times 256, plus the weight of the term in
 * it. Until sorting, postings are in the order of their entries, with four bytes for each word.
 */
function collectPostings(stemmer?: Stemmer) {
  const ids = new Map<string, number>()
  const forms = collectForms(stemmer)
  /** The number of postings of each term, by its id. */
  const counts: number[] = []
  /** `NEXT_ENTRY` for each entry, and after it the terms of that entry: in each number, the id of a term and its weight. */
  const log = openColumn()
  const writer = numberWriter(block => log.add(block.slice()))
  let postingsLeft = MAX_POSTINGS
  let letters = 0
  /** The id of a term, a new one for a new term; undefined beyond the limit. */
  const idOf = (term: string, written: string): number | undefined => {
    const earlierId = ids.get(term)
    if (earlierId !== undefined || ids.size === MAX_TERMS) return earlierId
    // Ids are the positions in `counts`.
    const id = counts.push(0) - 1
    // A copy, since a term is a part of its text, and would keep that in memory.
    ids.set(copyString(term), id)
    letters += term.length
    forms.add(term, written)
    return id
  }
  return {
    add: (fields: readonly Field[]): void => {
      writer.write(NEXT_ENTRY)
      for (const [term, { weight, written }] of weightsOf(fields)) {
        const id = idOf(term, written)
        if (id === undefined || postingsLeft === 0) continue
        postingsLeft--
        counts[id] = (counts[id] ?? 0) + 1
        writer.write(id * 256 + Math.min(255, Math.ceil(weight * 10)))
      }
    },
    /** Their memory use in an index: a number for each posting, three for each term, and two bytes for each letter. */
    bytes: () => (MAX_POSTINGS - postingsLeft + 3 * ids.size) * Uint32Array.BYTES_PER_ELEMENT + 2 * letters,
    endings: forms.endings,
    sorted: (): SortedPostings => {
      writer.flush()
      const terms = [...ids.keys()].sort()
      const sortedIds = terms.map(term => ids.get(term) ?? 0)
      const { starts, ends, count } = postingRanges(sortedIds, counts)
      return { terms, formSteps: forms.steps(sortedIds), ends, windows: () => windowsOf(log, starts, count) }
    },
  }
}

const MAX_TERMS = 250_000
/** 128 MiB. */
const MAX_POSTINGS = 1 << 25
/** Not a valid posting, since there are fewer terms. */
const NEXT_ENTRY = 2 ** 32 - 1

/** The starts of the postings of each term, keyed by id, and their ends, in the order of the terms. */
function postingRanges(sortedIds: readonly number[], counts: readonly number[]) {
  const starts = new Uint32Array(sortedIds.length)
  const ends = new Uint32Array(sortedIds.length)
  let end = 0
  for (const [rank, id] of sortedIds.entries()) {
    starts[id] = end
    end += counts[id] ?? 0
    ends[rank] = end
  }
  return { starts, ends, count: end }
}

/**
 * Sorts the postings by term, from the position at which those of each term start. Scans all of them once for each
 * window, so memory never has a second copy.
 */
function* windowsOf(log: Column, starts: Uint32Array, count: number): Generator<Uint32Array> {
  const window = new Uint32Array(Math.min(count, WINDOW))
  for (let from = 0; from < count; from += WINDOW) {
    /** The position of the next posting of each term. */
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
function weightsOf(fields: readonly Field[]): Map<string, TermUse> {
  const weights = new Map<string, TermUse>()
  const add = (term: string, weight: number, written: string): void => {
    const use = weights.get(term)
    if (use) use.weight += weight
    else if (term !== '') weights.set(term, { weight, written })
  }
  for (const { text, weight, typicalWords } of fields) {
    // A whole name is one term. A space is not a word, so that it has no stem and no forms.
    if (typicalWords === 0) {
      add(nameTerm(text), weight, ' ')
      continue
    }
    const words = wordsOf(text)
    const counts = new Map<string, { count: number; first: Word }>()
    for (const word of words) {
      const sameTerm = counts.get(word.term)
      if (sameTerm) sameTerm.count++
      else counts.set(word.term, { count: 1, first: word })
    }
    // BM25 with k₁ = 1.2 and b = 0.75: k₁ · (1 - b + b · length), where a typical field has the length 1.
    const damping = 0.3 + (0.9 * words.length) / typicalWords
    for (const [term, { count, first }] of counts)
      add(term, (weight * count) / (count + damping), text.slice(first.start, first.end))
  }
  return weights
}

/** The weight of a term, and its first occurrence as written. */
type TermUse = { weight: number; written: string }
