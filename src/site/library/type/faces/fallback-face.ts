import { cssString } from '#export/style-sheets/css-text.ts'
import type { FontFacts } from '#fonts/font-facts.ts'
import type { FontKind, MeanWidth } from '#fonts/letter-widths.ts'
import type { FontRequest } from './guide-fonts.ts'

/** An `@font-face` rule, and the family that it belongs to. */
type FallbackFace = { family: string; rule: string }

/**
 * Fonts of common systems with the mean width and line extents of a font of the guide (CSS Fonts 5 §2), so that text does
 * not move when that font replaces them. Each is a family, because a rule has one size for all its sources. Empty if the
 * font has no letters to measure.
 */
export function fallbackFaces(name: string, facts: FontFacts, wanted: FontRequest): FallbackFace[] {
  const cut = cutOf(wanted)
  const latin = LOCAL[facts.kind].map(cuts => ({ ...cuts[cut], width: widthAt(facts.widths, wanted.weight) }))
  const arabic = ARABIC.map(cuts => ({ ...cuts[cut], width: facts.arabicWidth, range: ARABIC_RANGE }))
  return [...latin, ...arabic].flatMap(({ width, ...local }, at) => {
    const family = at === 0 ? name : `${name}, ${at + 1}`
    return width === undefined ? [] : [{ family, rule: fallbackRule(family, facts, wanted, width, local) }]
  })
}

function fallbackRule(
  family: string,
  facts: FontFacts,
  wanted: FontRequest,
  width: number,
  { names, mean, range }: LocalFont & { range?: string },
): string {
  const size = width / (mean / 1000)
  const percent = (value: number) => `${Math.round(value * 10_000) / 100}%`
  const declarations = [
    `font-family:${cssString(family)}`,
    `font-weight:${wanted.weight}`,
    `font-style:${wanted.style}`,
    `src:${names.map(local => `local("${local}")`).join(',')}`,
    `size-adjust:${percent(size)}`,
    `ascent-override:${percent(facts.ascent / size)}`,
    `descent-override:${percent(facts.descent / size)}`,
    `line-gap-override:${percent(facts.lineGap / size)}`,
    ...(range === undefined ? [] : [`unicode-range:${range}`]),
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

/** Names for `local()`, and the mean letter width in body text, in thousandths of the em. */
type LocalFont = { names: readonly string[]; mean: number }

/** The widths of Arial and Times are also those of Liberation, and the width of Courier that of most fonts of its kind. */
const LOCAL: Readonly<Record<FontKind, readonly Readonly<Record<Cut, LocalFont>>[]>> = {
  sans: [
    {
      regular: { names: ['Arial', 'ArialMT', 'Liberation Sans'], mean: 441.88 },
      italic: { names: ['Arial Italic', 'Arial-ItalicMT', 'Liberation Sans Italic'], mean: 441.88 },
      bold: { names: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], mean: 477.82 },
      boldItalic: { names: ['Arial Bold Italic', 'Arial-BoldItalicMT', 'Liberation Sans Bold Italic'], mean: 477.82 },
    },
    {
      regular: { names: ['Roboto', 'Roboto-Regular'], mean: 443.2 },
      italic: { names: ['Roboto Italic', 'Roboto-Italic'], mean: 430.9 },
      bold: { names: ['Roboto Bold', 'Roboto-Bold'], mean: 449.4 },
      boldItalic: { names: ['Roboto Bold Italic', 'Roboto-BoldItalic'], mean: 436.8 },
    },
    {
      regular: { names: ['Noto Sans', 'NotoSans-Regular'], mean: 472.3 },
      italic: { names: ['Noto Sans Italic', 'NotoSans-Italic'], mean: 445.3 },
      bold: { names: ['Noto Sans Bold', 'NotoSans-Bold'], mean: 503.8 },
      boldItalic: { names: ['Noto Sans Bold Italic', 'NotoSans-BoldItalic'], mean: 476.7 },
    },
  ],
  serif: [
    {
      regular: { names: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'], mean: 400.37 },
      italic: {
        names: ['Times New Roman Italic', 'TimesNewRomanPS-ItalicMT', 'Liberation Serif Italic'],
        mean: 401.92,
      },
      bold: { names: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'], mean: 425.96 },
      boldItalic: {
        names: ['Times New Roman Bold Italic', 'TimesNewRomanPS-BoldItalicMT', 'Liberation Serif Bold Italic'],
        mean: 411.69,
      },
    },
    {
      regular: { names: ['Noto Serif', 'NotoSerif-Regular'], mean: 479.3 },
      italic: { names: ['Noto Serif Italic', 'NotoSerif-Italic'], mean: 465.1 },
      bold: { names: ['Noto Serif Bold', 'NotoSerif-Bold'], mean: 508.5 },
      boldItalic: { names: ['Noto Serif Bold Italic', 'NotoSerif-BoldItalic'], mean: 513 },
    },
  ],
  mono: [
    {
      regular: { names: ['Courier New', 'CourierNewPSMT', 'Liberation Mono', 'DejaVu Sans Mono'], mean: 600 },
      italic: { names: ['Courier New Italic', 'CourierNewPS-ItalicMT', 'Liberation Mono Italic'], mean: 600 },
      bold: { names: ['Courier New Bold', 'CourierNewPS-BoldMT', 'Liberation Mono Bold'], mean: 600 },
      boldItalic: {
        names: ['Courier New Bold Italic', 'CourierNewPS-BoldItalicMT', 'Liberation Mono Bold Italic'],
        mean: 600,
      },
    },
  ],
}

/** Fonts for Arabic letters, which have no italics. */
const ARABIC = [
  arabicCuts('Noto Sans Arabic', 418.2, 458.8),
  arabicCuts('Noto Naskh Arabic', 383.1, 398.8),
  arabicCuts('DejaVu Sans', 446.5, 535.8),
]
const ARABIC_RANGE = 'U+600-6ff,U+750-77f,U+8a0-8ff,U+fb50-fdff,U+fe70-feff'

function arabicCuts(family: string, regularMean: number, boldMean: number): Readonly<Record<Cut, LocalFont>> {
  const postScriptName = family.replaceAll(' ', '')
  const regular = { names: [`${family} Regular`, family, `${postScriptName}-Regular`], mean: regularMean }
  const bold = { names: [`${family} Bold`, `${postScriptName}-Bold`], mean: boldMean }
  return { regular, bold, italic: regular, boldItalic: bold }
}
