import { failed, ok, type Result } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import { readCssColor, readTokenColor, type ScreenColor } from '../../brand/styles/css-color.ts'
import { parseHex } from '../../brand/styles/screen-color.ts'
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
  return isWritten && readCssColor(value) !== undefined ? 'color' : 'other'
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
    const hex = readColorValue(token.value, nameOf(token.path), notes)
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

/** The hex of a colour token: a CSS string, or space and components. Problems and notes end a sentence. */
function readColorValue(value: Json, subject: string, notes: Notes): Result<string, string> {
  const color =
    typeof value === 'string' ? readCssColor(value) : isObject(value) ? colorOf(value, subject, notes) : undefined
  if (color === undefined) return failed(`is ${quote(textOf(value))}, which is not a colour; left out`)
  if (color.alpha < 1) return failed(`is ${quote(textOf(value))} with alpha ${color.alpha}, ${NOT_OPAQUE}`)
  if (color.isMapped) addNote(notes, `${subject} (${color.hex})`, MAPPED, Number.POSITIVE_INFINITY)
  return ok(color.hex)
}

const NOT_OPAQUE = 'which is not opaque, but guide colours must be opaque; left out'
const MAPPED = 'sRGB cannot show this; mapped to the nearest colour that it can show (CSS Color 4 §13)'

/** The components are the colour, and `hex` a fallback for spaces and colours that sRGB does not have. */
function colorOf(value: JsonObject, subject: string, notes: Notes): ScreenColor | undefined {
  const [space = '', hex] = [textMember(value, 'colorSpace'), textMember(value, 'hex')]
  const [components, alpha] = [value.get('components'), value.get('alpha')]
  const list = Array.isArray(components) ? components : []
  const color = readTokenColor(space, list, alpha, hex)
  if (alpha !== undefined && typeof alpha !== 'number' && alpha !== 'none')
    addNote(notes, subject, 'its alpha is not a number; ignored')
  const [given, exact] = [parseHex(hex ?? ''), parseHex(color?.hex ?? '')]
  if (value.has('hex') && !given.ok) addNote(notes, subject, 'its "hex" is not six hex digits; ignored')
  if (!given.ok || !exact.ok) return color
  if (given.value.some((channel, at) => Math.abs(channel - (exact.value[at] ?? 0)) > 1))
    addNote(notes, `${subject} (${hex})`, 'its "hex" is another colour than its components, which count; ignored')
  else if (readTokenColor(space, list, 1) === undefined)
    addNote(notes, subject, 'has a colour space or components that are unknown; its "hex" counts')
  return color
}

function textOf(value: Json): string {
  if (!isObject(value)) return String(value)
  const components = value.get('components')
  return `${value.get('colorSpace')} ${Array.isArray(components) ? components.join(' ') : components}`
}
