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
import { groupsOf, memoize } from '#platform/base/text.ts'

/** A colour as sRGB shows it; `isMapped` if sRGB cannot show it exactly. */
export type ScreenColor = { hex: string; alpha: number; isMapped: boolean }

/**
 * Resolves a CSS colour (Color 4, and mixed and relative ones of Color 5). Undefined for `currentcolor`, system colours,
 * variables, other `calc()` and all other text.
 */
export const readCssColor = memoize((text): ScreenColor | undefined => {
  const css = text.trim().toLowerCase()
  const color = parseColor(css.startsWith('color-mix') ? css : css.replace(/\bnone\b/g, '0'))
  return color && screenColor(color, /^(?:rgb|hsl|hwb)/.test(css))
})

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
  hex?: string,
): ScreenColor | undefined {
  // `x` makes a value that is neither a number nor `none` no colour of CSS.
  const values = components.map(value => (value === 'none' ? '0' : typeof value === 'number' ? plain(value) : 'x'))
  // Numbers such as 255 are probably not shares.
  const isInRange = !RGB_SPACES.test(space) || components.every(value => !(Number(value) > 2 || Number(value) < -1))
  const written = PERCENTAGE_SPACES.test(space) ? values.map((value, at) => (at === 0 ? value : `${value}%`)) : values
  const start = FUNCTION_SPACES.test(space) ? `${space}(` : `color(${space} `
  const opacity = alpha === 'none' ? 0 : typeof alpha === 'number' ? alpha : 1
  const css = `${start}${written.join(' ')} / ${plain(opacity)})`
  const color = isInRange && values.length === 3 ? readCssColor(css) : undefined
  const fallback = hex !== undefined && /^#[\da-f]{6}$/i.test(hex) ? readCssColor(hex) : undefined
  if (!fallback || (color && !color.isMapped)) return color
  return { ...fallback, alpha: color?.alpha ?? opacity }
}

/** A number without an exponent, such as `1e-7`, that parsers may not read. */
function plain(number: number): string {
  return String(Number(number.toFixed(10)))
}

/** Spaces whose components are usually from 0 to 1. */
const RGB_SPACES = /rgb|^display-p3$|^rec2020$/
/** Spaces whose components after the hue are percentages. */
const PERCENTAGE_SPACES = /^(?:hsl|hwb)$/
/** Spaces with their own function in CSS; others are in `color()`. */
const FUNCTION_SPACES = /^(?:hsl|hwb|(?:ok)?(?:lab|lch))$/

/**
 * Maps a colour outside sRGB as CSS Color 4 §13.2 says: clipped if that is invisible, else with less chroma. `rgb()` and
 * its like are always clipped (§5.1).
 */
function screenColor(color: Color, isClipped: boolean): ScreenColor {
  const rgb = toRgb(color)
  const isShown = [rgb.r, rgb.g, rgb.b].every(channel => channel >= -ROUNDING && channel <= 1 + ROUNDING)
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

/** `css` is in lower case. culori fails for some wrong arguments, so they are checked first. */
function parseColor(css: string): Color | undefined {
  if (HEX.test(css) || isColorName(css)) return parse(css)
  const [, name = '', inner = ''] = css.length > MAX_LENGTH ? [] : groupsOf(/^([a-z-]+)\((.*)\)$/s, css)
  if (name === 'color-mix') return mixColors((inner.match(PARTS) ?? []).map(part => part.trim()))
  if (/^\s*from\s/.test(inner)) return relativeColor(name, inner)
  const isColor = name === 'color' ? SPACE.test(inner) : FUNCTIONS.has(name)
  // In `color()`, the first one is the space.
  const args = inner.match(/[^\s,/]+|[,/]/g)?.slice(name === 'color' ? 1 : 0)
  // culori takes the alpha `none` for 1.
  return isColor && args?.every(arg => ARGUMENT.test(arg))
    ? parse(css.replace(/\s+/g, ' ').replace(/\/ ?none ?\)$/, '/ 0)'))
    : undefined
}

const MAX_LENGTH = 500
const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const FUNCTIONS: ReadonlySet<string> = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch'.split(' '))
const SPACE = /^\s*(?:srgb(?:-linear)?|display-p3|a98-rgb|prophoto-rgb|rec2020|xyz(?:-d50|-d65)?)\s/
/** A separator, `none`, or a number such as `-.5`, `1e-3`, `50%` and `120deg`. */
const ARGUMENT = /^(?:[,/]|none|[+-]?(?:\d*\.)?\d+(?:e[+-]?\d\d?)?(?:%|deg|grad|rad|turn)?)$/
/** The arguments of a function, which are functions in functions at most. */
const PARTS = /(?:[^(),]|\((?:[^()]|\([^()]*\))*\))+/g

