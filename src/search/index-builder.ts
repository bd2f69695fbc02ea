import type { Color } from '../brand/color.ts'
import { BLOCK_NUMBERS, numberWriter, textWriter } from './blocks.ts'
import { colorFields, type Field, fileFields, type PagePart, partFields, partsOf, typeFields } from './index-entries.ts'
import type { GuidePart, IndexAnswer, IndexBlock, NumberColumn, PageText } from './index-messages.ts'
import { collectPostings, type SortedPostings } from './postings.ts'

/** Builds the index of a guide. */
export type IndexBuilder = {
  add: (part: GuidePart) => void
  /** Yields the rest of the index. Copy each answer before requesting the next one. */
  finish: () => Iterable<IndexAnswer>
}

/**
 * Builds an index up to a maximum number of entries. Near the maximum size, it adds only the names of further pages and
 * not their content.
 *
 * @param onBlock receives each full block and must copy it at once, so the builder does not keep content in memory
 */
export function collectIndex(onBlock: (block: IndexBlock) => void, maxBytes: number): IndexBuilder {
  const postings = collectPostings()
  const parts = partWriter(onBlock)
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
  const addColor = (color: Color): void => {
    colors.set(color.id, color)
    addItem(colorFields(color))
  }
  return {
    add: part => {
      if (part.kind === 'colors') for (const color of part.colors) addColor(color)
      else if (part.kind === 'types') for (const style of part.types) addItem(typeFields(style))
      else if (part.kind === 'files')
        for (const file of part.files) addItem(fileFields(file, colors.get(file.ground ?? '')))
      else for (const page of part.pages) addPage(page)
    },
    *finish() {
      parts.flush()
      yield* termBlocks(postings.sorted())
      yield { kind: 'end', items }
    },
  }
}

/** A search scans all entries. */
const MAX_ENTRIES = 1 << 19
/** The share of the maximum size for page content. The rest is for names, and for the last page. */
const TEXT_SHARE = 7 / 8

/** Writes the page number, heading, anchor and text of each part. */
function partWriter(onBlock: (block: IndexBlock) => void) {
  const pageOf = numberWriter(block => onBlock({ kind: 'numbers', column: 'pageOf', block }))
  const textEnds = numberWriter(block => onBlock({ kind: 'numbers', column: 'textEnds', block }))
  const texts = textWriter(block => onBlock({ kind: 'texts', block }))
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

/** Its page number, and the ends of its three strings. */
const PART_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT

/** The terms and their postings. */
function* termBlocks({ terms, ends, windows }: SortedPostings): Generator<IndexBlock> {
  const termEnds = new Uint32Array(terms.length)
  let end = 0
  for (const [at, term] of terms.entries()) termEnds[at] = end += term.length
  for (let at = 0; at < terms.length; at += TERM_BATCH)
    yield { kind: 'letters', letters: terms.slice(at, at + TERM_BATCH).join('') }
  yield* numberBlocks('termEnds', termEnds)
  yield* numberBlocks('postingEnds', ends)
  for (const window of windows()) yield* numberBlocks('postings', window)
}

const TERM_BATCH = 3000

function* numberBlocks(column: NumberColumn, numbers: Uint32Array): Generator<IndexBlock> {
  for (let at = 0; at < numbers.length; at += BLOCK_NUMBERS)
    yield { kind: 'numbers', column, block: numbers.subarray(at, at + BLOCK_NUMBERS) }
}
