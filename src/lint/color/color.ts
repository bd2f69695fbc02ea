import { type Color, colorsNamed, formatHex, interpolate, interpolateWith, type Mode, parse } from 'culori'
import { memoize } from '../../base/text.ts'
import type { Rgba } from '../use.ts'

/**
 * Resolves a CSS colour (Color 4, and `color-mix()` of Color 5) as a browser paints it: outside of sRGB, channels are
 * clipped. Undefined for `currentcolor`, system and relative colours, variables, `calc()` and all other text.
 */
export const readColor = memoize((text): Rgba | undefined => {
  const color = parseColor(text.trim().toLowerCase())
  return color && { hex: formatHex(color), alpha: Math.round((color.alpha ?? 1) * 1000) / 1000 }
})

/** The colour that is visible where one lies on an opaque ground. */
export function colorOn(ground: string, { hex, alpha }: Rgba): string {
  return alpha === 1 ? hex : formatHex(interpolate([ground, hex])(alpha))
}

/** Whether a word is the name of a colour, such as `tan` or `transparent`. */
export function isColorName(word: string): boolean {
  const name = word.toLowerCase()
  return name === 'transparent' || Object.hasOwn(colorsNamed, name)
}

/** `css` is in lower case. culori fails for some wrong arguments, so they are checked first. */
function parseColor(css: string): Color | undefined {
  if (HEX.test(css) || isColorName(css)) return parse(css)
  const [, name = '', inner = ''] = css.length > MAX_LENGTH ? [] : (/^([a-z-]+)\((.*)\)$/s.exec(css) ?? [])
  if (name === 'color-mix') return mixColors((inner.match(PARTS) ?? []).map(part => part.trim()))
  const isColor = name === 'color' ? /^\s*[a-z]/.test(inner) : FUNCTIONS.has(name)
  const values = inner.match(/[^\s,/]+|[,/]/g)?.slice(name === 'color' ? 1 : 0)
  // culori takes the alpha `none` for 1.
  return isColor && values?.every(value => ARGUMENT.test(value))
    ? parse(css.replace(/\s+/g, ' ').replace(/\/ ?none ?\)$/, '/ 0)'))
    : undefined
}

const MAX_LENGTH = 500
const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const FUNCTIONS: ReadonlySet<string> = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch'.split(' '))
const ARGUMENT = /^(?:[,/]|none|[+-]?(?:\d*\.)?\d+(?:e[+-]?\d\d?)?(?:%|deg|grad|rad|turn)?)$/
/** The arguments of a function, which are functions in functions at most. */
const PARTS = /(?:[^(),]|\((?:[^()]|\([^()]*\))*\))+/g

/** Mixes two colours (Color 5 §3), by the shorter way round where the space has a hue. */
function mixColors([method = '', ...parts]: readonly string[]): Color | undefined {
  const name = /^in ([a-z][\w-]*)(?: shorter hue)?$/.exec(method)?.[1]
  const space = parse(`color(${name} 0 0 0)`)?.mode ?? parse(`${name}(0 0 0)`)?.mode
  const [first, second] = parts.map(part => {
    const [, before, css = '', after] = /^(?:([\d.]+)%\s+)?(.+?)(?:\s+([\d.]+)%)?$/s.exec(part) ?? []
    return { color: parseColor(css), share: before ?? after }
  })
  if (!space || !first?.color || !second?.color || parts.length > 2) return undefined
  const one = Number(first.share ?? 100 - Number(second.share ?? 50))
  const other = Number(second.share ?? 100 - one)
  const sum = one + other
  if (!(sum > 0) || one > 100 || other > 100) return undefined
  const colors = [first.color, second.color].map(color => ({ ...color, alpha: color.alpha ?? 1 }))
  const mixed = mixPremultiplied(colors, space)(other / sum)
  return { ...mixed, alpha: (mixed.alpha ?? 1) * Math.min(1, sum / 100) }
}

/** A hue is not multiplied by alpha (Color 4 §12.3). */
const mixPremultiplied = interpolateWith<Mode>(
  (value, channel, { alpha = 1 }) => (channel === 'h' || channel === 'alpha' ? value : value * alpha),
  (value, channel, { alpha = 1 }) => (channel === 'h' || channel === 'alpha' || !alpha ? value : value / alpha),
)
