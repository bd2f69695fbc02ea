import { type Color, type PrintValue, printValuesOf } from '#brand/color.ts'
import { type BrandFile, filename, fileStem, fontMetadata, pictureMetadata, usesOf } from '#brand/file.ts'
import type { Page } from '#brand/page.ts'
import { colorWords } from '#brand/styles/color-words.ts'
import { textColorOn } from '#brand/styles/contrast.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { pageSections } from './page-sections.ts'

/** A page with the beginning of its Markdown. */
export type PageText = Pick<Page, 'id' | 'name' | 'description'> & { text: string }

/**
 * A searchable string of an entry, with the weight of its words and the typical number of words; 0 if the whole string
 * is a name, found only by a query that equals its beginning.
 */
export type Field = { text: string; weight: number; typicalWords: number }

/** A part of a page; the first part has an empty heading and anchor. */
export type PagePart = { heading: string; anchor: string; text: string }

// The kinds of fields, with their weights: a word in a name counts ten times as much as one in a text.
const WHOLE_NAME = { weight: 10, typicalWords: 0 }
const NAME = { weight: 10, typicalWords: 2 }
const HEADING = { weight: 6, typicalWords: 3 }
/** The names of groups and other context. */
const CONTEXT = { weight: 2, typicalWords: 3 }
/** The words for the properties of an item. */
const PROPERTIES = { weight: 2, typicalWords: 10 }
const VALUES = { weight: 8, typicalWords: 30 }
const DESCRIPTION = { weight: 3, typicalWords: 20 }
const TEXT = { weight: 1, typicalWords: 100 }

/** Values match with and without spaces, and hex colours in both lengths: `285 C` and `285C`, `#fff` and `#ffffff`. */
export function colorFields(color: Color, cssNames: readonly string[] = []): Field[] {
  const { id, name, cmyk = '', hex, dark, group = '', use = '' } = color
  const screen = dark === undefined ? screenForms(color) : [color, onDark(color)].flatMap(screenForms)
  const print = printValuesOf(color)
  const inks = print.filter(({ key }) => key !== 'cmyk')
  return [
    { text: name, ...WHOLE_NAME },
    { text: name, ...NAME },
    { text: [...screen, ...print.flatMap(formsOf)].join(' '), ...VALUES },
    { text: [id, 'colour color', ...cssNames, ...printWords(inks), ...colorWords(hex)].join(' '), ...CONTEXT },
    { text: group, ...CONTEXT },
    { text: `hex RGB ${cmyk && 'CMYK'} values`, ...PROPERTIES },
    { text: use, ...DESCRIPTION },
  ]
}

/** The hex, its three digits if each is doubled (`fff` for `#ffffff`), and the RGB value. */
function screenForms({ hex, rgb }: Color): (string | undefined)[] {
  return [hex, /^#(.)\1(.)\2(.)\3$/.exec(hex)?.slice(1).join(''), rgb]
}

/** The words by which people call print values: `Pantone`, `PMS`. */
export function printWords(values: readonly Pick<PrintValue, 'system' | 'label'>[]): string[] {
  return [...new Set(values.flatMap(({ system, label }) => [system, label.replace(/ .*/, '')]))]
}

/** A print value as people write it: `RAL 5015` as `5015` and `RAL5015`, `285 C` also as `285C`. */
function formsOf({ key, value, system }: PrintValue): string[] {
  if (typeof value === 'number') return [`${value}`, `${system}${value}`]
  return key === 'cmyk' ? [value] : [value, value.replaceAll(/\s/g, '')]
}

export function typeFields({ id, name, family = '', ...style }: TypeStyle): Field[] {
  const { size, leading, tracking, casing, responsive } = style
  const has = [
    size !== undefined && 'size',
    leading !== undefined && 'line height leading',
    tracking !== undefined && 'letter spacing tracking',
    casing !== 'none' && casing,
    responsive && 'responsive small screens phones',
  ]
  return [
    { text: name, ...WHOLE_NAME },
    { text: name, ...NAME },
    { text: family, ...HEADING },
    { text: `${id} type style`, ...CONTEXT },
    { text: `font weight ${has.filter(Boolean).join(' ')}`, ...PROPERTIES },
  ]
}

/** @param ground the background colour that the file is for */
export function fileFields(file: BrandFile, ground?: Color): Field[] {
  const { path, contentType, title = '' } = file
  const { ground: _, minWidth, clearSpace, ...uses } = usesOf(file)
  const description = pictureMetadata(file).description ?? fontMetadata(file).family
  // The title, `acme-logo.svg` and `acme-logo`.
  const names = [title, filename(path), fileStem(path)]
  return [
    ...names.map(text => ({ text, ...WHOLE_NAME })),
    { text: title, ...NAME },
    { text: filename(path), ...(title === '' ? HEADING : CONTEXT) },
    { text: `${path} ${contentType}`, ...TEXT },
    { text: (description ?? '').slice(0, MAX_PIECE), ...DESCRIPTION },
    { text: ground ? groundWords(ground) : '', ...HEADING },
    { text: Object.values(uses).flat().join(' '), ...PROPERTIES },
  ]
}

function groundWords({ name, hex }: Color): string {
  return `${name} ${textColorOn(hex) === 'white' ? 'dark' : 'light'} background ground`
}

/** Every part has the text and the heading; the first part also has the name, description and id of the page. */
export function partFields({ id, name, description = '' }: PageText, { heading, text }: PagePart): Field[] {
  const isTop = heading === ''
  return [
    { text: isTop ? name : heading, ...WHOLE_NAME },
    { text: name, ...(isTop ? NAME : CONTEXT) },
    { text: isTop ? description : heading, ...(isTop ? DESCRIPTION : HEADING) },
    { text: isTop ? id : '', ...CONTEXT },
    { text, ...TEXT },
  ]
}

/** Splits a page into parts that are short enough for a fast search. A title at the start belongs to the whole page. */
export function partsOf(markdown: string): PagePart[] {
  const parts = pageSections(markdown).flatMap(({ level, heading, id, text }, at) => {
    const isTop = at === 0 && level < 2
    return inPieces(withoutBars(text)).map(piece => ({
      heading: isTop ? '' : heading,
      anchor: isTop ? '' : id,
      text: piece,
    }))
  })
  return parts[0]?.heading === '' ? parts : [{ heading: '', anchor: '', text: '' }, ...parts]
}

/** Separates the cells of tables and the items of lists with a readable mark, unless a sentence or a colon ends before it. */
function withoutBars(text: string): string {
  const marked = text.replace(/([\p{Sentence_Terminal}:：]?) ?\|[ |]*/gu, (_, end) => (end === '' ? ' · ' : `${end} `))
  return marked.replace(/^ · | · $/g, '').trim()
}

const MAX_PIECE = 2000

/** Splits text into pieces, between words if possible. */
function inPieces(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > MAX_PIECE) {
    const space = text.slice(start, start + MAX_PIECE + 1).lastIndexOf(' ')
    const end = start + (space > 0 ? space : MAX_PIECE)
    pieces.push(text.slice(start, end))
    start = end
  }
  return [...pieces, text.slice(start)]
}
