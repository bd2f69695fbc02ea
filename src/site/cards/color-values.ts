import { type Color, printValuesOf } from '../../brand/color.ts'
import { oklchOf } from '../theme/oklch.ts'

/** A value of a colour as shown, and as copied if that differs. */
type ColorValue = { kind: string; label: string; text: string; copied?: string }

/** The values of a colour, in order. Print values come from the author. */
export function colorValues(color: Color): ColorValue[] {
  const { hex, rgb } = color
  return [
    { kind: 'hex', label: 'Hex', text: hex },
    { kind: 'rgb', label: 'RGB', text: rgb },
    { kind: 'oklch', label: 'OKLCH', ...oklchValue(hex) },
    ...printValuesOf(color).map(({ key, label, value }) => ({ kind: key, label, text: `${value}` })),
  ]
}

function oklchValue(hex: string): { text: string; copied: string } {
  const { lightness, chroma, hue } = oklchOf(hex)
  const isGrey = chroma < MIN_CHROMA
  const degrees = isGrey ? 0 : ((hue * 180) / Math.PI + 360) % 360
  const text = `${round(lightness * 100, 2)}% ${round(isGrey ? 0 : chroma, 4)} ${round(degrees, 2)}`
  return { text, copied: `oklch(${text})` }
}

/** A colour with less chroma has no hue. */
const MIN_CHROMA = 0.0005

/** With fewer digits, a value would often name a neighbouring colour. */
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
