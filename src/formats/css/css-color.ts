import {
  type Color,
  clampRgb,
  colorsNamed,
  converter,
  differenceEuclidean,
  formatHex,
  interpolateWith,
  type Mode,
  parse,
  toGamut,
} from 'culori'
import { attempt } from '#platform/base/result.ts'
import { memoize, wordSet, wordTable } from '#platform/base/text.ts'
import { cssCall, cssWords, plainCss } from './values.ts'

/** A colour as sRGB shows it; `isMapped` if sRGB cannot show it exactly. */
export type ScreenColor = { hex: string; alpha: number; isMapped: boolean }

/**
 * Resolves a CSS colour (Color 4, and mixed and relative ones of Color 5). Undefined for `currentcolor`, system colours,
 * variables, other `calc()` and all other text.
 */
export const readCssColor = memoize((text): ScreenColor | undefined => {
  if (text.length > MAX_LENGTH) return undefined
  const css = plainCss(text.toLowerCase())
  const color = parseColor(css.startsWith('color-mix') ? css : css.replace(/\bnone\b/g, '0'))
  return color && screenColor(color, CLIPPED.has(cssCall(css).name))
})

const MAX_LENGTH = 500

/** The functions whose colours are always clipped to sRGB (Color 4 §5.1). */
const CLIPPED = wordSet('rgb rgba hsl hsla hwb')

/**
 * Resolves the value of a colour token (Design Tokens Color 2025.10 §4.1), by writing it as a colour of CSS. A `hex`
 * counts only if sRGB cannot show the components, or they are invalid. Undefined if it is not a colour.
 *
 * @param components three numbers or `none`
 */
export function readTokenColor(
  space: string,
  components: readonly unknown[],
  alpha: unknown,
  hex = '',
): ScreenColor | undefined {
  // `x` makes a value that is neither a number nor `none` no colour of CSS.
  const values = components.map(value => (value === 'none' ? '0' : typeof value === 'number' ? plain(value) : 'x'))
  // Numbers such as 255 are probably not shares, which are from -1 to 2.
  const isInRange = !RGB_SPACES.has(space) || components.every(value => !(Math.abs(Number(value) - 0.5) > 1.5))
  const opacity = alpha === 'none' ? 0 : typeof alpha === 'number' ? alpha : 1
  const form = FORMS.get(space) ?? (components => `color(${space} ${components.join(' ')}`)
  const css = `${form(values, space)} / ${plain(opacity)})`
  const color = isInRange && values.length === 3 ? readCssColor(css) : undefined
  const fallback = /^#[\da-f]{6}$/i.test(hex) ? readCssColor(hex) : undefined
  if (!fallback || (color && !color.isMapped)) return color
  return { ...fallback, alpha: color?.alpha ?? opacity }
}

/** A number without an exponent, such as `1e-7`, that parsers may not read. */
function plain(number: number): string {
  return String(Number(number.toFixed(10)))
}

/** Spaces whose components are usually from 0 to 1. */
const RGB_SPACES = wordSet('srgb srgb-linear a98-rgb prophoto-rgb display-p3 rec2020')

/** How spaces with their own function write components, up to the alpha; others are in `color()`. */
const FORMS = wordTable<(components: readonly string[], space: string) => string>([
  [([hue, ...shares], space) => `${space}(${[hue, ...shares.map(share => `${share}%`)].join(' ')}`, 'hsl hwb'],
  [(components, space) => `${space}(${components.join(' ')}`, 'lab lch oklab oklch'],
])

/**
 * Maps a colour outside sRGB as CSS Color 4 §13.2 says: clipped if that is invisible, else with less chroma. `rgb()` and
 * its like are always clipped (§5.1).
 */
function screenColor(color: Color, isClipped: boolean): ScreenColor {
  const rgb = toRgb(color)
  const isShown = [rgb.r, rgb.g, rgb.b].every(channel => Math.abs(channel - 0.5) <= 0.5 + ROUNDING)
  const isMapped = !isClipped && !isShown
  const isClippingVisible = isMapped && toDifference(color, clampRgb(rgb)) >= JUST_VISIBLE
  // `formatHex` clips.
  const hex = formatHex(isClippingVisible ? mapToRgb(color) : rgb)
  return { hex, alpha: Math.round((color.alpha ?? 1) * 1000) / 1000, isMapped }
}

const toRgb = converter('rgb')
const mapToRgb = toGamut('rgb', 'oklch')
const toDifference = differenceEuclidean('oklab')
/** The just noticeable difference in OKLab. */
const JUST_VISIBLE = 0.02
/** The rounding error of conversions, less than a thousandth of a step of 255. */
const ROUNDING = 1e-5

/** Whether a word is the name of a colour, such as `tan` or `transparent`. */
export function isColorName(word: string): boolean {
  const name = word.toLowerCase()
  return name === 'transparent' || Object.hasOwn(colorsNamed, name)
}

