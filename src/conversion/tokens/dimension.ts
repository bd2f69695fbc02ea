import { isObject, type Json, textMember } from '../json.ts'

/** A number and its unit, which is empty for a bare number: `{ number: 1.5, unit: 'rem' }`. */
export type Dimension = { number: number; unit: '' | 'px' | 'rem' | 'em' | '%' | 'pt' }

/**
 * Reads `{ value: 16, unit: "px" }` (Format 2025.10 §8.2), `"16px"`, `"150%"` and `16`. Undefined if it is not a
 * dimension.
 */
export function readDimension(value: Json | undefined): Dimension | undefined {
  if (typeof value === 'number') return { number: value, unit: '' }
  if (isObject(value)) {
    const number = value.get('value')
    return typeof number === 'number' ? withUnit(number, textMember(value, 'unit') ?? '') : undefined
  }
  if (typeof value !== 'string' || value.length > 100) return undefined
  const [, digits, unit = ''] = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([a-z%]*)\s*$/i.exec(value) ?? []
  return digits === undefined ? undefined : withUnit(Number(digits), unit.toLowerCase())
}

function withUnit(number: number, written: string): Dimension | undefined {
  const unit = UNITS.find(each => each === written)
  return unit === undefined ? undefined : { number, unit }
}

const UNITS = ['', 'px', 'rem', 'em', '%', 'pt'] as const

/** A length in px: a bare number is px, and 1rem is 16px. Undefined for relative lengths. */
export function pixels({ number, unit }: Dimension): number | undefined {
  if (unit === '' || unit === 'px') return number
  return unit === 'rem' ? number * ROOT_SIZE : undefined
}

/** The default font size of the root element in browsers. */
const ROOT_SIZE = 16

/** Rounds to four decimals to remove arithmetic errors. */
export function round(number: number): number {
  return Number(number.toFixed(4))
}
