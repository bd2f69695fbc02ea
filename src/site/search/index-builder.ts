import { colorFields, type Field, fileFields, type PagePart, partFields, partsOf, typeFields } from './index-entries.ts'
import type { IndexPart, PageText } from './index-task.ts'
import { bytesOf, type Counts, type IndexViews, type PackedIndex, viewsOf } from './packed-index.ts'
import { collectWords } from './word-lists.ts'

/** Takes what a guide has, part by part, and makes an index of it. */
export type IndexBuilder = {
  add: (part: Exclude<IndexPart, { isAll: true }>) => void
  packed: () => PackedIndex
}

/** Collects an index; what would make it too large to be searched at once is left out. */
export function collectIndex(): IndexBuilder {
  const words = collectWords()
  const parts: Parts = { pageOf: [], texts: [] }
  let [things, pages] = [0, 0]
  const addThing = (fields: readonly Field[]): void => {
    if (things === MAX_ENTRIES) return
    things++
    words.add(fields)
  }
  const addPage = (page: PageText): void => {
    for (const part of partsOf(page.text)) {
      if (things + parts.pageOf.length === MAX_ENTRIES) break
      addPart(parts, pages, part)
      words.add(partFields(page, part))
    }
    pages++
  }
  return {
    add: part => {
      if ('colors' in part) for (const color of part.colors) addThing(colorFields(color))
      else if ('types' in part) for (const style of part.types) addThing(typeFields(style))
      else if ('files' in part) for (const file of part.files) addThing(fileFields(file))
      else for (const page of part.pages) addPage(page)
    },
    packed: () => packed(things, parts, words.sorted()),
  }
}

/** A search goes through all of them. */
const MAX_ENTRIES = 1 << 19

/** Of each part of a page the page, and its heading, anchor and text as UTF-8: outside the heap, and small. */
type Parts = { pageOf: number[]; texts: Uint8Array[] }

function addPart(parts: Parts, page: number, { heading, anchor, text }: PagePart): void {
  parts.pageOf.push(page)
  for (const each of [heading, anchor, text]) parts.texts.push(each === '' ? EMPTY : Buffer.from(each))
}

const EMPTY = new Uint8Array()

type Sorted = ReturnType<ReturnType<typeof collectWords>['sorted']>

function packed(things: number, { pageOf, texts }: Parts, terms: Sorted): PackedIndex {
  const sum = (sizes: Iterator<number> & Iterable<number>): number => Iterator.from(sizes).reduce((a, b) => a + b, 0)
  const counts: Counts = {
    ...{ things, parts: pageOf.length, terms: terms.length },
    places: sum(terms.values().map(([, places]) => places.length)),
    letters: sum(terms.values().map(([term]) => term.length)),
    bytes: sum(texts.values().map(text => text.length)),
  }
  const bytes = new Uint8Array(bytesOf(counts))
  const views = viewsOf(bytes.buffer, counts)
  views.pageOf.set(pageOf)
  fillTexts(views, texts)
  fillTerms(views, terms)
  return { counts, bytes }
}

function fillTexts({ texts, textEnds }: IndexViews, from: readonly Uint8Array[]): void {
  let end = 0
  for (const [at, text] of from.entries()) {
    texts.set(text, end)
    end += text.length
    textEnds[at] = end
  }
}

function fillTerms({ letters, termEnds, places, placeEnds }: IndexViews, terms: Sorted): void {
  let [letter, place] = [0, 0]
  for (const [at, [term, list]] of terms.entries()) {
    for (let unit = 0; unit < term.length; unit++) letters[letter++] = term.charCodeAt(unit)
    places.set(list, place)
    place += list.length
    termEnds[at] = letter
    placeEnds[at] = place
  }
}
