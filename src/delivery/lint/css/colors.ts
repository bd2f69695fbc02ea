import { type CSSToken, TokenType as Type } from '@csstools/css-tokenizer'
import { formatHex, interpolate } from 'culori'
import { isColorName, readCssColor } from '#formats/css/css-color.ts'
import { cssTokens, depthChange } from '#formats/css/parse-css.ts'
import { expandAll, isVariable, shortValue, type Variables, valuesOf } from '#formats/css/variables.ts'
import { anyOf, groupsOf, wordSet, wordsIn, wordTable } from '#platform/base/text.ts'
import type { SourceText } from '../source.ts'
import type { ColorUse, Rgba, Use } from '../use.ts'
import { isFamilyVariable } from './type.ts'

type Role = ColorUse['role']

/** The role of the colours of a property; undefined if it takes none. */
export function roleOf(property: string, isText: boolean): Role | undefined {
  if (isVariable(property)) return isFamilyVariable(property) ? undefined : 'definition'
  const name = property.replace(VENDOR, '')
  if (name === 'fill' && isText) return 'text'
  // All borders have a colour, such as `border-left` and `border-block-color`.
  return ROLES.has(name) || !name.startsWith('border') ? ROLES.get(name) : 'border'
}

const VENDOR = new RegExp(`^-${anyOf(wordsIn('webkit, moz, ms, o'))}-`)

const ROLES = wordTable<Role | undefined>([
  [
    'text',
    'color caret caret-color text-decoration text-decoration-color text-emphasis text-emphasis-color text-fill text-fill-color',
  ],
  [
    'ground',
    `background background-color background-image accent-color scrollbar-color stop-color lighting-color
    tap-highlight-color fill`,
  ],
  ['border', 'outline outline-color column-rule column-rule-color text-stroke text-stroke-color stroke'],
  ['shadow', 'box-shadow text-shadow filter backdrop-filter flood-color'],
  ['definition', 'initial-value'],
  [undefined, 'border-radius border-spacing border-collapse'],
])

/**
 * Yields the colours in a value: words such as `tan`, `#` values, and functions such as `rgb()`, also with variables in them.
 * A variable alone, such as `var(--ink)`, is judged where it is defined; functions of SCSS give no colour.
 */
export function* readColors(value: SourceText, role: Role, scope: Variables): Generator<Use> {
  const tokens = cssTokens(value.text)
  // The index of the first token behind the arguments of the last colour.
  let readUpTo = 0
  for (const [index, token] of tokens.entries()) {
    const [previous = NO_TOKEN, next = NO_TOKEN] = [tokens[index - 1], tokens[index + 1]]
    if (index < readUpTo || isSeeThrough(token, next, scope)) continue
    const withArguments = tokens.slice(index, pastEnd(tokens, index))
    readUpTo = index + withArguments.length
    if (!isColorHere(token, [previous, next], role)) continue
    // A token has the offsets of its first and its last character.
    const from = token[2]
    const to = (withArguments.at(-1) ?? token)[3] + 1
    const written = value.text.slice(from, to)
    const literal = colorOf(shortValue(written))
    // A function with variables has one colour for each of their values. Only a literal can be replaced (`span`).
    const colors = literal ? [literal] : resolvedColors(written, scope)
    const span = literal && value.span?.(from, to)
    for (const color of colors) {
      const quoted = colors.length > 1 ? `${written} (${color.hex})` : written
      yield { ...value.at(from), kind: 'color', color, written: quoted, role, ...(span && { span }) }
    }
  }
}

const NO_TOKEN: CSSToken = [Type.EOF, '', -1, -1, undefined]

/** The index after the bracket that closes one, or after the last token if none does; for other tokens, the next. */
function pastEnd(tokens: readonly CSSToken[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index++) {
    const [type] = tokens[index] ?? NO_TOKEN
    depth += depthChange(type)
    if (depth <= 0) return index + 1
  }
  return tokens.length
}

