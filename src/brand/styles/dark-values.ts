import { hexText } from '#formats/css/hex.ts'
import type { Color } from '../color.ts'
import { parseHex, rgbText } from './screen-color.ts'

/** A colour with its values on dark grounds; the colour itself if it has none. */
export function onDark(color: Color): Color {
  const dark = color.dark === undefined ? undefined : parseHex(color.dark)
  return dark?.ok ? { ...color, hex: hexText(dark.value), rgb: rgbText(dark.value) } : color
}

/** The colours that have another value on dark grounds, with that value. */
export function darkColors(colors: readonly Color[]): Color[] {
  return colors.filter(({ dark }) => dark !== undefined).map(onDark)
}
