import { contrastOf } from '../../brand/styles/contrast.ts'
import { MIN_CONTRAST, NEUTRAL } from '../../brand/styles/theme-contrast.ts'
import { bisect, hexOf, mixColors, oklchOf } from './oklch.ts'

/** The colours of a page or of a part of it, each as `#` and six hex digits. Letters are legible on what they stand on. */
export type Palette = {
  ground: string
  /** Behind code and what the pointer is on; links in it are in the colour of text. */
  surface: string
  /** Behind what was looked for; links in it are in the colour of text. */
  mark: string
  text: string
  /** Letters of less importance. */
  quiet: string
  link: string
  /** The ground of buttons, and the letters on it. */
  accent: string
  onAccent: string
  /** Rules between parts, which mean nothing. */
  line: string
  /** The edges of fields and buttons: WCAG 2.2 §1.4.11. */
  border: string
}

/** The colours that a theme names. */
export type ThemeColors = { ground?: string | undefined; text?: string | undefined; accent?: string | undefined }

/** What letters have to reach on their ground, and the edges of controls: WCAG 2.2 §1.4.3 and §1.4.11. */
const LEAST = { letters: MIN_CONTRAST, edges: 3 } as const

/** The colours of light pages: those of the theme as they are, as far as they can be read. */
export function lightPalette(theme: ThemeColors): Palette {
  const { ground = NEUTRAL.ground, text = NEUTRAL.text, accent = NEUTRAL.accent } = theme
  return paletteOn(ground, text, accent, accent)
}

/**
 * The colours of dark pages. The ground has the hue of the letters of light ones, since dark letters are a brand's ink,
 * and the letters that of their ground. A theme whose pages are dark anyway keeps them.
 */
export function darkPalette(theme: ThemeColors): Palette {
  const { ground = NEUTRAL.ground, text = theme.ground ?? NEUTRAL.text, accent = NEUTRAL.accent } = theme
  const [paper, ink] = [oklchOf(ground), oklchOf(text)]
  if (isDark(ground)) return lightPalette(theme)
  const night = hexOf({
    lightness: Math.min(MAX_NIGHT, Math.max(MIN_NIGHT, ink.lightness)),
    chroma: Math.min(NIGHT_CHROMA, ink.chroma),
    hue: ink.hue,
  })
  const letters = hexOf({ lightness: 0.94, chroma: Math.min(LETTER_CHROMA, paper.chroma), hue: paper.hue })
  return paletteOn(night, letters, accent, legible(accent, night, LEAST.edges))
}

/** Whether a ground is dark. */
export function isDark(ground: string): boolean {
  return oklchOf(ground).lightness < 0.5
}

const MIN_NIGHT = 0.17
const MAX_NIGHT = 0.25
const NIGHT_CHROMA = 0.04
const LETTER_CHROMA = 0.02

/** The colours on a ground of the brand, which are the same on light and dark pages. Links are told by their lines. */
export function groundPalette(ground: string, theme: ThemeColors): Palette {
  const { text: ink = NEUTRAL.text, ground: paper = NEUTRAL.ground, accent = NEUTRAL.accent } = theme
  const text = readable(
    ground,
    [ink, paper].sort((a, b) => ratio(b, ground) - ratio(a, ground)),
  )
  const link = ratio(accent, ground) < LEAST.letters ? text : accent
  return paletteOn(ground, text, link, ratio(accent, ground) < LEAST.edges ? text : accent)
}

function paletteOn(ground: string, wantedText: string, wantedLink: string, accent: string): Palette {
  const text = legible(wantedText, ground, LEAST.letters)
  const link = legible(wantedLink, ground, LEAST.letters)
  const carriesText = (color: string) => ratio(text, color) >= LEAST.letters
  const surface = SURFACES.map(share => mixColors(ground, text, share)).find(carriesText) ?? ground
  const mark = MARKS.map(share => mixColors(ground, accent, share)).find(carriesText) ?? surface
  const quiet = QUIETS.map(share => mixColors(ground, text, share)).find(color =>
    [ground, surface, mark].every(each => ratio(color, each) >= LEAST.letters),
  )
  return {
    ground,
    surface,
    mark,
    text,
    quiet: quiet ?? text,
    link,
    accent,
    onAccent: readable(accent, [ground, text]),
    line: mixColors(ground, text, LINE),
    border:
      BORDERS.map(share => mixColors(ground, text, share)).find(color => ratio(color, ground) >= LEAST.edges) ?? text,
  }
}

/** Shares of the letters, or of the accent in marks, in a mix with the ground: the first that can be read is taken. */
const SURFACES = [0.05, 0.03, 0.015]
const MARKS = [0.2, 0.14, 0.08, 0.04]
const QUIETS = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
const BORDERS = [0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9]
const LINE = 0.14

/** The first of these letters that can be read on a ground; else black or white, one of which always can. */
function readable(ground: string, letters: readonly string[]): string {
  const found = letters.find(color => ratio(color, ground) >= LEAST.letters)
  return found ?? (ratio(WHITE, ground) > ratio(BLACK, ground) ? WHITE : BLACK)
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/**
 * A colour itself if its contrast with a ground is at least so much; else one of the same hue that is as much lighter or
 * darker as it takes.
 */
function legible(color: string, ground: string, least: number): string {
  if (ratio(color, ground) >= least) return color
  const { lightness, chroma, hue } = oklchOf(color)
  const isLighter = lightness > oklchOf(ground).lightness
  const reaches = (end: string) => ratio(end, ground) >= least
  const end = isLighter ? (reaches(WHITE) ? 1 : 0) : reaches(BLACK) ? 0 : 1
  const at = (lightness: number) => hexOf({ lightness, chroma, hue })
  return at(bisect(value => reaches(at(value)), lightness, end))
}

function ratio(one: string, other: string): number {
  return contrastOf(one, other).ratio
}
