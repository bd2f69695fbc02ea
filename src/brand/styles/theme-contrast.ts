import type { Theme } from '../appearance.ts'
import type { Color } from '../color.ts'
import { type Contrast, contrastOf } from './contrast.ts'

/** The colours of light pages without a theme. */
export const NEUTRAL = { ground: '#ffffff', text: '#1a1d21', accent: '#0b57b0' } as const

/** The minimum contrast of text on its background: WCAG 2.2 §1.4.3. */
export const MIN_CONTRAST = 4.5

/** The minimum contrast of large letters, from 24 px, or 18.66 px in bold: WCAG 2.2 §1.4.3. */
export const MIN_LARGE_CONTRAST = 3

/** The accent of a guide without a theme: the first colour that is legible on the usual light ground. */
export function ownAccent(colors: readonly Color[]): Color | undefined {
  return colors.find(({ hex }) => contrastOf(hex, NEUTRAL.ground).ratio >= MIN_CONTRAST)
}

/** A text colour and a background colour of a light page, and their contrast. */
export type ThemePair = {
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
    const contrast = contrastOf(color?.hex ?? NEUTRAL.text, ground?.hex ?? NEUTRAL.ground)
    return [{ letters, names: [color?.name ?? 'the usual text', ground?.name ?? 'white'], contrast }]
  })
}
