import { type CSSToken, TokenType as Type, tokenize } from '@csstools/css-tokenizer'
import { type Color, colorsNamed, formatHex, interpolate, interpolateWith, type Mode, parse } from 'culori'
import { memoize } from '../../base/text.ts'
import type { SourceText } from '../source.ts'
import type { ColorUse, Rgba, Use } from '../use.ts'
import { BLANKS, CLOSING, OPENING } from './parse-css.ts'
import { isFamilyVariable } from './type.ts'
import { expand, isVariable, plainValue, type Variables, valuesOf } from './variables.ts'

type Role = ColorUse['role']

/** The role of the colours of a property; undefined if it takes none. */
export function roleOf(property: string, isText: boolean): Role | undefined {
  if (isVariable(property)) return isFamilyVariable(property) ? undefined : 'definition'
  const name = property.replace(/^-(?:webkit|moz|ms|o)-/, '')
  if (name === 'fill' && isText) return 'text'
  return ROLES.find(([, pattern]) => pattern.test(name))?.[0]
}

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ['text', /^(?:color|caret(?:-color)?|text-(?:decoration|emphasis|fill)(?:-color)?)$/],
  ['ground', /^(?:background(?:-color|-image)?|(?:accent|scrollbar|stop|lighting|tap-highlight)-color|fill)$/],
  ['border', /^(?:border(?!-(?:radius|spacing|collapse)$)|(?:outline|column-rule|text-stroke)(?:-color)?$|stroke$)/],
  ['shadow', /^(?:(?:box|text)-shadow|(?:backdrop-)?filter|flood-color)$/],
  ['definition', /^initial-value$/],
]

/**
 * Yields the colours that a value writes, also those in gradients, shadows, SCSS lists and maps. A variable alone is
 * judged where it is defined. Functions that change a colour of SCSS are not resolved.
 */
export function* readColors(value: SourceText, role: Role, scope: Variables): Generator<Use> {
  const tokens = tokenize({ css: value.text }).filter(([type]) => !BLANKS.has(type))
  for (let index = 0; index < tokens.length; index++) {
    const [token, previous, next] = [tokens[index], tokens[index - 1], tokens[index + 1]]
    const name = token?.[0] === Type.Function ? token[4].value.toLowerCase() : undefined
    if (!token || token[0] === Type.OpenParen || isSeeThrough(name, next?.[1], scope)) continue
    index = endOf(tokens, index)
    const last = tokens[index]
    const isName = token[0] === Type.Ident && isNameHere(token[1], previous, next, role)
    if (!last || name === 'var' || (name === undefined && token[0] !== Type.Hash && !isName)) continue
    const [from, to] = [token[2], last[3] + 1]
    const written = value.text.slice(from, to)
    const literal = colorOf(plainValue(written))
    const color = literal ?? (name && !SAME_COLOR.test(written) ? resolvedColor(written, scope) : undefined)
    const span = literal && value.span?.(from, to)
    if (color) yield { ...value.at(from), kind: 'color', color, written, role, ...(span && { span }) }
  }
}

/** The index of the bracket that closes one, or the last index if none does; for other tokens, their own. */
function endOf(tokens: readonly CSSToken[], start: number): number {
  for (let [index, depth] = [start, 0]; index < tokens.length; index++) {
    const type = tokens[index]?.[0] ?? Type.EOF
    depth += OPENING.has(type) ? 1 : CLOSING.has(type) ? -1 : 0
    if (depth <= 0) return index
  }
  return tokens.length - 1
}

/** Whether the arguments of a function are read one by one, such as the stops of a gradient. */
function isSeeThrough(name = '', argument = '', scope: Variables): boolean {
  if (name === 'var') return valuesOf(argument, scope).length === 0
  return /gradient$|^(?:light-dark|drop-shadow|from|to|color-stop|image|image-set|cross-fade)$/.test(name)
}

/** Whether a word is a colour here, and not the key of a map, part of an SCSS variable, or one of several words. */
function isNameHere(word: string, previous: CSSToken | undefined, next: CSSToken | undefined, role: string): boolean {
  if (!isColorName(word) || next?.[0] === Type.Colon) return false
  if (previous?.[0] === Type.Delim && previous[1] !== '/') return false
  return role !== 'definition' || [previous, next].every(other => other?.[0] !== Type.Ident || BESIDE.test(other[1]))
}

/** Words beside a colour in the value of a variable, such as `1px solid tan`; in `tan serif`, it is another name. */
const BESIDE = /^(?:solid|dashed|dotted|double|groove|ridge|inset|outset)$/i

/** The colour of a function with variables. If only its alpha is unknown, as utility classes write it, it is opaque. */
function resolvedColor(written: string, scope: Variables): Rgba | undefined {
  return colorOf(expand(written, scope)) ?? colorOf(expand(written.replace(ALPHA_VARIABLE, ')'), scope))
}

const ALPHA_VARIABLE = /\s*[,/]\s*(?:var\([^()]*(?:\([^()]*\)[^()]*)*\)|\$[\w-]+)\s*\)$/
/** A variable of SCSS with another alpha: its colour is judged where it is defined. */
const SAME_COLOR = /^rgba?\(\s*(?:[\w-]+\.)?\$[\w-]+\s*,[^,]*\)$/i

/** A colour of CSS, or `rgba(color, alpha)` of SCSS. */
function colorOf(text = ''): Rgba | undefined {
  const [, base = '', alpha = 1] = /^rgba?\( ?(.+?)(?: ?, ?((?:\d*\.)?\d+))? ?\)$/i.exec(text) ?? []
  const color = readColor(base)
  return color ? { ...color, alpha: Math.min(1, Number(alpha)) } : readColor(text)
}

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
function isColorName(word: string): boolean {
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
