import { BLOCK_NUMBERS, type Column } from '#delivery/search/blocks.ts'
import { type SearchIndex, searchItemsOf } from '#delivery/search/search-index.ts'
import type { Guide } from '../guide/guide.ts'
import type { Word } from '../html.ts'
import type { Words } from '../words/words.ts'
import type { Thumb } from './search-results.ts'
import { entryFilter, entryReader, itemFormats, suggestedPages } from './search-results.ts'

/** A script with a part of a copy's index; its name has no extension. */
export type IndexScript = { name: string; text: string }

/** Finds the file in the copy for the path of an entry, as a reference from the root of the copy. */
type PlaceOf = (path: string) => Promise<string>

/**
 * The index of a guide as scripts: `start`, `head-0`, … for every search, and postings and entries on demand. `start` comes
 * last, since it has the numbers of the others. The first entries are *things*, whole colours, type styles and files; parts
 * of pages follow. `hidden` lists the things that readers may not find.
 */
export async function* copiedIndex(guide: Guide, index: SearchIndex, placeOf: PlaceOf): AsyncGenerator<IndexScript> {
  const heads = headPieces(index)
  for (const [at, text] of heads.entries()) yield { name: `head-${at}`, text }
  const postings = pieces('postings', blocksOf(index.terms.postings))
  for (const [at, text] of postings.entries()) yield { name: `postings-${at}`, text }
  const entryStarts: number[] = []
  for await (const { first, entries } of entryBlocks(guide, index, placeOf)) {
    yield { name: `entries-${entryStarts.length}`, text: call('entries', entryStarts.length, entries) }
    entryStarts.push(first)
  }
  const start = await startPiece(guide, index, placeOf, { heads: heads.length, entryStarts })
  yield { name: 'start', text: call('start', 0, start) }
}

/** The pieces that every search needs: the words of the index, and the pages of parts of pages. */
function headPieces({ terms, owners }: SearchIndex): string[] {
  return [
    ...pieces('letters', inParts(terms.letters)),
    ...pieces('termEnds', blocksOf(terms.termEnds)),
    ...pieces('formSteps', blocksOf(terms.formSteps)),
    ...pieces('postingEnds', blocksOf(terms.postingEnds)),
    ...pieces('owners', blocksOf(owners)),
  ]
}

/** The numbers of the other pieces, and everything else that a search needs to begin. */
async function startPiece(
  guide: Guide,
  index: SearchIndex,
  placeOf: PlaceOf,
  { heads, entryStarts }: { heads: number; entryStarts: readonly number[] },
): Promise<object> {
  // `owners` has the page of each part of a page, so the rest of the entries are things.
  const things = index.entries - index.owners.length()
  const isShown = await entryFilter(guide)
  const hidden = Array.from({ length: things }, (_, at) => at).filter(at => !isShown(at))
  const { joined } = await itemFormats(guide.publication.content)
  const { colors } = await searchItemsOf(guide.publication.content)
  const suggestions = []
  for (const page of await suggestedPages(guide)) suggestions.push(await rowOf(page, placeOf))
  return {
    entries: index.entries,
    things,
    heads,
    colors: colors.map(({ hex }) => hex),
    endings: [...index.terms.endings],
    entryStarts,
    hidden,
    joined,
    suggestions,
    lang: guide.words.lang,
    words: forms(guide.words),
  }
}

/** Scripts, each with a part of one kind. */
function pieces(kind: string, parts: readonly string[]): string[] {
  return parts.map((part, at) => call(kind, at, part))
}

/** A script that gives a piece of the index to `script/copied/search.js`. JSON is an expression of JavaScript (ECMA-262 §25.5.1). */
function call(kind: string, at: number, value: unknown): string {
  return `housestyleSearch(${JSON.stringify(kind)},${at},${JSON.stringify(value)})\n`
}

function inParts(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / LETTERS) }, (_, at) =>
    text.slice(at * LETTERS, (at + 1) * LETTERS),
  )
}

/** In characters. */
const LETTERS = 1 << 18

/** A column of numbers in blocks, as base64 of 32-bit numbers: little-endian, like all processors that run browsers. */
function blocksOf(column: Column): string[] {
  return Array.from({ length: Math.ceil(column.length() / BLOCK_NUMBERS) }, (_, at) => {
    const end = Math.min((at + 1) * BLOCK_NUMBERS, column.length())
    const bytes = column.slices(at * BLOCK_NUMBERS, end).map(slice => new Uint8Array(new Uint32Array(slice).buffer))
    return Buffer.concat(bytes).toString('base64')
  })
}

/** An entry as `script/copied/search.js` reads it. */
type EntryRow = readonly [path: string, title: string, where: string, text: string, isWhole: 0 | 1, thumb?: Thumb]

async function* entryBlocks(
  guide: Guide,
  index: SearchIndex,
  placeOf: PlaceOf,
): AsyncGenerator<{ first: number; entries: readonly EntryRow[] }> {
  const entryAt = await entryReader(guide, index)
  let first = 0
  let size = 0
  let rows: EntryRow[] = []
  for (let at = 0; at < index.entries; at++) {
    const row = await rowOf(entryAt(at), placeOf)
    const [, title, , text] = row
    rows.push(row)
    size += title.length + text.length + ROW
    if (size >= BLOCK || at === index.entries - 1) {
      yield { first, entries: rows }
      first = at + 1
      size = 0
      rows = []
    }
  }
}

/** Characters: in a block of entries, and in a row in addition to its title and text. */
const BLOCK = 1 << 17
const ROW = 60

type ReadEntry = ReturnType<Awaited<ReturnType<typeof entryReader>>>

async function rowOf(entry: ReadEntry, placeOf: PlaceOf): Promise<EntryRow> {
  if (!entry) return ['', '', '', '', 1]
  const { path, title, where, text, isWhole, ...thumb } = entry
  const row = [await placeOf(path), title, `${where}`, text, isWhole ? 1 : 0] as const
  if (Object.keys(thumb).length === 0) return row
  return [...row, thumb.picture === undefined ? thumb : { ...thumb, picture: await placeOf(thumb.picture) }]
}

type Forms = Record<'one' | 'other', string>

/** The sentences about results, for one and for several, with placeholders such as `{count}` that the script fills in. */
function forms({ search, number }: Words): Record<string, Forms> {
  // Unusual numbers, which are found in the sentences again, written as the language writes them.
  const shownCount = 54_321
  const manyCount = 12_345
  const text = '{text}'
  const form = (say: (count: number) => Word): Forms => {
    const withNames = (sentence: Word) =>
      `${sentence}`.replace(number(manyCount), '{number}').replace(number(shownCount), '{shown}')
    return { one: withNames(say(1)), other: withNames(say(manyCount)) }
  }
  return {
    none: form(() => search.none),
    noneFor: form(() => search.noneFor({ text })),
    count: form(count => search.count({ count })),
    all: form(count => search.all({ count })),
    found: form(count => search.found({ count, text })),
    best: form(count => search.best({ first: shownCount, count, text })),
    someWords: form(() => search.someWords),
  }
}
