import type { Font } from 'fontkitten'

/** What kind of letters a font has. */
export type FontKind = 'sans' | 'serif' | 'mono'

/** How wide letters of a weight are in running text, as a multiple of the em. */
export type MeanWidth = { weight: number; width: number }

/**
 * How wide the letters of a font are in running text: at its weight, or at several weights of its axis. Empty if it
 * lacks one of the letters, as a font for another script does, or the parser cannot measure them.
 */
export function meanWidths(font: Font, weights: { min: number; max: number } | undefined): MeanWidth[] {
  if (!weights) {
    const width = widthIn(font)
    return width === undefined ? [] : [{ weight: 400, width }]
  }
  if (font.type === 'WOFF2') return [] // One that was too large to unpack, which the parser cannot set to a weight.
  const { min, max } = weights
  const places = [min, ...[400, 700].filter(place => place > min && place < max), max]
  return [...new Set(places)].flatMap(weight => {
    const width = widthIn(variationOf(font, weight))
    return width === undefined ? [] : [{ weight, width }]
  })
}

/** The font itself if it has axes but no outlines that vary. */
function variationOf(font: Font, weight: number): Font {
  try {
    return font.getVariation({ wght: weight })
  } catch {
    return font
  }
}

function widthIn(font: Font): number | undefined {
  try {
    const widths = Array.from(LETTERS, letter => {
      const code = letter.codePointAt(0) ?? 0
      return font.hasGlyphForCodePoint(code) ? font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm : 0
    })
    return widths.every(width => width > 0) ? meanWidth(widths) : undefined
  } catch {
    return undefined // The parser needs OS/2 to measure a letter, and old fonts lack it.
  }
}

/** The mean of the widths of a space and the letters from a to z, in this order, each as often as in English. */
export function meanWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width, at) => sum + width * (SHARES[at] ?? 0), 0) / ALL_SHARES
}

const LETTERS = ' abcdefghijklmnopqrstuvwxyz'

/** How often each of `LETTERS` comes in running English, of a thousand. */
const SHARES = [180, 67, 12, 23, 35, 104, 18, 16, 50, 57, 1, 6, 33, 20, 57, 62, 16, 1, 49, 52, 74, 23, 8, 19, 1, 16, 1]
const ALL_SHARES = SHARES.reduce((sum, share) => sum + share, 0)
