import type { StyleId } from './ids.ts'

/** The casings of type styles. */
export const CASINGS = ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'] as const

/** The font styles of type styles. */
export const FONT_STYLES = ['normal', 'italic'] as const

export type TypeStyle = TypeValues & TypeNotes

/** A type style as in API replies. */
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

/** Removes the fields that API replies omit. */
export function typeValues({
  weight: _w,
  style: _s,
  fallback: _f,
  sample: _t,
  axes: _a,
  ...values
}: TypeStyle): TypeValues {
  return values
}

/** Fields that only the website and exports use; the API omits them. */
type TypeNotes = {
  /** 1 to 1000, like `font-weight` (CSS Fonts 4 §2.2). */
  weight?: number
  style?: (typeof FONT_STYLES)[number]
  /** Fallback families, in order. */
  fallback?: readonly string[]
  /** The brand's own sample text. */
  sample?: string
  /** Axes of a variable font and their values: `{ SOFT: 100, WONK: 1 }`. */
  axes?: Readonly<Record<string, number>>
}
