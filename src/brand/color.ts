import type { StyleId } from './ids.ts'

/** A colour as replies have it. Print values are those that were written: none is ever computed. */
export type Color = {
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