/**
 * Whether the arguments of a function are read one by one, such as the stops of a gradient. Of `var()`, that is so if the
 * variable is defined nowhere: then, its fallback counts.
 */
function isSeeThrough(token: CSSToken, [, argument]: CSSToken, scope: Variables): boolean {
  const name = functionName(token)
  if (name === 'var') return valuesOf(argument, scope).length === 0
  return token[0] === Type.OpenParen || name.endsWith('gradient') || SEE_THROUGH.has(name)
}

const SEE_THROUGH = wordSet('light-dark drop-shadow from to color-stop image image-set cross-fade')

function functionName(token: CSSToken): string {
  return token[0] === Type.Function ? token[4].value.toLowerCase() : ''
}

/** Whether a token is or begins a colour here. */
function isColorHere(token: CSSToken, beside: readonly [CSSToken, CSSToken], role: string): boolean {
  const isName = token[0] === Type.Ident && isNameHere(token[1], beside, role)
  const isFunction = token[0] === Type.Function && functionName(token) !== 'var'
  return token[0] === Type.Hash || isFunction || isName
}

/** Whether a word is a colour here, and not the key of a map, part of an SCSS variable, or one of several words. */
function isNameHere(word: string, [previous, next]: readonly [CSSToken, CSSToken], role: string): boolean {
  const isOther = next[0] === Type.Colon || (previous[0] === Type.Delim && previous[1] !== '/')
  if (isOther || !isColorName(word)) return false
  return (
    role !== 'definition' ||
    [previous, next].every(([type, text]) => type !== Type.Ident || BESIDE.has(text.toLowerCase()))
  )
}

/** Words beside a colour in the value of a variable, such as `1px solid tan`; in `tan serif`, it is another name. */
const BESIDE = wordSet('solid dashed dotted double groove ridge inset outset')

/** The colours of a function with variables. If only its alpha is unknown, as utility classes write it, it is opaque. */
function resolvedColors(written: string, scope: Variables): Rgba[] {
  if (SAME_COLOR.test(written)) return []
  const colorsOf = (text: string) => expandAll(text, scope).flatMap(each => colorOf(each) ?? [])
  const colors = colorsOf(written)
  const knownColors = colors.length > 0 ? colors : colorsOf(written.replace(ALPHA_VARIABLE, ')'))
  // Each colour once, with the alpha of its first definition.
  return [...new Map(knownColors.toReversed().map(color => [color.hex, color])).values()].reverse()
}

/** The alpha at the end of `rgb(29 112 184 / var(--tw-bg-opacity))` or `rgba(29, 112, 184, $alpha)`. */
const ALPHA_VARIABLE = /(?<!\s)\s*[,/]\s*(?:var\([^()]*(?:\([^()]*\)[^()]*)*\)|\$[\w-]+)\s*\)$/
/** A variable of SCSS with another alpha, `rgba($brand, 0.5)`: its colour is judged where it is defined. */
const SAME_COLOR = /^rgba?\(\s*(?:[\w-]+\.)?\$[\w-]+\s*,[^,]*\)$/i

/** A colour of CSS, or `rgba(color, alpha)` of SCSS. */
function colorOf(text = ''): Rgba | undefined {
  const [, base = '', alpha = 1] = groupsOf(/^rgba?\( ?(.+?)(?: ?, ?((?:\d*\.)?\d+))? ?\)$/i, text)
  const color = readColor(base)
  return color ? { ...color, alpha: Math.min(1, Number(alpha)) } : readColor(text)
}

/** Resolves a CSS colour. */
export function readColor(text: string): Rgba | undefined {
  const color = readCssColor(text)
  return color && { hex: color.hex, alpha: color.alpha }
}

/** The colour that is visible where one lies on an opaque ground. */
export function colorOn(ground: string, { hex, alpha }: Rgba): string {
  return alpha === 1 ? hex : formatHex(interpolate([ground, hex])(alpha))
}
