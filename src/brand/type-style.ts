import type { StyleId } from './ids.ts'

/** How the letters of a type style are cased. */
export const CASINGS = ['none', 'uppercase', 'lowercase', 'capitalize', 'small-caps'] as const

/** A type style as replies give it. */
export type TypeStyle = {
  id: StyleId
  name: string
  family?: string
  /** px */
  size?: number
  /** A multiple of size. */
  leading?: number
  /** em */
  tracking?: number
  casing: (typeof CASINGS)[number]
  /** Space after the paragraph, em. */
  spacing?: number
  responsive: boolean
  /** OpenType feature tags and their values: `{ tnum: 1, liga: 0 }`. */
  features: Record<string, number>
}
