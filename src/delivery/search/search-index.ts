import type { Color } from '#brand/color.ts'
import type { Content } from '#brand/draft.ts'
import type { BrandFile } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { isAnswer } from '#platform/processes/pool.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { type Column, openColumn, openTextColumn, type TextColumn } from './blocks.ts'
import { hasCssColor, withHexColors } from './color-query.ts'
import type { IndexAnswer, NumberColumn } from './index-builder.ts'
import { type IndexTerms, type WordIndex, wordIndex } from './word-index.ts'

export type SearchIndex = {
  words: WordIndex
  /** The number of the item that an entry belongs to: its page, or itself. */
  ownerOf: (entry: number) => number
  /** The target of an entry, in the content that was indexed. */
  targetOf: (entry: number, items: SearchItems) => Target | undefined
  /** Memory use, in bytes. */
  size: number
  /** The number of entries: items, then parts of pages. */
  entries: number
  /** The page number of each part. */
  owners: Column
  /** The terms and postings for looking up words. */
  terms: IndexTerms
}

/** The target of an entry: a part of a page (`heading` is empty at its top), or a whole colour, style or file. */
export type Target =
  | { kind: 'page'; of: Page; heading: string; anchor: string; text: string }
  | { kind: 'color'; of: Color }
  | { kind: 'type'; of: TypeStyle }
  | { kind: 'file'; of: BrandFile }

/** The searchable items of a guide, in order: colours, type styles, files of the library, and pages. */
export type SearchItems = Pick<Content, 'colors' | 'types' | 'files' | 'pages'>

/** The searchable items of a guide's content, in the order of its index. */
export async function searchItemsOf(content: Publication['content']): Promise<SearchItems> {
  const { colors, types, pages } = content
  return {
    colors: await colors(),
    types: await types(),
    files: [...(await libraryOf(content)).files.values()],
    pages: [...(await pages()).values()],
  }
}

/** A query with each CSS colour as the hex of that colour of a guide. Only a query with such a colour loads its reader. */
export async function withGuideColors(query: string, colors: readonly Color[]): Promise<string> {
  if (!hasCssColor(query)) return query
  const { readCssColor } = await import('#formats/css/css-color.ts')
  return withHexColors(
    query,
    css => readCssColor(css)?.hex,
    colors.map(({ hex }) => hex),
  )
}

/** The columns of an index; `letters` has all terms in a row. */
type Columns = Record<NumberColumn, Column> & { texts: TextColumn; letters: string; endings: ReadonlySet<string> }

/**
 * Makes a receiver for the messages of `index-process.ts`, which returns the index after the last one. Entries are
 * items (colours, type styles and files, in this order), then parts of pages. For each part, columns have its page
 * (`pageOf`) and the ends of its heading, anchor and text (`textEnds`); for each term, in order, its end among all
 * letters (`termEnds`), the step to the next form of its word (`formSteps`) and the end of its postings (`postingEnds`).
 */
export function receiveIndex(): (message: unknown) => SearchIndex | undefined {
  const columns: Columns = {
    pageOf: openColumn(),
    textEnds: openColumn(),
    termEnds: openColumn(),
    formSteps: openColumn(),
    postingEnds: openColumn(),
    postings: openColumn(),
    texts: openTextColumn(),
    letters: '',
    endings: new Set(),
  }
  return message => {
    if (!isAnswer<IndexAnswer>(message)) return undefined
    if (message.kind === 'end') return searchIndex({ ...columns, endings: new Set(message.endings) }, message.items)
    if (message.kind === 'numbers') columns[message.column].add(message.block)
    else if (message.kind === 'texts') columns.texts.add(message.block)
    else columns.letters += message.letters
    return undefined
  }
}

function searchIndex(columns: Columns, itemCount: number): SearchIndex {
  const { pageOf, textEnds, texts } = columns
  const entries = itemCount + pageOf.length()
  // Each part has three strings in a row: heading, anchor and text.
  const textAt = (at: number): string => texts.text(at === 0 ? 0 : textEnds.at(at - 1), textEnds.at(at))
  const partOf = (part: number, { pages }: SearchItems): Target | undefined => {
    const of = pages[pageOf.at(part)]
    return (
      of && { kind: 'page', of, heading: textAt(3 * part), anchor: textAt(3 * part + 1), text: textAt(3 * part + 2) }
    )
  }
  return {
    words: wordIndex(entries, columns),
    ownerOf: entry => (entry < itemCount ? entry : itemCount + pageOf.at(entry - itemCount)),
    targetOf: (entry, all) => (entry < itemCount ? itemAt(entry, all) : partOf(entry - itemCount, all)),
    size: sizeOf(columns),
    entries,
    owners: pageOf,
    terms: columns,
  }
}

function sizeOf({ texts, letters, endings: _, ...columns }: Columns): number {
  const numbers = Object.values(columns).reduce((sum, column) => sum + column.bytes(), 0)
  return numbers + texts.bytes() + 2 * letters.length + OVERHEAD
}

/** Bytes of objects other than the columns. */
const OVERHEAD = 5000

function itemAt(at: number, { colors, types, files }: SearchItems): Target | undefined {
  const color = colors[at]
  if (color) return { kind: 'color', of: color }
  const style = types[at - colors.length]
  if (style) return { kind: 'type', of: style }
  const file = files[at - colors.length - types.length]
  return file && { kind: 'file', of: file }
}
