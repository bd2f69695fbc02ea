import type { Color } from '../../brand/color.ts'
import type { BrandFile } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Publication } from '../../serving/publications.ts'
import { bytesOf, type Counts, viewsOf } from './packed-index.ts'
import { type WordIndex, wordIndex } from './word-index.ts'

/** What a guide is searched with. */
export type SearchIndex = {
  words: WordIndex
  /** The number of what an entry is a part of: its page, or itself. */
  ownerOf: (entry: number) => number
  /** What an entry stands for, in the content that the index was made of. */
  placeOf: (entry: number, things: Things) => Place | undefined
  /** How much memory it takes, in bytes. */
  size: number
}

/**
 * Something that is found: a part of a page, whose `heading` is empty at its top, or a whole colour, style or file; `at`
 * is the number of a file among all of the project.
 */
export type Place =
  | { kind: 'page'; of: Page; heading: string; anchor: string; text: string }
  | { kind: 'color'; of: Color }
  | { kind: 'type'; of: TypeStyle }
  | { kind: 'file'; of: BrandFile; at: number }

/** All that a guide has, in its order. */
export type Things = {
  colors: readonly Color[]
  types: readonly TypeStyle[]
  files: readonly BrandFile[]
  pages: readonly Page[]
}

/** What an index of a content numbers. */
export async function thingsOf({ colors, types, files, pages }: Publication['content']): Promise<Things> {
  return {
    ...{ colors: await colors(), types: await types() },
    ...{ files: [...(await files()).values()], pages: [...(await pages()).values()] },
  }
}

/** Makes bytes that were packed an index. */
export function searchIndex(counts: Counts, buffer: ArrayBuffer): SearchIndex {
  const views = viewsOf(buffer, counts)
  const textOf = (at: number): string =>
    DECODER.decode(views.texts.subarray(views.textEnds[at - 1] ?? 0, views.textEnds[at]))
  const partOf = (part: number, { pages }: Things): Place | undefined => {
    const of = pages[views.pageOf[part] ?? -1]
    const [heading, anchor, text] = [textOf(3 * part), textOf(3 * part + 1), textOf(3 * part + 2)]
    return of && { kind: 'page', of, heading, anchor, text }
  }
  return {
    words: wordIndex(counts.things + counts.parts, views),
    ownerOf: entry => (entry < counts.things ? entry : counts.things + (views.pageOf[entry - counts.things] ?? 0)),
    placeOf: (entry, things) =>
      entry < counts.things ? thingAt(entry, things) : partOf(entry - counts.things, things),
    size: bytesOf(counts) + 2 * counts.letters + OVERHEAD, // The letters are there once more, as a string.
  }
}

const OVERHEAD = 2000
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

function thingAt(at: number, { colors, types, files }: Things): Place | undefined {
  const [color, style] = [colors[at], types[at - colors.length]]
  if (color) return { kind: 'color', of: color }
  if (style) return { kind: 'type', of: style }
  const number = at - colors.length - types.length
  const file = files[number]
  return file && { kind: 'file', of: file, at: number }
}
