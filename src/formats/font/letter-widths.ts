import type { Font } from 'fontkitten'
import { attempt } from '#platform/base/result.ts'

/** The style of a font's letters. */
export type FontKind = 'sans' | 'serif' | 'mono'

/** The mean letter width in body text at a weight, as a multiple of the em. */
export type MeanWidth = { weight: number; width: number }

/**
 * The mean letter width in body text: of a variable font at its least, normal, bold and highest weight; of another font,
 * always under the weight 400. Empty if letters are missing or not measurable.
 */
export function meanWidths(font: Font, axes: readonly { tag: string; min: number; max: number }[]): MeanWidth[] {
  const weights = axes.find(({ tag }) => tag === 'wght')
  if (!weights) {
    const width = widthIn(font)
    return width === undefined ? [] : [{ weight: 400, width }]
  }
  if (font.type === 'WOFF2') return [] // Too large to unpack here, and the parser cannot change its weight.
  const { min, max } = weights
  const samples = [min, ...[400, 700].filter(weight => weight > min && weight < max), max]
  return [...new Set(samples)].flatMap(weight => {
    // Outlines that do not vary have one width.
    const width = widthIn(attempt(() => font.getVariation({ wght: weight })) ?? font)
    return width === undefined ? [] : [{ weight, width }]
  })
}

function widthIn(font: Font): number | undefined {
  try {
    const widths = Array.from(LETTERS, letter => {
      const code = letter.codePointAt(0) ?? 0
      return font.hasGlyphForCodePoint(code) ? font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm : 0
    })
    // By their frequency in English.
    const sum = widths.reduce((sum, width, at) => sum + width * (FREQUENCIES[at] ?? 0), 0)
    return widths.every(width => width > 0) ? sum / TOTAL_FREQUENCY : undefined
  } catch {
    return undefined // The parser needs the OS/2 table, which old fonts lack.
  }
}

const LETTERS = ' abcdefghijklmnopqrstuvwxyz'

/** The frequency of each of `LETTERS` in English, per thousand. */
const FREQUENCIES = [
  180, 67, 12, 23, 35, 104, 18, 16, 50, 57, 1, 6, 33, 20, 57, 62, 16, 1, 49, 52, 74, 23, 8, 19, 1, 16, 1,
]
const TOTAL_FREQUENCY = FREQUENCIES.reduce((sum, frequency) => sum + frequency, 0)
