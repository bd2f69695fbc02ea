import type { StyleId } from '#brand/ids.ts'
import type { Cover } from '#brand/page.ts'
import { contrastOf, MIN_CONTRAST, MIN_LARGE_CONTRAST, NEUTRAL } from '#brand/styles/contrast.ts'
import { bisect, hexOf, mixColors, oklchOf } from '#brand/styles/oklch.ts'

/** The colours of a page or part of one, each as `#` and six hex digits. Text is legible on all its backgrounds. */
export type Palette = {
  ground: string
  /** The background of code and hovered items; links on it have the text colour. */
  surface: string
  /** The background of search matches; links on it have the text colour. */
  mark: string
  text: string
  /** Less important text. */
  quiet: string
  link: string
  /** The background of buttons, and the text on it. */
  accent: string
  onAccent: string
  /** Decorative lines between parts. */
  line: string
  /** The borders of fields and buttons: WCAG 2.2 §1.4.11. */
  border: string
}

/** The colours that a theme names, and the brand's letters on its accent. */
export type ThemeColors = { [Name in 'ground' | 'text' | 'accent' | 'onAccent']?: string | undefined }

/** The required contrast of text and of control borders on their background: WCAG 2.2 §1.4.3 and §1.4.11. */
const REQUIRED_CONTRAST = { letters: MIN_CONTRAST, edges: 3 } as const

/** The colours of light pages: the theme colours, adjusted where they would not be legible. */
export function lightPalette(theme: ThemeColors): Palette {
  const { ground = NEUTRAL.ground, text = NEUTRAL.text, accent = text } = theme
  return paletteOn({ ground, text, link: accent, accent, onAccent: theme.onAccent })
}

/**
 * The colours of dark pages. The brand's own values for them (`dark`) come first. Otherwise the background has the hue of
 * the light text colour, since dark text is usually a brand's ink, and the text that of the light background. A theme
 * that is already dark keeps its colours.
 */
export function darkPalette(theme: ThemeColors, dark: ThemeColors = {}): Palette {
  const { ground = NEUTRAL.ground, text = theme.ground ?? NEUTRAL.text } = theme
  if (isDark(ground)) return lightPalette(theme)
  const night = dark.ground !== undefined && isDark(dark.ground) ? dark.ground : nightOf(text)
  const letters = dark.text ?? nightLettersOf(ground)
  const accent = dark.accent ?? theme.accent ?? letters
  const button = makeLegible(accent, night, REQUIRED_CONTRAST.edges)
  const onAccent = dark.accent === undefined ? theme.onAccent : dark.onAccent
  return paletteOn({ ground: night, text: letters, link: accent, accent: button, onAccent })
}

/** An almost black background in the hue of a text colour. */
function nightOf(text: string): string {
  const { lightness, chroma, hue } = oklchOf(text)
  return hexOf({
    lightness: Math.min(MAX_NIGHT, Math.max(MIN_NIGHT, lightness)),
    chroma: Math.min(NIGHT_CHROMA, chroma),
    hue,
  })
}

/** Almost white letters in the hue of a light background. */
function nightLettersOf(ground: string): string {
  const { chroma, hue } = oklchOf(ground)
  return hexOf({ lightness: LETTER_LIGHTNESS, chroma: Math.min(LETTER_CHROMA, chroma), hue })
}

/** The colours of pages on white paper, whether or not backgrounds are printed. */
export function paperPalette(theme: ThemeColors): Palette {
  const { dark } = brandEnds(theme)
  const accent = makeLegible(theme.accent ?? dark, WHITE, REQUIRED_CONTRAST.edges)
  return paletteOn({ ground: WHITE, text: dark, link: dark, accent, onAccent: theme.onAccent })
}

/** Whether a background, as `#` and six hex digits, is dark. */
export function isDark(ground: string): boolean {
  return oklchOf(ground).lightness < 0.5
}

/** The limits of generated dark pages, in OKLCH: the lightness of their background, and how coloured it and letters are. */
const MIN_NIGHT = 0.17
const MAX_NIGHT = 0.25
const NIGHT_CHROMA = 0.04
const LETTER_LIGHTNESS = 0.94
const LETTER_CHROMA = 0.02

/**
 * The colours on a brand colour as background, the same on light and dark pages. Underlines identify links. `letters` are
 * those of the brand on it.
 */
export function groundPalette(ground: string, theme: ThemeColors, letters?: string): Palette {
  const { light, dark } = brandEnds(theme)
  const text = letters ?? firstLegible(ground, [light, dark])
  const { accent = text, onAccent } = theme
  const link = ratio(accent, ground) < REQUIRED_CONTRAST.letters ? text : accent
  return ratio(accent, ground) < REQUIRED_CONTRAST.edges
    ? paletteOn({ ground, text, link, accent: text })
    : paletteOn({ ground, text, link, accent, onAccent })
}