/** `css` is in lower case and on one line. */
function parseColor(css: string): Color | undefined {
  const { name, args } = cssCall(css)
  const words = cssWords(args.join())
  if (name === 'color-mix') return mixColors(args)
  if (words[0] === 'from') return relativeColor(name, words)
  // culori also reads `1d70` as a colour, and `1e999` as infinite.
  const isWritten = name === '' ? css.startsWith('#') || isColorName(css) : !/e[+-]?\d{3}/.test(css)
  // It takes the alpha `none` for 1, and throws for some wrong arguments.
  return isWritten ? attempt(() => parse(css.replace(/\/ ?none ?\)$/, '/ 0)'))) : undefined
}

/**
 * A colour whose channels are those of another one, or a product, sum or difference of one and a number (Color 5 §4), as
 * in `hsl(from #14212b h s calc(l + 10))`: the letters become the numbers of the other colour, then each `calc()` its
 * result, and the rest is an ordinary colour.
 */
function relativeColor(name: string, [, base = '', ...channels]: readonly string[]): Color | undefined {
  // The function may have an `a` at its end.
  const mode = MODES.find(each => name.startsWith(each))
  const color = mode && parseColor(base)
  if (!color) return undefined
  const alpha = color.alpha ?? 1
  // A grey has no hue; other letters than channels become `NaN`, which no colour has.
  const values = new Map(Object.entries({ h: 0, ...converter(mode)(color), alpha }))
  const withNumbers = channels.join(' ').replace(/\b(?:alpha|[a-z])\b/g, key => {
    const { factor, unit } = OWN_UNIT.has(key) ? PLAIN : (UNITS.get(mode) ?? PLAIN)
    return `${Number((Number(values.get(key)) * factor).toFixed(6))}${unit}`
  })
  const computed = withNumbers.replace(CALCULATION, (_, first: string, unit: string, sign: string, second: string) => {
    return `${CALCULATIONS.get(sign)?.(Number(first), Number(second))}${unit}`
  })
  return parseColor(`${name}(${computed}${computed.includes('/') ? '' : ` / ${alpha}`})`)
}

const MODES = ['rgb', 'hsl', 'hwb', 'lab', 'lch', 'oklab', 'oklch'] as const

const PLAIN = { factor: 1, unit: '' }
/** What 1 in culori is in the channels of a function. */
const UNITS = wordTable([
  [{ factor: 255, unit: '' }, 'rgb'],
  [{ factor: 100, unit: '%' }, 'hsl hwb'],
])
/** The channels that functions write as culori does. */
const OWN_UNIT = wordSet('h alpha')

/** `calc(50% * 1.2)`, `calc(0.4 + 0.1)` */
const CALCULATION = /calc\( ?(-?[\d.]+)(%?) ?([*/]|[-+](?= )) ?(-?[\d.]+)%? ?\)/g
const CALCULATIONS: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
])

/**
 * Mixes two colours (Color 5 §3), by the shorter way round where the space has a hue, as in
 * `color-mix(in oklch, red 30%, blue)`. The shares of both are 100 together, unless both are written; if they are less,
 * the rest is transparent.
 */
function mixColors([method = '', ...parts]: readonly string[]): Color | undefined {
  const name = method.replace('in ', '').replace(' shorter hue', '')
  const space = (parseColor(`color(${name} 0 0 0)`) ?? parseColor(`${name}(0 0 0)`))?.mode
  const written = parts.map(part => Map.groupBy(cssWords(part), word => word.endsWith('%')))
  const colors = written.flatMap(words => {
    const color = parseColor((words.get(false) ?? []).join(' '))
    return color ? [{ ...color, alpha: color.alpha ?? 1 }] : []
  })
  if (!space || parts.length !== 2 || colors.length !== 2) return undefined
  const [first, second] = written.map(words => words.get(true)?.map(Number.parseFloat)[0])
  const firstShare = first ?? 100 - (second ?? 50)
  const secondShare = second ?? 100 - firstShare
  const sum = firstShare + secondShare
  if (!(sum > 0) || Math.max(firstShare, secondShare) > 100) return undefined
  const mixed = mixPremultiplied(colors, space)(secondShare / sum)
  return { ...mixed, alpha: (mixed.alpha ?? 1) * Math.min(1, sum / 100) }
}

/** Mixes channels that are multiplied by alpha before, and divided by it after; a hue is not (Color 4 §12.3). */
const mixPremultiplied = interpolateWith<Mode>(
  (value, channel, { alpha = 1 }) => (OWN_UNIT.has(channel) ? value : value * alpha),
  (value, channel, { alpha = 1 }) => (OWN_UNIT.has(channel) ? value : value / (alpha || 1)),
)
