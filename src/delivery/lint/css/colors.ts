import { type CSSToken, TokenType as Type, tokenize } from '@csstools/css-tokenizer'
import { formatHex, interpolate } from 'culori'
import { isColorName, readCssColor } from '#formats/css/css-color.ts'
import { BLANKS, CLOSING, OPENING } from '#formats/css/parse-css.ts'
import { groupsOf } from '#platform/base/text.ts'
import type { SourceText } from '../source.ts'
import type { ColorUse, Rgba, Use } from '../use.ts'
import { isFamilyVariable } from './type.ts'
import { expandAll, isVariable, plainValue, type Variables, valuesOf } from './variables.ts'

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

/** Yields the colours in a value. A variable alone is judged where it is defined; functions of SCSS are not known. */
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
    const resolved = literal || !name || SAME_COLOR.test(written) ? [] : resolvedColors(written, scope)
    const span = literal && value.span?.(from, to)
    if (literal) yield { ...value.at(from), kind: 'color', color: literal, written, role, ...(span && { span }) }
    for (const color of resolved) {
      const quoted = resolved.length > 1 ? `${written} (${color.hex})` : written
      yield { ...value.at(from), kind: 'color', color, written: quoted, role }
    }
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

/** The colours of a function with variables. If only its alpha is unknown, as utility classes write it, it is opaque. */
function resolvedColors(written: string, scope: Variables): Rgba[] {
  const colorsOf = (text: string) => expandAll(text, scope).flatMap(each => colorOf(each) ?? [])
  const colors = colorsOf(written)
  const known = colors.length > 0 ? colors : colorsOf(written.replace(ALPHA_VARIABLE, ')'))
  return [...new Map(known.toReversed().map(color => [color.hex, color])).values()].reverse()
}

const ALPHA_VARIABLE = /(?<!\s)\s*[,/]\s*(?:var\([^()]*(?:\([^()]*\)[^()]*)*\)|\$[\w-]+)\s*\)$/
/** A variable of SCSS with another alpha: its colour is judged where it is defined. */
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
