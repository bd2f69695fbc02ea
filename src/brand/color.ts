import type { StyleId } from './ids.ts'

export type Color = ColorValues & ColorNotes

/** A colour as in API replies. Print values come from the author and are never computed. */
export type ColorValues = {
  id: StyleId
  name: string
  /** Three whole numbers from 0 to 255: `29,112,184`. */
  rgb: string
  /** Four numbers from 0 to 100: `84,39,0,28`. */
  cmyk?: string
  /** `#` and six hex digits in lower case. */
  hex: string
  /** A Pantone reference, as written: `285 C`. */
  pms?: string
  /** A second Pantone reference, as written. */
  pms2?: string
  /** A RAL Classic number. */
  ral?: number
}

/** Removes the fields that API replies omit. */
export function colorValues({ group: _g, use: _u, on: _o, proportion: _p, tintOf: _t, ...values }: Color): ColorValues {
  return values
}

/** Fields that only the website and exports use; the API omits them. */
type ColorNotes = {
  /** The heading of its group. */
  group?: string
  /** Its purpose. */
  use?: string
  /** Its allowed background colours. */
  on?: readonly StyleId[]
  /** Its share of the brand's surface: per cent, 0 to 100. */
  proportion?: number
  /** The colour that it is a tint or shade of. */
  tintOf?: StyleId
}
