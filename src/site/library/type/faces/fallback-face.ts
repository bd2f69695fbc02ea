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
export function widthAt(widths: readonly MeanWidth[], weight: number): number | undefined {
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

type Cuts = Readonly<Record<Cut, LocalFont>>

/** The mean widths of the cuts of a family: regular, bold, italic and bold italic. */
type Means = readonly [regular: number, bold: number, italic: number, boldItalic: number]

/** The widths of Arial and Times are also those of Liberation, and the width of Courier that of most fonts of its kind. */
const LOCAL: Readonly<Record<FontKind, readonly Cuts[]>> = {
  sans: [
    microsoftCuts('Arial', 'Arial', 'Liberation Sans', [441.88, 477.82, 441.88, 477.82]),
    googleCuts('Roboto', [443.2, 449.4, 430.9, 436.8]),
    googleCuts('Noto Sans', [472.3, 503.8, 445.3, 476.7]),
  ],
  serif: [
    microsoftCuts('Times New Roman', 'TimesNewRomanPS', 'Liberation Serif', [400.37, 425.96, 401.92, 411.69]),
    googleCuts('Noto Serif', [479.3, 508.5, 465.1, 513]),
  ],
  mono: [microsoftCuts('Courier New', 'CourierNewPS', 'Liberation Mono', [600, 600, 600, 600], ['DejaVu Sans Mono'])],
}

/** Cuts named `Noto Sans Bold Italic` and `NotoSans-BoldItalic`. */
function googleCuts(family: string, means: Means): Cuts {
  const postScriptName = family.replaceAll(' ', '')
  return cutsOf(means, cut => [family + cut, `${postScriptName}-${cut.replaceAll(' ', '') || 'Regular'}`])
}

/** Cuts named `Arial Bold Italic` and `Arial-BoldItalicMT`, the same cuts of Liberation, and other regular ones. */
function microsoftCuts(
  family: string,
  postScriptName: string,
  liberation: string,
  means: Means,
  others: readonly string[] = [],
): Cuts {
  return cutsOf(means, cut => {
    const names = [family + cut, `${postScriptName}${cut && `-${cut.replaceAll(' ', '')}`}MT`, liberation + cut]
    return cut === '' ? [...names, ...others] : names
  })
}

function cutsOf([regular, bold, italic, boldItalic]: Means, namesOf: (cut: string) => readonly string[]): Cuts {
  return {
    regular: { names: namesOf(''), mean: regular },
    bold: { names: namesOf(' Bold'), mean: bold },
    italic: { names: namesOf(' Italic'), mean: italic },
    boldItalic: { names: namesOf(' Bold Italic'), mean: boldItalic },
  }
}

/** Fonts for Arabic letters, which have no italics. */
const ARABIC = [
  arabicCuts('Noto Sans Arabic', 418.2, 458.8),
  arabicCuts('Noto Naskh Arabic', 383.1, 398.8),
  arabicCuts('DejaVu Sans', 446.5, 535.8),
]
const ARABIC_RANGE = 'U+600-6ff,U+750-77f,U+8a0-8ff,U+fb50-fdff,U+fe70-feff'

function arabicCuts(family: string, regularMean: number, boldMean: number): Cuts {
  const postScriptName = family.replaceAll(' ', '')
  const regular = { names: [`${family} Regular`, family, `${postScriptName}-Regular`], mean: regularMean }
  const bold = { names: [`${family} Bold`, `${postScriptName}-Bold`], mean: boldMean }
  return { regular, bold, italic: regular, boldItalic: bold }
}
