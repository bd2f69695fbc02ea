import type { StyleId } from './ids.ts'

/** The casings of type styles. */
export const CASINGS = ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'] as const

/** A type style as replies have it. */
export type TypeStyle = {
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
