import type { Font } from 'fontkitten'
import { field, listIn } from '#platform/base/object.ts'

/** The characters of a font: their count, and ranges of code points in order. */
export type Characters = { count: number; ranges: readonly CharacterRange[] }

export type CharacterRange = readonly [first: number, last: number]

/** The characters with a glyph in a font; at most the first `MAX_RANGES` ranges. */
export function charactersOf(font: Font): Characters {
  // The symbol at U+F041 is also the character U+0041.
  const offset = isSymbolFont(font) ? SYMBOLS : 0
  const codes = font.characterSet.flatMap(code => [code, code - offset])
  const sortedCodes = [...new Set(codes)].filter(isCharacter).sort((a, b) => a - b)
  const ranges: [number, number][] = []
  let count = 0
  for (const code of sortedCodes) {
    if (!font.hasGlyphForCodePoint(code < SYMBOLS ? code + offset : code)) continue
    count++
    const lastRange = ranges.at(-1)
    if (lastRange && lastRange[1] === code - 1) lastRange[1] = code
    else if (ranges.length < MAX_RANGES) ranges.push([code, code])
  }
  return { count, ranges }
}

/** Programs also use the symbols from U+F020 as the characters from U+0020 (OpenType, cmap, platform 3, encoding 0). */
const SYMBOLS = 0xf000

const MAX_RANGES = 4000

/** Whether a code point is in Unicode and not a control character or surrogate. */
function isCharacter(code: number): boolean {
  return code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000)
}

/** All code points of ranges, in order. */
export function* codePoints(ranges: readonly CharacterRange[]): Generator<number> {
  for (const [first, last] of ranges) for (let code = first; code <= last; code++) yield code
}

/** Whether a font has enough letters for text, which fonts of icons do not; true if its characters are unknown. */
export function isForText(characters: Characters | undefined): boolean {
  if (!characters) return true
  const letters = codePoints(characters.ranges).filter(code => LETTER.test(String.fromCodePoint(code)))
  return [...letters.take(MIN_LETTERS)].length === MIN_LETTERS
}

const LETTER = /\p{L}/u
/** Fewer than any alphabet has. */
const MIN_LETTERS = 20

export function hasCharacters(ranges: readonly CharacterRange[], text: string): boolean {
  return Array.from(text).every(character => {
    const code = character.codePointAt(0) ?? 0
    return ranges.some(([first, last]) => first <= code && code <= last)
  })
}

/**
 * Whether `openFonts` has made a symbol font readable: its tables are for platform 0, encoding 0, or the Macintosh (1).
 */
function isSymbolFont(font: Font): boolean {
  const cmap = field(font, 'cmap')
  const tables = listIn(field(cmap, 'tables'))
  const isSymbols = (table: unknown) => field(table, 'platformID') === 0 && field(table, 'encodingID') === 0
  return tables.some(isSymbols) && tables.every(table => isSymbols(table) || field(table, 'platformID') === 1)
}
