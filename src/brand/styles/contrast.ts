import type { Theme } from '../appearance.ts'
import type { Color } from '../color.ts'

/** The contrast levels of WCAG 2.2 §1.4.3 and §1.4.6, best first. */
const CONTRAST_LEVELS = ['AAA', 'AA', 'AA large', 'fails'] as const

/** A contrast level; `AA large` is for large text only. */
type Level = (typeof CONTRAST_LEVELS)[number]

const MIN_RATIOS: Readonly<Record<Level, number>> = { AAA: 7, AA: 4.5, 'AA large': 3, fails: 1 }

export type Contrast = {
  /** From 1 to 21. */
  ratio: number
  /** With two decimals, rounded down: 4.499 is `4.49`, which does not reach 4.5. */
  text: string
  level: Level
}

/** The contrast of two colours, given as `#` and six hex digits in any order. WCAG 2.2, "contrast ratio". */
export function contrastOf(one: string, other: string): Contrast {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  const ratio = (lighter + 0.05) / (darker + 0.05)
  const level = CONTRAST_LEVELS.find(name => ratio >= MIN_RATIOS[name]) ?? 'fails'
  return { ratio, text: (Math.floor(ratio * 100 + ROUNDING) / 100).toFixed(2), level }
}

/** More than the rounding error: white and black must have 21.00. */
const ROUNDING = 1e-9

/** Whether black or white text has more contrast on a colour; the better of the two always has at least 4.58. */
export function textColorOn(ground: string): 'black' | 'white' {
  return contrastOf('#000000', ground).ratio >= contrastOf('#ffffff', ground).ratio ? 'black' : 'white'
}

/** WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
  const number = Number.parseInt(hex.slice(1), 16)
  return (
    0.2126 * linear((number >> 16) / 255) +
    0.7152 * linear(((number >> 8) & 255) / 255) +
    0.0722 * linear((number & 255) / 255)
  )
}

/** A channel of sRGB, from 0 to 1, without its transfer function. */
export function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

/** The colours of light pages without a theme. */
export const NEUTRAL = { ground: '#ffffff', text: '#1a1d21' } as const

/** The minimum contrast of text on its background: WCAG 2.2 §1.4.3. */
export const MIN_CONTRAST = 4.5

/** The minimum contrast of large letters, from 24 px, or 18.66 px in bold: WCAG 2.2 §1.4.3. */
export const MIN_LARGE_CONTRAST = 3

/** The accent of a guide without a theme: the first colour that is legible on the usual light ground. */
export function ownAccent<Swatch extends Pick<Color, 'hex'>>(colors: readonly Swatch[]): Swatch | undefined {
  return colors.find(({ hex }) => contrastOf(hex, NEUTRAL.ground).ratio >= MIN_CONTRAST)
}

/** A text colour and a background colour of a light page, and their contrast. */
type ThemePair = {
  /** Body text, or links in the accent colour. */
  letters: 'text' | 'accent'
  /** The names of the two colours, or a description of the default colour. */
  names: readonly [letters: string, ground: string]
  contrast: Contrast
}

/** The text and background pairs of a theme with at least one theme colour. */
export function themePairs(theme: Theme, colors: readonly Color[]): ThemePair[] {
  const colorOf = (id: string | undefined) => colors.find(color => color.id === id)
  const ground = colorOf(theme.ground)
  return (['text', 'accent'] as const).flatMap(letters => {
    const color = colorOf(theme[letters])
    if (!color && (letters === 'accent' || !ground)) return []
    const [above, below] = [color ?? USUAL.text, ground ?? USUAL.ground]
    return [{ letters, names: [above.name, below.name], contrast: contrastOf(above.hex, below.hex) }]
  })
}

const USUAL = {
  ground: { name: 'white', hex: NEUTRAL.ground },
  text: { name: 'the usual text', hex: NEUTRAL.text },
} as const
