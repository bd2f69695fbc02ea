import type { Theme } from '../appearance.ts'
import type { Color } from '../color.ts'
import { type Contrast, contrastOf } from './contrast.ts'

/** The colours of light pages without a theme. */
export const NEUTRAL = { ground: '#ffffff', text: '#1a1d21', accent: '#0b57b0' } as const

/** What letters on a ground have to reach: WCAG 2.2 §1.4.3. */
export const MIN_CONTRAST = 4.5

/** Two colours of a light page that letters are read in, and their contrast. */
export type ThemePair = {
  /** The letters: running text, or links in the accent. */
  letters: 'text' | 'accent'
  /** The names of the two colours, or what stands for a colour that the theme does not name. */
  names: readonly [letters: string, ground: string]
  contrast: Contrast
}

/** The pairs of a theme that letters are read in, as far as it names one of their colours. */
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
