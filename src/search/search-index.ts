import type { Color } from '../brand/color.ts'
import type { BrandFile } from '../brand/file.ts'
import type { Page } from '../brand/page.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import { libraryOf } from '../serving/publications/library.ts'
import type { Publication } from '../serving/publications/publications.ts'
import { type Column, openColumn, openTextColumn, type TextColumn } from './blocks.ts'
import type { IndexAnswer, NumberColumn } from './index-messages.ts'
import { type IndexTerms, type WordIndex, wordIndex } from './word-index.ts'

/** The search index of a guide. */
export type SearchIndex = {
  words: WordIndex
  /** The number of the thing that an entry is a part of: its page, or itself. */
  ownerOf: (entry: number) => number
  /** What an entry stands for, in the content that the index was made of. */
  targetOf: (entry: number, things: SearchItems) => Target | undefined
  /** How much memory it takes, in bytes. */
  size: number
  /** How many entries it has: things, then parts of pages, of each of which `owners` has the number of its page. */
  entries: number
  owners: Column
  /** What its words are looked up in. */
  terms: IndexTerms
}

/**
 * What an entry leads to: a part of a page, whose `heading` is empty at the top of the page, or a whole colour, style
 * or file.
 */
export type Target =
  | { kind: 'page'; of: Page; heading: string; anchor: string; text: string }
  | { kind: 'color'; of: Color }
  | { kind: 'type'; of: TypeStyle }
  | { kind: 'file'; of: BrandFile }

/** What is searched of a guide, in order: its colours, its type styles, the files of its library, and its pages. */
export type SearchItems = {
  colors: readonly Color[]
  types: readonly TypeStyle[]
  files: readonly BrandFile[]
  pages: readonly Page[]
}

/** The things that an index of this content numbers. */
export async function searchItemsOf(content: Publication['content']): Promise<SearchItems> {
  const { colors, types, pages } = content
  return {
    colors: await colors(),
    types: await types(),
    files: [...(await libraryOf(content)).files.values()],
    pages: [...(await pages()).values()],
  }
}

/** What an index is made of. */
type Columns = Record<NumberColumn, Column> & { texts: TextColumn; letters: string }

/**
 * Makes a receiver of the messages of `index-process.ts`. It gives the index when it gets the last one. Entries are
 * things (colours, type styles and files, in this order), then parts of pages. Columns hold for each part its page
 * (`pageOf`), and the ends of its heading, its anchor and its text (`textEnds`); for each term, in order, its end among
 * all letters (`termEnds`), and the end of its postings (`postingEnds`).
 */
export function receiveIndex(): (message: unknown) => SearchIndex | undefined {
  const columns: Columns = {
    pageOf: openColumn(),
    textEnds: openColumn(),
    termEnds: openColumn(),
    postingEnds: openColumn(),
    postings: openColumn(),
    texts: openTextColumn(),
    letters: '',
  }
  return message => {
    if (!isAnswer(message)) return undefined
    if (message.kind === 'end') return searchIndex(columns, message.things)
    if (message.kind === 'numbers') columns[message.column].add(message.block)
    else if (message.kind === 'texts') columns.texts.add(message.block)
    else columns.letters += message.letters
    return undefined
  }
}

/** Whether a message is what `index-process.ts` sends: it sends nothing else. */
function isAnswer(message: unknown): message is IndexAnswer {
  return typeof message === 'object' && message !== null
}

function searchIndex(columns: Columns, things: number): SearchIndex {
  const { pageOf, textEnds, texts } = columns
  const entries = things + pageOf.length()
  const textOf = (at: number): string => texts.text(at === 0 ? 0 : textEnds.at(at - 1), textEnds.at(at))
  const partOf = (part: number, { pages }: SearchItems): Target | undefined => {
    const of = pages[pageOf.at(part)]
    return (
      of && { kind: 'page', of, heading: textOf(3 * part), anchor: textOf(3 * part + 1), text: textOf(3 * part + 2) }
    )
  }
  return {
    words: wordIndex(entries, columns),
    ownerOf: entry => (entry < things ? entry : things + pageOf.at(entry - things)),
    targetOf: (entry, all) => (entry < things ? itemAt(entry, all) : partOf(entry - things, all)),
    size: sizeOf(columns),
    entries,
    owners: pageOf,
    terms: columns,
  }
}

function sizeOf({ texts, letters, ...columns }: Columns): number {
  const numbers = Object.values(columns).reduce((sum, column) => sum + column.bytes(), 0)
  return numbers + texts.bytes() + 2 * letters.length + OVERHEAD
}

/** Bytes. */
const OVERHEAD = 5000

function itemAt(at: number, { colors, types, files }: SearchItems): Target | undefined {
  const [color, style] = [colors[at], types[at - colors.length]]
  if (color) return { kind: 'color', of: color }
  if (style) return { kind: 'type', of: style }
  const file = files[at - colors.length - types.length]
  return file && { kind: 'file', of: file }
}
