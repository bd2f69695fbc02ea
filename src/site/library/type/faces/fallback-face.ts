import { cssString } from '../../../../export/style-sheets/css-text.ts'
import type { FontFacts } from '../../../../fonts/font-facts.ts'
import { type FontKind, type MeanWidth, meanWidth } from '../../../../fonts/letter-widths.ts'
import type { FontRequest } from './guide-fonts.ts'

/**
 * A common system font with the mean width and line extents of a font of the guide (CSS Fonts 5 §2), so that text does
 * not move when that font replaces it. Undefined if it has no letters to measure.
 */
export function fallbackFace(name: string, facts: FontFacts, wanted: FontRequest): string | undefined {
  const width = widthAt(facts.widths, wanted.weight)
  if (width === undefined) return undefined
  const { names, letters } = LOCAL[facts.kind][cutOf(wanted)]
  const size = width / (meanWidth(letters) / 1000)
  const percent = (value: number) => `${Math.round(value * 10_000) / 100}%`
  const declarations = [
    `font-family:${cssString(name)}`,
    `font-weight:${wanted.weight}`,
    `font-style:${wanted.style}`,
    `src:${names.map(local => `local("${local}")`).join(',')}`,
    `size-adjust:${percent(size)}`,
    `ascent-override:${percent(facts.ascent / size)}`,
    `descent-override:${percent(facts.descent / size)}`,
    `line-gap-override:${percent(facts.lineGap / size)}`,
  ]
  return `@font-face{${declarations.join(';')}}\n`
}

/** The width at a weight, interpolated between two measured weights. */
function widthAt(widths: readonly MeanWidth[], weight: number): number | undefined {
  const after = widths.find(measured => measured.weight >= weight) ?? widths.at(-1)
  const before = widths.findLast(measured => measured.weight <= weight) ?? widths[0]
  if (!before || !after) return undefined
  if (before.weight >= after.weight) return after.width
  const part = (weight - before.weight) / (after.weight - before.weight)
  return before.width + part * (after.width - before.width)
}

type Cut = 'regular' | 'bold' | 'italic' | 'boldItalic'

function cutOf({ weight, style }: FontRequest): Cut {
  if (style === 'italic') return weight >= 600 ? 'boldItalic' : 'italic'
  return weight >= 600 ? 'bold' : 'regular'
}

/** Names for `local()`, and the widths of a space and the letters a to z, in thousandths of the em. */
type LocalFont = { names: readonly string[]; letters: readonly number[] }

// The widths come from the Adobe Core 14 AFM files of Helvetica, Times and Courier. Arial, Times New Roman, Courier New
// and the Liberation fonts have the same widths.
const ARIAL = [
  278, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500,
  722, 500, 500, 500,
]
const ARIAL_BOLD = [
  278, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556,
  778, 556, 556, 500,
]
const TIMES = [
  250, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500,
  722, 500, 500, 444,
]
const TIMES_BOLD = [
  250, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500,
  722, 500, 500, 444,
]
const TIMES_ITALIC = [
  250, 500, 500, 444, 500, 444, 278, 500, 500, 278, 278, 444, 278, 722, 500, 500, 500, 500, 389, 389, 278, 500, 444,
  667, 444, 444, 389,
]
const TIMES_BOLD_ITALIC = [
  250, 500, 500, 444, 500, 444, 333, 500, 556, 278, 278, 500, 278, 778, 556, 500, 500, 500, 389, 389, 278, 556, 444,
  667, 500, 444, 389,
]
const COURIER = Array.from({ length: 27 }, () => 600)

const LOCAL: Readonly<Record<FontKind, Readonly<Record<Cut, LocalFont>>>> = {
  sans: {
    regular: { names: ['Arial', 'ArialMT', 'Liberation Sans'], letters: ARIAL },
    italic: { names: ['Arial Italic', 'Arial-ItalicMT', 'Liberation Sans Italic'], letters: ARIAL },
    bold: { names: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], letters: ARIAL_BOLD },
    boldItalic: {
      names: ['Arial Bold Italic', 'Arial-BoldItalicMT', 'Liberation Sans Bold Italic'],
      letters: ARIAL_BOLD,
    },
  },
  serif: {
    regular: { names: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'], letters: TIMES },
    italic: {
      names: ['Times New Roman Italic', 'TimesNewRomanPS-ItalicMT', 'Liberation Serif Italic'],
      letters: TIMES_ITALIC,
    },
    bold: { names: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'], letters: TIMES_BOLD },
    boldItalic: {
      names: ['Times New Roman Bold Italic', 'TimesNewRomanPS-BoldItalicMT', 'Liberation Serif Bold Italic'],
      letters: TIMES_BOLD_ITALIC,
    },
  },
  mono: {
    regular: { names: ['Courier New', 'CourierNewPSMT', 'Liberation Mono'], letters: COURIER },
    italic: { names: ['Courier New Italic', 'CourierNewPS-ItalicMT', 'Liberation Mono Italic'], letters: COURIER },
    bold: { names: ['Courier New Bold', 'CourierNewPS-BoldMT', 'Liberation Mono Bold'], letters: COURIER },
    boldItalic: {
      names: ['Courier New Bold Italic', 'CourierNewPS-BoldItalicMT', 'Liberation Mono Bold Italic'],
      letters: COURIER,
    },
  },
}
