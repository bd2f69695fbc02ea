import { BLOCK_NUMBERS, numberWriter, textWriter } from './blocks.ts'
import { colorFields, type Field, fileFields, type PagePart, partFields, partsOf, typeFields } from './index-entries.ts'
import type { GuidePart, IndexAnswer, IndexBlock, NumberColumn, PageText } from './index-messages.ts'
import { collectPostings, type SortedPostings } from './postings.ts'

/** Makes an index of what a guide has. */
export type IndexBuilder = {
  add: (part: GuidePart) => void
  /** The rest of the index: each answer has to be copied before the next is asked for. */
  finish: () => Iterable<IndexAnswer>
}

/**
 * Collects an index; what would make it too large to be searched at once is left out. Once it is nearly as large as it may
 * be, it takes the names of pages and no more of their texts.
 *
 * @param handOn gets each block that is full, and copies it at once: so texts are not held here
 */
export function collectIndex(handOn: (block: IndexBlock) => void, maxBytes: number): IndexBuilder {
  const postings = collectPostings()
  const parts = partWriter(handOn)
  let things = 0
  const addThing = (fields: readonly Field[]): void => {
    if (things === MAX_ENTRIES) return
    things++
    postings.add(fields)
  }
  const isFull = () => postings.bytes() + parts.bytes() > maxBytes * PART_FOR_TEXTS
  const addPage = (page: PageText): void => {
    for (const part of partsOf(isFull() ? '' : page.text)) {
      if (things + parts.count() === MAX_ENTRIES) break
      parts.write(part)
      postings.add(partFields(page, part))
    }
    parts.endPage()
  }
  return {
    add: part => {
      if (part.kind === 'colors') for (const color of part.colors) addThing(colorFields(color))
      else if (part.kind === 'types') for (const style of part.types) addThing(typeFields(style))
      else if (part.kind === 'files') for (const file of part.files) addThing(fileFields(file))
      else for (const page of part.pages) addPage(page)
    },
    *finish() {
      parts.flush()
      yield* termBlocks(postings.sorted())
      yield { kind: 'end', things }
    },
  }
}
/** A search goes through all of them. */
const MAX_ENTRIES = 1 << 19
/** The rest is for the words of names, and for the page that is added last. */
const PART_FOR_TEXTS = 7 / 8

/** Writes which page each part is of, and its heading, anchor and text. */
function partWriter(handOn: (block: IndexBlock) => void) {
  const pageOf = numberWriter(block => handOn({ kind: 'numbers', column: 'pageOf', block }))
  const textEnds = numberWriter(block => handOn({ kind: 'numbers', column: 'textEnds', block }))
  const texts = textWriter(block => handOn({ kind: 'texts', block }))
  let [pages, parts, end] = [0, 0, 0]
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

/** Its page, and the ends of its three texts. */
const PART_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT

/** The terms and their postings. */
function* termBlocks({ terms, ends, windows }: SortedPostings): Generator<IndexBlock> {
  const termEnds = new Uint32Array(terms.length)
  let end = 0
  for (const [at, term] of terms.entries()) termEnds[at] = end += term.length
  for (let at = 0; at < terms.length; at += TERMS_AT_ONCE)
    yield { kind: 'letters', letters: terms.slice(at, at + TERMS_AT_ONCE).join('') }
  yield* numberBlocks('termEnds', termEnds)
  yield* numberBlocks('postingEnds', ends)
  for (const window of windows()) yield* numberBlocks('postings', window)
}

const TERMS_AT_ONCE = 3000

function* numberBlocks(column: NumberColumn, numbers: Uint32Array): Generator<IndexBlock> {
  for (let at = 0; at < numbers.length; at += BLOCK_NUMBERS)
    yield { kind: 'numbers', column, block: numbers.subarray(at, at + BLOCK_NUMBERS) }
}
