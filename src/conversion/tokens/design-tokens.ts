import { type Color, converter, parse } from 'culori'
import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { hexText } from '../../brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '../found-styles.ts'
import { isObject, type Json, type JsonObject, textMember } from '../json.ts'
import { nameColors } from './token-names.ts'
import { type ResolvedToken, tokenReferences } from './token-references.ts'
import { authoredValues, nameOf, readTokenTree, stylesWithoutToken, type Token } from './token-tree.ts'
import { partOf, typeStyles } from './type-tokens.ts'

/** Reads Design Tokens 2025.10 and older, Tokens Studio and Style Dictionary. The problem ends a sentence. */
export function readDesignTokens(root: JsonObject, notes: Notes): Result<FoundStyles, string> {
  const tree = readTokenTree(root, notes)
  if (!tree.ok) return tree
  const tokenless = stylesWithoutToken(root)
  if (tree.value.length + tokenless.length === 0)
    return failed('has no design token: none of its objects has a "$value" or a "value"')
  const references = tokenReferences(root, tree.value)
  const resolved: ResolvedToken[] = []
  const origins = new Map<ResolvedToken, Token>()
  for (const token of tree.value) {
    const resolution = references.resolve(token)
    const each = resolution.ok ? { ...token, ...resolution.value } : undefined
    if (!resolution.ok) addNote(notes, nameOf(token.path), resolution.problem)
    else if (each && !isModified(token, notes)) resolved.push(each)
    if (each) origins.set(each, token)
  }
  const isUsed = (token: ResolvedToken) => references.used.has(origins.get(token) ?? token)
  const kinds = Map.groupBy(resolved, kindOf)
  const parts = kinds.get('part')?.filter(token => !isUsed(token)) ?? []
  const { types, left } = typeStyles(kinds.get('typography') ?? [], parts, notes)
  const others = kinds.get('other')?.filter(token => !isUsed(token)) ?? []
  for (const { path, type } of [...left, ...others]) addNote(notes, nameOf(path), otherType(type))
  return ok({ colors: colorStyles(kinds.get('color') ?? [], notes), types: [...types, ...tokenless], notes })
}

/** Whether Tokens Studio computes the value from another one; adds a note if so. */
function isModified({ path, extensions }: Token, notes: Notes): boolean {
  const studio = extensions?.get('studio.tokens')
  const isComputed = isObject(studio) && studio.has('modify')
  if (isComputed)
    addNote(notes, nameOf(path), 'is computed from another colour ("modify"); write the value itself; left out')
  return isComputed
}

function kindOf(token: ResolvedToken): 'color' | 'typography' | 'part' | 'other' {
  const { type, value } = token
  if (type === 'color' || type === 'typography') return type
  if (partOf(token) !== undefined) return 'part'
  if (type !== undefined) return 'other'
  if (isObject(value)) return value.has('colorSpace') ? 'color' : value.has('fontSize') ? 'typography' : 'other'
  const isWritten =
    typeof value === 'string' && (/^\s*(?:#|\w+\()/.test(value) || token.path.some(name => /colou?r/i.test(name)))
  return isWritten && hexOfCss(value).ok ? 'color' : 'other'
}

function otherType(type: string | undefined): string {
  return type === undefined
    ? 'has no type, and its value is neither a colour nor a type style; left out'
    : `a single token of the type ${quote(type)} is not a style; left out`
}

/** Makes colours from colour tokens. Notes and omits a token without an sRGB colour. */
function colorStyles(tokens: readonly ResolvedToken[], notes: Notes): FoundStyle[] {
  const names = nameColors(tokens)
  return tokens.flatMap((token, at) => {
    const hex = readColorValue(token.value)
    if (!hex.ok) {
      addNote(notes, nameOf(token.path), hex.problem)
      return []
    }
    const authored = authoredValues(token)
    const { name = nameOf(token.path), group } = names[at] ?? {}
    const fields = new Map<string, Json>([['hex', hex.value]])
    if (!authored && group !== undefined) fields.set('group', group)
    if (!authored && token.description !== undefined) fields.set('use', token.description)
    for (const [key, value] of authored?.fields ?? []) if (key !== 'hex' && key !== 'rgb') fields.set(key, value)
    return [{ name, ...authored, fields }]
  })
}

/** The hex of a colour token: a CSS string, or space and components. The problem is the end of a sentence. */
function readColorValue(value: Json): Result<string, string> {
  if (typeof value === 'string') return hexOfCss(value)
  if (!isObject(value)) return failed('has no value that is a colour; left out')
  const space = textMember(value, 'colorSpace')
  const components = value.get('components')
  if (space === undefined || !Array.isArray(components))
    return failed('has neither "colorSpace" with "components" nor a CSS colour string; left out')
  const alpha = value.get('alpha') ?? 1
  const numbers = components.filter(component => typeof component === 'number' || component === 'none')
  if (numbers.length < components.length || (typeof alpha !== 'number' && alpha !== 'none'))
    return failed(`has a ${quote(space)} component that is not a number; left out`)
  const hex = textMember(value, 'hex')
  return hexOfComponents(space, numbers, alpha, hex !== undefined && HEX.test(hex) ? hex : undefined)
}

const HEX = /^#[0-9a-f]{6}$/i

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
    return failed(`is ${quote(authored)} with alpha ${Number(color.alpha.toFixed(3))}, ${NOT_OPAQUE}`)
  const { r, g, b } = toRgb(color)
  // The rounding error of conversions, less than a thousandth of a step of 255.
  const isInSrgb = [r, g, b].every(channel => channel >= -ROUNDING && channel <= 1 + ROUNDING)
  if (!isInSrgb) return failed(`is ${authored}, which sRGB cannot show; give it a "hex"; left out`)
  const [red = 0, green = 0, blue = 0] = [r, g, b].map(part => Math.min(255, Math.max(0, Math.round(part * 255))))
  return ok(hexText([red, green, blue]))
}

const ROUNDING = 1e-5
const NOT_OPAQUE = 'which is not opaque, but guide colours must be opaque; left out'
