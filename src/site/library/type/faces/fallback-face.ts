import { cssString } from '#delivery/export/style-sheets/css-text.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { FontKind, MeanWidth } from '#formats/font/letter-widths.ts'
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
  const latinWidth = widthAt(facts.widths, wanted.weight)
  const latin = LOCAL[facts.kind].map(local => ({ local, width: latinWidth, range: undefined }))
  const arabic = ARABIC.map(local => ({ local, width: facts.arabicWidth, range: ARABIC_RANGE }))
  return [...latin, ...arabic].flatMap(({ local: { namesOf, means }, width, range }, at) => {
    if (width === undefined) return []
    const family = at === 0 ? name : `${name}, ${at + 1}`
    const size = width / (means[cut] / 1000) // At this share of its size, the local font is as wide as the guide's.
    return [{ family, rule: fallbackRule(family, facts, wanted, { names: namesOf(CUTS[cut]), size, range }) }]
  })
}

function fallbackRule(
  family: string,
  facts: FontFacts,
  wanted: FontRequest,
  { names, size, range }: { names: readonly string[]; size: number; range: string | undefined },
): string {
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

/** The cuts of a family as their names end. */
const CUTS = ['', ' Bold', ' Italic', ' Bold Italic'] as const

/** The index in `CUTS` of the nearest cut. */
function cutOf({ weight, style }: FontRequest): 0 | 1 | 2 | 3 {
  if (style === 'italic') return weight >= 600 ? 3 : 2
  return weight >= 600 ? 1 : 0
}

/** The names of each cut for `local()`, and the mean letter widths in body text, in thousandths of the em. */
type LocalFamily = { namesOf: (cut: string) => readonly string[]; means: Means }

/** In the order of `CUTS`. */
type Means = readonly [regular: number, bold: number, italic: number, boldItalic: number]

/** The widths of Arial and Times are also those of Liberation, and the width of Courier that of most fonts of its kind. */
const LOCAL: Readonly<Record<FontKind, readonly LocalFamily[]>> = {
  sans: [
    microsoftFamily('Arial', 'Arial', 'Liberation Sans', [441.88, 477.82, 441.88, 477.82]),
    googleFamily('Roboto', [443.2, 449.4, 430.9, 436.8]),
    googleFamily('Noto Sans', [472.3, 503.8, 445.3, 476.7]),
  ],
  serif: [
    microsoftFamily('Times New Roman', 'TimesNewRomanPS', 'Liberation Serif', [400.37, 425.96, 401.92, 411.69]),
    googleFamily('Noto Serif', [479.3, 508.5, 465.1, 513]),
  ],
  mono: [microsoftFamily('Courier New', 'CourierNewPS', 'Liberation Mono', [600, 600, 600, 600], ['DejaVu Sans Mono'])],
}

/** Cuts named `Noto Sans Bold Italic` and `NotoSans-BoldItalic`. */
function googleFamily(family: string, means: Means): LocalFamily {
  const postScriptName = family.replaceAll(' ', '')
  return { means, namesOf: cut => [family + cut, `${postScriptName}-${cut.replaceAll(' ', '') || 'Regular'}`] }
}

/** Cuts named `Arial Bold Italic` and `Arial-BoldItalicMT`, the same cuts of Liberation, and other regular ones. */
function microsoftFamily(
  family: string,
  postScriptName: string,
  liberation: string,
  means: Means,
  others: readonly string[] = [],
): LocalFamily {
  const namesOf = (cut: string) => {
    const names = [family + cut, `${postScriptName}${cut && `-${cut.replaceAll(' ', '')}`}MT`, liberation + cut]
    return cut === '' ? [...names, ...others] : names
  }
  return { means, namesOf }
}

/** Fonts for Arabic letters, which have no italics. */
const ARABIC = [
  arabicFamily('Noto Sans Arabic', 418.2, 458.8),
  arabicFamily('Noto Naskh Arabic', 383.1, 398.8),
  arabicFamily('DejaVu Sans', 446.5, 535.8),
]
/** With the space: the first font that has it is the one that gives lines their height (CSS Fonts 4, *first available font*). */
const ARABIC_RANGE = 'U+20,U+600-6ff,U+750-77f,U+8a0-8ff,U+fb50-fdff,U+fe70-feff'

function arabicFamily(family: string, regular: number, bold: number): LocalFamily {
  const postScriptName = family.replaceAll(' ', '')
  const namesOf = (cut: string) =>
    cut.startsWith(' Bold')
      ? [`${family} Bold`, `${postScriptName}-Bold`]
      : [`${family} Regular`, family, `${postScriptName}-Regular`]
  return { means: [regular, bold, regular, bold], namesOf }
}
