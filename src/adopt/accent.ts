import type { Color } from '#brand/color.ts'
import { oklchOf } from '#brand/styles/oklch.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'

/** The colour of links and buttons, and the reason for it. */
export type Accent = { color: Color; why: string }

/**
 * The accent of a guide, which is never a neutral: the first of its colours that the site uses for links and buttons
 * (`links`, as hex), else the first whose name, group or use says that it is of the brand, else the most saturated one.
 */
export function accentOf(colors: readonly Color[], links: readonly string[]): Accent | undefined {
  const vivid = colors.filter(({ hex }) => chromaOf(hex) >= MIN_CHROMA)
  const used = links.flatMap(hex => vivid.filter(color => color.hex === hex))
  const named = vivid.filter(({ group = '', name, use = '' }) => BRAND.test(`${group} ${name} ${use}`))
  const strongest = vivid.toSorted((a, b) => chromaOf(b.hex) - chromaOf(a.hex))
  const [best] = [
    ...used.map(color => ({ color, why: 'the site uses it for links or buttons' })),
    ...named.map(color => ({ color, why: 'the first colour of the brand, by its name, group or use' })),
    ...strongest.map(color => ({ color, why: 'the most saturated colour' })),
  ]
  return best
}

function chromaOf(hex: string): number {
  return oklchOf(hex).chroma
}

/** The chroma in OKLCH: slate and beige have less, and navy more. */
const MIN_CHROMA = 0.05
/** The beginnings of words such as `Primary`, `Brand red`, `Primärfarben`, `Color principal`, `Hauptfarbe`, `主色`. */
const BRAND = new RegExp(
  String.raw`(?<!\p{L})${anyOf(wordsIn('brand, prima, primä, primá, princip, main colo, haupt, huvud, hoved, hoofd, 主色, メイン'))}`,
  'iu',
)
