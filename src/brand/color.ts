import type { StyleId } from './ids.ts'

/** A colour. */
export type Color = ColorValues & ColorNotes

/** A colour as replies have it. Print values are those that were written: none is ever computed. */
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

/** What replies have of a colour. */
export function colorValues({ group: _g, use: _u, on: _o, proportion: _p, tintOf: _t, ...values }: Color): ColorValues {
  return values
}

/** What the website and exports know of a colour besides; the API has none of it. */
type ColorNotes = {
  /** The heading that it stands under. */
  group?: string
  /** What it is for. */
  use?: string
  /** The colours that it may stand on. */
  on?: readonly StyleId[]
  /** Its share of the brand's surface: per cent, 0 to 100. */
  proportion?: number
  /** The colour that it is a tint or shade of. */
  tintOf?: StyleId
}
