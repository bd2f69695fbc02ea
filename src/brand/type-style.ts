import type { StyleId } from './ids.ts'

/** The casings of type styles. */
export const CASINGS = ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'] as const

/** The styles of letters that a type style may ask for. */
export const FONT_STYLES = ['normal', 'italic'] as const

/** A type style. */
export type TypeStyle = TypeValues & TypeNotes

/** A type style as replies have it. */
export type TypeValues = {
  id: StyleId
  name: string
  family?: string
  /** px */
  size?: number
  /** The line height as a multiple of the size. */
  leading?: number
  /** The letter spacing, em. */
  tracking?: number
  casing: (typeof CASINGS)[number]
  /** The space after a paragraph, em. */
  spacing?: number
  responsive: boolean
  /** OpenType feature tags and their values: `{ tnum: 1, liga: 0 }`. */
  features: Record<string, number>
}

/** What replies have of a type style. */
export function typeValues({ weight: _w, style: _s, fallback: _f, sample: _t, ...values }: TypeStyle): TypeValues {
  return values
}

/** What the website and exports know of a type style besides; the API has none of it. */
type TypeNotes = {
  /** 1 to 1000, as `font-weight` in CSS Fonts 4 §2.2. */
  weight?: number
  style?: (typeof FONT_STYLES)[number]
  /** Families for what the fonts lack, in order. */
  fallback?: readonly string[]
  /** The brand's own words to show it with. */
  sample?: string
}
