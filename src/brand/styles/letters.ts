import type { Theme } from '../appearance.ts'
import type { Color } from '../color.ts'
import type { StyleId } from '../ids.ts'
import { contrastOf, MIN_CONTRAST } from './contrast.ts'

/** Gives the brand's colour for letters on a ground; undefined if none is legible, so that black or white is used. */
export type LettersOn = (ground: Color) => Color | undefined

/**
 * Finds letters by what the brand says: the first colour of the ground's own `on`, else the first colour whose `on`
 * names the ground, else the light and the dark one of the theme's text and background; without these, the lightest and
 * the darkest colour. All need the contrast of body text.
 */
export function brandLetters(colors: readonly Color[], theme: Theme | undefined): LettersOn {
  const byId = new Map(colors.map(color => [color.id, color]))
  const namedOn = new Map<StyleId, Color>()
  for (const color of colors) for (const id of color.on ?? []) if (!namedOn.has(id)) namedOn.set(id, color)
  const colorOf = (id: StyleId | undefined) => (id === undefined ? undefined : byId.get(id))
  const sorted = lightestFirst(colors)
  const lightAndDark = lightestFirst([colorOf(theme?.text) ?? sorted.at(-1), colorOf(theme?.ground) ?? sorted[0]])
  return ground =>
    [colorOf(ground.on?.[0]), namedOn.get(ground.id), ...lightAndDark].find(
      color => color && contrastOf(color.hex, ground.hex).ratio >= MIN_CONTRAST,
    )
}

function lightestFirst(colors: readonly (Color | undefined)[]): Color[] {
  // The more contrast with black, the lighter.
  const lightness = new Map(
    colors.flatMap(color => (color ? [[color, contrastOf(color.hex, '#000000').ratio] as const] : [])),
  )
  return [...lightness].sort(([, a], [, b]) => b - a).map(([color]) => color)
}
