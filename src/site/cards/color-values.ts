import type { Color } from '../../brand/color.ts'
import { oklchOf } from '../theme/oklch.ts'

/** A value of a colour as shown, and as copied if that differs. */
type ColorValue = { kind: string; label: string; text: string; copied?: string }

/** The values of a colour, in the order of `KINDS`. Print values are those that the author gave. */
export function colorValues(color: Color): ColorValue[] {
  return KINDS.flatMap(([kind, label]): ColorValue[] => {
    if (kind === 'oklch') return [{ kind, label, ...oklchValue(color.hex) }]
    const value = color[kind]
    return value === undefined ? [] : [{ kind, label, text: String(value) }]
  })
}

const KINDS = [
  ['hex', 'Hex'],
  ['rgb', 'RGB'],
  ['oklch', 'OKLCH'],
  ['cmyk', 'CMYK'],
  ['pms', 'PMS'],
  ['pms2', 'PMS 2'],
  ['ral', 'RAL'],
] as const

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
