/**
 * How far apart two colours look, written as `#` and six hex digits: 0 for the same, 1 for black and white. The distance
 * in Oklab (CSS Color 4 §9.2).
 */
export function colorDistance(one: string, other: string): number {
  const [a, b] = [oklab(one), oklab(other)]
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)))
}

function oklab(hex: string): readonly number[] {
  const number = Number.parseInt(hex.slice(1), 16)
  const rgb = [number >> 16, (number >> 8) & 255, number & 255].map(channel => linear(channel / 255))
  return times(TO_LAB, times(TO_CONES, rgb).map(Math.cbrt))
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map(row => row.reduce((sum, factor, at) => sum + factor * (vector[at] ?? 0), 0))
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

const TO_CONES = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
