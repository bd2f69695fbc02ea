import type { Color } from '../../brand/color.ts'
import { type BrandFile, filename, isFont, isPicture } from '../../brand/file.ts'
import type { Page } from '../../brand/page.ts'
import { pacing } from '../../brand/steps.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { Publication } from '../../serving/publications.ts'
import { pageSections } from '../markdown/page-sections.ts'
import { type Field, type WordIndex, wordIndex } from './word-index.ts'

/** What a guide is searched with; a place has the number of its entry among the words. */
export type SearchIndex = { places: readonly Place[]; words: WordIndex; size: number }

/**
 * Something that is found: a part of a page, whose `heading` is empty at its top, or a whole colour, style or file; `at`
 * is the number of a file among all of the project.
 */
export type Place =
  | { kind: 'page'; of: Page; heading: string; anchor: string; text: string }
  | { kind: 'color'; of: Color }
  | { kind: 'type'; of: TypeStyle }
  | { kind: 'file'; of: BrandFile; at: number }

/** Makes the index of a published revision, in steps between which the service answers others. */
export async function searchIndex({ pages, colors, types, files, text }: Publication['content']): Promise<SearchIndex> {
  const words = wordIndex()
  const places: Place[] = []
  const pace = pacing(MOST_AT_ONCE)
  const add = (place: Place, fields: readonly Field[]): Promise<void> | undefined => {
    if (places.length === MOST_PLACES) return undefined
    places.push(place)
    words.add(fields)
    return pace(fields.reduce((work, { text }) => work + text.length, WORK_A_PLACE))
  }
  for (const color of await colors()) await add({ kind: 'color', of: color }, colorFields(color))
  for (const style of await types()) await add({ kind: 'type', of: style }, typeFields(style))
  for (const [at, file] of Array.from((await files()).values()).entries())
    await add({ kind: 'file', of: file, at }, fileFields(file))
  let left = MOST_TEXT
  for (const page of (await pages()).values()) {
    const read = left > 0 ? copyOf((await text(page)).slice(0, Math.min(left, MOST_TEXT_A_PAGE))) : ''
    left -= read.length
    for (const place of placesIn(page, read)) await add(place, pageFields(place))
  }
  return { places, words, size: BYTES_AT_LEAST + words.size() + 2 * (MOST_TEXT - left) + BYTES_A_PLACE * places.length }
}

/** A part of a text holds the whole in memory; a copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

/** Characters: of all pages together, and of one. */
const MOST_TEXT = 32 << 20
const MOST_TEXT_A_PAGE = 64 << 10
/** A search goes through all of them. */
const MOST_PLACES = 1 << 19
const BYTES_A_PLACE = 100
const BYTES_AT_LEAST = 1000

/** The work of about two milliseconds, in characters. */
const MOST_AT_ONCE = 8 << 10
/** What an entry takes beside its text. */
const WORK_A_PLACE = 100

type PagePart = Extract<Place, { kind: 'page' }>

/** The parts of a page, none so long that looking for words in it takes long. A title at the start is the page's own. */
function placesIn(page: Page, text: string): PagePart[] {
  const parts = pageSections(text).flatMap(({ level, heading, id, text }, at) => {
    const isTop = at === 0 && level < 2
    return inPieces(withoutBars(text)).map(piece => ({
      heading: isTop ? '' : heading,
      anchor: isTop ? '' : id,
      text: piece,
    }))
  })
  const top = { heading: '', anchor: '', text: '' }
  const withTop = parts[0]?.heading === '' ? parts : [top, ...parts]
  return withTop.map(part => ({ kind: 'page', of: page, ...part }))
}

/** The cells of tables with something between them that reads well in a line. */
function withoutBars(text: string): string {
  return text.replace(/ ?\|[ |]*/g, ' · ').replace(/^ · | · $/g, '')
}

const LONGEST_PIECE = 2000

/** Pieces that end between words, where there are any. */
function inPieces(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > LONGEST_PIECE) {
    const space = text.lastIndexOf(' ', start + LONGEST_PIECE)
    const end = space > start ? space : start + LONGEST_PIECE
    pieces.push(text.slice(start, end))
    start = end
  }
  return [...pieces, text.slice(start)]
}

const NAME = { weight: 10, usual: 2 }
const HEADING = { weight: 6, usual: 3 }
/** Names of what a thing belongs to. */
const AROUND = { weight: 2, usual: 3 }
const VALUES = { weight: 8, usual: 30 }
const DESCRIPTION = { weight: 3, usual: 20 }
const TEXT = { weight: 1, usual: 100 }

function pageFields({ of, heading, text }: PagePart): Field[] {
  const isTop = heading === ''
  return [
    { text: of.name, ...(isTop ? NAME : AROUND) },
    { text: isTop ? (of.description ?? '') : heading, ...(isTop ? DESCRIPTION : HEADING) },
    { text: isTop ? of.id : '', ...AROUND },
    { text, ...TEXT },
  ]
}

/** Values are found as they are written, and together: `285 C` and `285C`, `#fff` where it is `#ffffff`. */
function colorFields({ id, name, rgb, cmyk = '', hex, pms = '', pms2 = '', ral }: Color): Field[] {
  const short = /^#(.)\1(.)\2(.)\3$/.exec(hex)?.slice(1).join('')
  const pantone = [pms, pms2].filter(Boolean).flatMap(text => [text, text.replaceAll(/\s/g, '')])
  const ralText = ral === undefined ? '' : `${ral} RAL${ral}`
  return [
    { text: name, ...NAME },
    { text: [hex, short, rgb, cmyk, ...pantone, ralText].join(' '), ...VALUES },
    { text: `${id} colour color ${pms && 'Pantone PMS'} ${ral === undefined ? '' : 'RAL'}`, ...AROUND },
  ]
}

function typeFields({ id, name, family = '' }: TypeStyle): Field[] {
  return [
    { text: name, ...NAME },
    { text: family, ...HEADING },
    { text: `${id} type style`, ...AROUND },
  ]
}

function fileFields(file: BrandFile): Field[] {
  const { path, contentType } = file
  const description = isPicture(file) ? file.metadata?.description : isFont(file) ? file.metadata?.family : undefined
  return [
    { text: filename(path), ...HEADING },
    { text: `${path} ${contentType}`, ...TEXT },
    { text: (description ?? '').slice(0, LONGEST_PIECE), ...DESCRIPTION },
  ]
}