/**
 * A colour whose channels are those of another one, or a product, sum or difference of one and a number (Color 5 §4), as
 * in `hsl(from #14212b h s calc(l + 10))`: the letters become the numbers of the other colour, then each `calc()` its
 * result, and the rest is an ordinary colour.
 */
function relativeColor(name: string, inner: string): Color | undefined {
  const [, base = '', channels = ''] = groupsOf(FROM_COLOR, inner)
  const functionName = name.replace(/(?<=^rgb|^hsl)a$/, '')
  const [mode, one, percentages] = RELATIVE.find(([own]) => own === functionName) ?? []
  const color = mode && parseColor(base)
  if (!color) return undefined
  const alpha = color.alpha ?? 1
  const values = new Map(Object.entries({ ...converter(mode)(color), alpha }))
  const withNumbers = channels.replace(/\b(?:alpha|[a-z])\b/g, key => {
    const factor = key === 'alpha' || key === 'h' ? 1 : (one ?? 1)
    // A grey has no hue; other letters than channels become `NaN`, which no colour has.
    const value = Number(values.get(key) ?? (key === 'h' ? 0 : Number.NaN)) * factor
    return `${Number(value.toFixed(6))}${percentages?.includes(key) ? '%' : ''}`
  })
  const computed = withNumbers.replace(CALCULATION, (_, first: string, unit: string, sign: string, second: string) => {
    const [a, b] = [Number(first), Number(second)]
    return `${sign === '*' ? a * b : sign === '/' ? a / b : sign === '+' ? a + b : a - b}${unit}`
  })
  return parseColor(`${name}(${computed}${computed.includes('/') ? '' : ` / ${alpha}`})`)
}

/** `from` with a colour, which may be a function, and channels. */
const FROM_COLOR = /^\s*from\s+([a-z-]*\((?:[^()]|\([^()]*\))*\)|\S+)\s+(.+)$/s

/** The functions, what 1 in culori is in their channels, and the channels that are percentages. */
const RELATIVE = [
  ['rgb', 255, ''],
  ['hsl', 100, 'sl'],
  ['hwb', 100, 'wb'],
  ['lab', 1, ''],
  ['lch', 1, ''],
  ['oklab', 1, ''],
  ['oklch', 1, ''],
] as const
/** `calc(50% * 1.2)`, `calc(0.4 + 0.1)` */
const CALCULATION = /calc\(\s*(-?[\d.]+)(%?)\s*([*/]|[-+](?=\s))\s*(-?[\d.]+)%?\s*\)/g

/**
 * Mixes two colours (Color 5 §3), by the shorter way round where the space has a hue, as in
 * `color-mix(in oklch, red 30%, blue)`. The shares of both are 100 together, unless both are written; if they are less,
 * the rest is transparent.
 */
function mixColors([method = '', ...parts]: readonly string[]): Color | undefined {
  const name = groupsOf(/^in ([a-z][\w-]*)(?: shorter hue)?$/, method)[1]
  const space = (parseColor(`color(${name} 0 0 0)`) ?? parseColor(`${name}(0 0 0)`))?.mode
  const [first, second] = parts.map(part => {
    const [, shareBefore, css = '', shareAfter] = groupsOf(COLOR_AND_SHARE, part)
    return { color: parseColor(css), share: shareBefore ?? shareAfter }
  })
  if (!space || !first?.color || !second?.color || parts.length > 2) return undefined
  const firstShare = Number(first.share ?? 100 - Number(second.share ?? 50))
  const secondShare = Number(second.share ?? 100 - firstShare)
  const sum = firstShare + secondShare
  if (!(sum > 0) || firstShare > 100 || secondShare > 100) return undefined
  const colors = [first.color, second.color].map(color => ({ ...color, alpha: color.alpha ?? 1 }))
  const mixed = mixPremultiplied(colors, space)(secondShare / sum)
  return { ...mixed, alpha: (mixed.alpha ?? 1) * Math.min(1, sum / 100) }
}

/** `30% red` or `red 30%`. */
const COLOR_AND_SHARE = /^(?:([\d.]+)%\s+)?(.+?)(?:(?<!.\s)\s+([\d.]+)%)?$/s

/** Mixes channels that are multiplied by alpha before, and divided by it after; a hue is not (Color 4 §12.3). */
const mixPremultiplied = interpolateWith<Mode>(
  (value, channel, { alpha = 1 }) => (channel === 'h' || channel === 'alpha' ? value : value * alpha),
  (value, channel, { alpha = 1 }) => (channel === 'h' || channel === 'alpha' || !alpha ? value : value / alpha),
)
