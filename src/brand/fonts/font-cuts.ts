import type { FontAxis } from '#formats/font/font-facts.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'
import { fileStem } from '../file.ts'

/**
 * A key for a font, equal for those that style sheets tell apart only by their characters.
 *
 * @param weights the weight of the font, or the range of a variable one
 */
export function cutKey(
  family: string,
  { subFamily, style = 'normal' }: FontMetadata,
  weights: unknown,
  axes?: readonly FontAxis[],
): string {
  return JSON.stringify([family.toLowerCase(), weights, stretchOf(subFamily, axes), style])
}

/** The widths of a variable font, otherwise the width in its name, as `font-stretch`; undefined for the regular one. */
export function stretchOf(subFamily = '', axes: readonly FontAxis[] = []): string | undefined {
  const axis = axes.find(({ tag }) => tag === 'wdth')
  if (axis && axis.max > axis.min) return `${round(axis.min)}% ${round(axis.max)}%`
  const word = WIDTH.exec(subFamily)?.groups
  return word && WIDTHS.get(`${word.much ?? ''}${word.kind}`.toLowerCase().replace(/[- ]/g, ''))
}

const WIDTH = /\b(?<much>ultra|extra|semi)?[- ]?(?<kind>condensed|expanded)\b/i

/** OpenType, OS/2 usWidthClass; CSS Fonts 4 §2.3. */
const WIDTHS: ReadonlyMap<string, string> = new Map([
  ['ultracondensed', '50%'],
  ['extracondensed', '62.5%'],
  ['condensed', '75%'],
  ['semicondensed', '87.5%'],
  ['semiexpanded', '112.5%'],
  ['expanded', '125%'],
  ['extraexpanded', '150%'],
  ['ultraexpanded', '200%'],
])

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** A `font-style` of `@font-face`, and the places on axes that it stands for. */
export type Slope = { style: string; axes?: Readonly<Record<string, number>> }
type Cut = { style?: string | undefined }

/**
 * The styles of a font: its own, or both if it can lean, unless its family has files for the other; with the angles of `slnt`
 * on request. Chromium slants `italic` again unless a rule has 14°, and chooses any of several rules that do.
 */
export function slopesOf(cut: Cut, family: readonly Cut[], axes?: readonly FontAxis[], hasAngles = false): Slope[] {
  const { style = 'normal' } = cut
  const isUpright = style === 'normal'
  const slants = slantAxes(axes)
  const [slant, otherSlant] = slants
  const hasOtherFiles = family.some(other => ((other.style ?? 'normal') === 'normal') !== isUpright)
  if (!slant || (hasOtherFiles && !isUpright)) return [{ style }]
  const slanted = slants.map(({ tag, min, max }) => [tag, tag === 'slnt' ? Math.min(0, min) : max] as const)
  const italics = hasOtherFiles ? [] : [{ style: 'italic', axes: Object.fromEntries(slanted) }]
  const reachesItalic = slant.min <= -ITALIC_ANGLE
  if (!hasAngles || slant.tag !== 'slnt' || otherSlant || (reachesItalic && hasOtherFiles))
    return [{ style: 'normal' }, ...italics]
  const angles = [slant.max, slant.min].map(angle => `${-round(angle)}deg`)
  return [{ style: `oblique ${angles.join(' ')}` }, ...(reachesItalic ? [] : italics)]
}

/** In degrees: the angle that browsers use for `italic`. */
const ITALIC_ANGLE = 14

/** The axes on which a font leans: `slnt` in degrees, negative to the right, and `ital`, usually from 0 to 1. */
export function slantAxes(axes: readonly FontAxis[] = []): FontAxis[] {
  return axes.filter(({ tag, min, max }) => (tag === 'slnt' || tag === 'ital') && min < max)
}

/** A font and the scripts of its letters. */
export type Letters = { path: string; subFamily?: string | undefined; scripts?: readonly string[] | undefined }

/** Whether two fonts are for the same text, as far as known: both are whole or named as the same part, and share a script. */
export function isSameText(a: Letters, b: Letters): boolean {
  return partNamed(a) === partNamed(b) && (a.scripts ?? []).some(script => b.scripts?.includes(script))
}

/** The part of the characters that the name of a font says, such as `latin1` in `Inter-Regular-Latin1`; undefined: none. */
export function partNamed({ path, subFamily = '' }: Omit<Letters, 'scripts'>): string | undefined {
  const found = PART.exec(fileStem(path)) ?? PART.exec(subFamily)
  return found?.[0].toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** The name that the formats of a font share: `Acme-Bold.otf` and `acme_bold-webfont.woff2` are formats of one font. */
export function formatStem(path: string): string {
  const letters = fileStem(path).toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]/gu, '').replace(/webfont$/, '')
}

/** The parts of the characters that foundries name. */
const PARTS =
  wordsIn(`subset, latin, cyrillic, greek, vietnamese, hebrew, arabic, devanagari, bengali, tamil, thai, hangul,
  kana, han, symbol, symbols, math, pi`)
/** A part, also a larger one or a numbered one: `latin`, `latin-ext`, `cyrillic_pro`, `latin1`. */
const PART = new RegExp(String.raw`(?:^|[^a-z])${anyOf(PARTS)}(?:[-_ ]?(?:ext(?:ended)?|pro|plus|\d+))?(?![a-z])`, 'i')
