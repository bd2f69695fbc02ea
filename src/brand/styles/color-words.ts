import { parseHex } from './screen-color.ts'

/** The everyday words for a screen colour: `red orange` for vermilion. Searches use them, since names are the brand's own. */
export function colorWords(hex: string): string[] {
  const rgb = parseHex(hex)
  if (!rgb.ok) return []
  const [red, green, blue] = rgb.value
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  // From 0 to 1, as in HSL.
  const lightness = (least + most) / 510
  // Up to 16, a colour is only grey; up to 32, it is grey and has a hue.
  const spread = most - least
  const tone = lightness < 0.3 ? ['dark'] : lightness > 0.8 ? ['light'] : []
  const grey = spread < 32 ? ['grey', 'gray'] : []
  const shade = lightness < 0.15 ? ['black'] : lightness > 0.93 ? ['white'] : grey
  if (spread < 16) return [...tone, ...shade]
  const hue = hueOf(red, green, blue, spread, most)
  const names = HUES.filter(({ from, to }) => (from < to ? hue >= from && hue < to : hue >= from || hue < to))
  return [...tone, ...shade, ...names.flatMap(({ words }) => words), ...brownOrBeige(hue, lightness)]
}

/** The hue in degrees, as in HSL. */
function hueOf(red: number, green: number, blue: number, spread: number, most: number): number {
  if (most === red) return (60 * ((green - blue) / spread) + 360) % 360
  return most === green ? 60 * ((blue - red) / spread + 2) : 60 * ((red - green) / spread + 4)
}

/** The ranges of hues in degrees. They overlap, since people differ in the words that they use. */
const HUES = [
  { from: 340, to: 20, words: ['red'] },
  { from: 12, to: 46, words: ['orange'] },
  { from: 40, to: 70, words: ['yellow'] },
  { from: 65, to: 170, words: ['green'] },
  { from: 160, to: 205, words: ['turquoise', 'teal', 'cyan'] },
  { from: 190, to: 258, words: ['blue'] },
  { from: 250, to: 300, words: ['purple', 'violet'] },
  { from: 290, to: 345, words: ['pink', 'magenta'] },
]

function brownOrBeige(hue: number, lightness: number): string[] {
  if (hue < 15 || hue > 50) return []
  if (lightness < 0.4) return ['brown']
  return lightness > 0.65 ? ['beige'] : []
}
