import { oklabOf } from '../../theme/oklch.ts'

/**
 * The perceived distance of two colours, each `#` and six hex digits: 0 for equal colours, 1 for black and white. It is
 * the distance in Oklab (CSS Color 4 §9.2).
 */
export function colorDistance(one: string, other: string): number {
  const [a, b] = [oklabOf(one), oklabOf(other)]
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))
}