/**
 * The colours of a cover, whose letters are all large: the brand's letters on its ground, else light ones if they are
 * legible, otherwise dark ones, unless the cover asks for one of the two. Both of the brand's own colours come before
 * white and black.
 */
export function coverPalette(
  ground: string,
  theme: ThemeColors,
  wanted: Cover['text'] = 'auto',
  letters?: string,
): Palette {
  const { light, dark } = brandEnds(theme)
  const order = {
    auto: [letters ?? light, light, dark, WHITE, BLACK],
    light: [light, WHITE, dark, BLACK],
    dark: [dark, BLACK, light, WHITE],
  }[wanted]
  const text = order.find(color => ratio(color, ground) >= MIN_LARGE_CONTRAST) ?? BLACK
  return paletteOn({ ground, text, link: text, accent: text, minimum: MIN_LARGE_CONTRAST })
}

/** The lighter and the darker of a theme's background and text colours. */
export function brandEnds({
  text = NEUTRAL.text,
  ground = NEUTRAL.ground,
}: ThemeColors): Record<'light' | 'dark', string> {
  return oklchOf(text).lightness > oklchOf(ground).lightness
    ? { light: text, dark: ground }
    : { light: ground, dark: text }
}

/** The colours that a palette starts from, which may be illegible; `minimum` is the contrast that its text and links get. */
type PaletteStart = Pick<Palette, 'ground' | 'text' | 'link' | 'accent'> &
  Pick<ThemeColors, 'onAccent'> & { minimum?: number }

function paletteOn({ ground, accent, onAccent, minimum = REQUIRED_CONTRAST.letters, ...start }: PaletteStart): Palette {
  const text = makeLegible(start.text, ground, minimum)
  const link = makeLegible(start.link, ground, minimum)
  const carriesText = (color: string) => ratio(text, color) >= REQUIRED_CONTRAST.letters
  const surface = SURFACES.map(share => mixColors(ground, text, share)).find(carriesText) ?? ground
  const mark = MARKS.map(share => mixColors(ground, accent, share)).find(carriesText) ?? surface
  const quiet = QUIETS.map(share => mixColors(ground, text, share)).find(color =>
    [ground, surface, mark].every(each => ratio(color, each) >= REQUIRED_CONTRAST.letters),
  )
  return {
    ground,
    surface,
    mark,
    text,
    quiet: quiet ?? text,
    link,
    accent,
    onAccent: firstLegible(accent, [onAccent ?? ground, ground, text]),
    line: mixColors(ground, text, LINE),
    border:
      BORDERS.map(share => mixColors(ground, text, share)).find(
        color => ratio(color, ground) >= REQUIRED_CONTRAST.edges,
      ) ?? text,
  }
}

/** Shares of the text colour in a mix with the background; the first legible mix is used. Marks mix in the accent instead. */
const SURFACES = [0.05, 0.03, 0.015]
const MARKS = [0.2, 0.14, 0.08, 0.04]
const QUIETS = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
const BORDERS = [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9]
const LINE = 0.14

/** The first of these text colours that is legible on a background; else black or white, one of which always is. */
function firstLegible(ground: string, letters: readonly string[]): string {
  const readable = letters.find(color => ratio(color, ground) >= REQUIRED_CONTRAST.letters)
  return readable ?? (ratio(WHITE, ground) > ratio(BLACK, ground) ? WHITE : BLACK)
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/** A colour with at least this contrast to a background: the same if possible, else lighter or darker in its hue. */
function makeLegible(color: string, ground: string, minimum: number): string {
  if (ratio(color, ground) >= minimum) return color
  const { lightness, chroma, hue } = oklchOf(color)
  const isLighter = lightness > oklchOf(ground).lightness
  const hasContrast = (candidate: string) => ratio(candidate, ground) >= minimum
  // Away from the background if black or white there has enough contrast, otherwise through it to the other end.
  const endLightness = isLighter ? (hasContrast(WHITE) ? 1 : 0) : hasContrast(BLACK) ? 0 : 1
  const withLightness = (value: number) => hexOf({ lightness: value, chroma, hue })
  return withLightness(bisect(value => hasContrast(withLightness(value)), lightness, endLightness))
}

function ratio(one: string, other: string): number {
  return contrastOf(one, other).ratio
}

/** The ground and the letters of a cover, and the classes for both, whose rules are in the theme's style sheet. */
export type CoverLook = { classes: string; ground: StyleId | undefined; text: NonNullable<Cover['text']> }

/** The look of a cover with or without a ground. With only a picture behind them, letters are light. */
export function coverLook(ground: StyleId | undefined, { fit, text = 'auto' }: Partial<Cover> = {}): CoverLook {
  const isOnPicture = ground === undefined && fit === 'behind'
  const letters = text === 'auto' && isOnPicture ? 'light' : text
  const classes = [
    ...(ground === undefined ? [] : [`ground-${ground}`]),
    ...(letters === 'auto' ? [] : [`${letters}-letters`]),
  ]
  return { classes: classes.join(' '), ground, text: letters }
}
