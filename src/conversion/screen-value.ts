import { type Color, converter, parse } from 'culori'
import { failed, ok, type Result } from '../base/result.ts'
import { quote } from '../base/text.ts'
import { hexText } from '../brand/styles/screen-color.ts'

/** The hex of an opaque sRGB colour of CSS (Color 4 §4); for all others, the problem ends a sentence. */
export function hexOfCss(text: string): Result<string, string> {
  const css = text.trim()
  const color = css.length <= MAX_LENGTH && /^[#a-z]/i.test(css) ? parse(css) : undefined
  return color === undefined ? failed(`is ${quote(text)}, which is not a colour; left out`) : hexOf(color, css)
}

const MAX_LENGTH = 200

/** The hex of components (Design Tokens Color 2025.10 §3). A given `hex` takes precedence over them. */
export function hexOfComponents(
  space: string,
  components: readonly (number | 'none')[],
  alpha: number | 'none',
  hex: string | undefined,
): Result<string, string> {
  const css = cssOf(space, components)
  if (css === undefined) return failed(`has the unknown colour space ${quote(space)}; left out`)
  if (components.length !== 3) return failed(`has ${components.length} components, but a colour has three; left out`)
  const color = parse(css.replace(')', alpha === 1 ? ')' : ` / ${alpha})`))
  if (color === undefined) return failed(`is ${css}, which is not a colour; left out`)
  const screen = hex === undefined ? undefined : parse(hex)
  return hexOf(
    screen === undefined ? color : { ...screen, ...(color.alpha !== undefined && { alpha: color.alpha }) },
    css,
  )
}

/** A colour in the CSS notation for its space; undefined for an unknown space. */
function cssOf(space: string, components: readonly (number | 'none')[]): string | undefined {
  const [hue, ...shares] = components
  const percentages = shares.map(share => (share === 'none' ? share : `${share}%`))
  if (PERCENTAGE_SPACES.has(space)) return `${space}(${[hue, ...percentages].join(' ')})`
  if (FUNCTION_SPACES.has(space)) return `${space}(${components.join(' ')})`
  return COLOR_SPACES.has(space) ? `color(${space} ${components.join(' ')})` : undefined
}

const PERCENTAGE_SPACES = new Set(['hsl', 'hwb'])
const FUNCTION_SPACES = new Set(['lab', 'lch', 'oklab', 'oklch'])
const COLOR_SPACES = new Set('srgb srgb-linear display-p3 a98-rgb prophoto-rgb rec2020 xyz-d65 xyz-d50'.split(' '))

const toRgb = converter('rgb')

function hexOf(color: Color, authored: string): Result<string, string> {
  if (color.alpha !== undefined && color.alpha < 1)
    return failed(
      `is ${shownOf(authored, color.alpha)}, which is not opaque, but guide colours must be opaque; left out`,
    )
  const { r, g, b } = toRgb(color)
  // The rounding error of conversions, less than a thousandth of a step of 255.
  const isInSrgb = [r, g, b].every(channel => channel >= -ROUNDING && channel <= 1 + ROUNDING)
  if (!isInSrgb) return failed(`is ${authored}, which sRGB cannot show; give it a "hex"; left out`)
  const [red, green, blue] = [r, g, b].map(channelOf)
  return ok(hexText([red ?? 0, green ?? 0, blue ?? 0]))
}

const ROUNDING = 1e-5

function shownOf(css: string, alpha: number): string {
  return `${quote(css)} with alpha ${Number(alpha.toFixed(3))}`
}

function channelOf(part: number): number {
  return Math.min(255, Math.max(0, Math.round(part * 255)))
}
