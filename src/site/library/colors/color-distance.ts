import { oklabOf } from '../../theme/oklch.ts'

/**
 * How far apart two colours look, written as `#` and six hex digits: 0 for the same, 1 for black and white. The distance
 * in Oklab (CSS Color 4 §9.2).
 */
export function colorDistance(one: string, other: string): number {
  const [a, b] = [oklabOf(one), oklabOf(other)]
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))
}
