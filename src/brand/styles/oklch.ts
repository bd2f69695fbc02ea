import { linear } from './contrast.ts'

/** A colour in OKLCH (CSS Color 4 §9.4): lightness from 0 to 1, chroma from 0, hue in radians. */
export type Oklch = { lightness: number; chroma: number; hue: number }

/** A colour in OKLCH, from `#` and six hex digits. */
export function oklchOf(hex: string): Oklch {
  return toPolar(oklabOf(hex))
}

/** A colour in Oklab (CSS Color 4 §9.2) as lightness, a and b, from `#` and six hex digits. */
function oklabOf(hex: string): readonly number[] {
  const number = Number.parseInt(hex.slice(1), 16)
  const rgb = [number >> 16, (number >> 8) & 255, number & 255].map(channel => linear(channel / 255))
  return multiply(TO_LAB, multiply(TO_CONES, rgb).map(Math.cbrt))
}

/** A colour as `#` and six digits. Outside sRGB, it loses chroma until it fits, with the same lightness and hue. */
export function hexOf({ lightness, chroma, hue }: Oklch): string {
  const withShare = (share: number) => {
    const a = chroma * share * Math.cos(hue)
    const b = chroma * share * Math.sin(hue)
    return multiply(
      TO_RGB,
      multiply(FROM_LAB, [lightness, a, b]).map(cone => cone ** 3),
    )
  }
  const share = isInGamut(withShare(1)) ? 1 : bisect(share => isInGamut(withShare(share)), 1, 0)
  return `#${withShare(share).map(hexChannel).join('')}`
}

/** Mixes two colours in Oklab: share 0 is the first, 1 the second. */
export function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [oklabOf(one), oklabOf(other)]
  return hexOf(toPolar(from.map((value, at) => value + share * ((to[at] ?? 0) - value))))
}

/** Finds by bisection the value nearest to `from` for which `holds` is true; it must be true for `to`. */
export function bisect(holds: (value: number) => boolean, from: number, to: number): number {
  let fails = from
  let passes = to
  for (let step = 0; step < STEPS; step++) {
    const middle = (fails + passes) / 2
    if (holds(middle)) passes = middle
    else fails = middle
  }
  return passes
}

/** Finer than the eight bits of a channel. */
const STEPS = 12

function toPolar([lightness = 0, a = 0, b = 0]: readonly number[]): Oklch {
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

function isInGamut(rgb: readonly number[]): boolean {
  return rgb.every(channel => channel > -ROUNDING && channel < 1 + ROUNDING)
}

/** More than the rounding error, and less than 1/255. */
const ROUNDING = 1e-5

function hexChannel(channel: number): string {
  const value = channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, value)))
    .toString(16)
    .padStart(2, '0')
}

function multiply(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map(row => row.reduce((sum, factor, at) => sum + factor * (vector[at] ?? 0), 0))
}

/** Linear sRGB to cone responses, these cubed roots to Oklab, and both ways back: Björn Ottosson's matrices. */
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
const FROM_LAB = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const TO_RGB = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]
