import { type CSSToken, isTokenIdent, isTokenString, TokenType as Type, tokenize } from '@csstools/css-tokenizer'
import { BLANKS, cssTokens, depthChange } from './parse-css.ts'

/** A value or a selector on one line, without comments. */
export function plainCss(css: string): string {
  const isSimple = !css.includes('/*') && !css.includes('\\')
  return isSimple ? inLine(css).trim() : textOf(tokenize({ css }))
}

/** A value on one line, without comments and marks such as `!important` and `!default`. */
export function plainValue(css: string): string {
  return plainCss(css).replace(MARKS, '')
}

const MARKS = /(?: ?! ?[a-z]{1,20}){1,3}$/i

/** The parts of a value or a selector between its commas, except those in brackets, each as `plainCss` gives it. */
export function cssList(css: string): string[] {
  return partsOf(tokenize({ css }), COMMAS)
}

/** The words of a value between its blanks, except those in brackets: `30%` and `rgb(0 0 0)`. */
export function cssWords(css: string): string[] {
  return partsOf(tokenize({ css }), BLANKS).filter(Boolean)
}

function partsOf(tokens: readonly CSSToken[], separators: ReadonlySet<Type>): string[] {
  const parts: CSSToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const [type] = token
    depth += depthChange(type)
    if (separators.has(type) && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.map(textOf)
}

const COMMAS: ReadonlySet<Type> = new Set([Type.Comma])

/**
 * The name in lower case, and the arguments as `cssList` gives them, of a value that is one function. Brackets without a
 * function have an empty name. Any other value has no arguments.
 */
export function cssCall(css: string): { name: string; args: string[] } {
  const text = plainCss(css)
  const [written = ''] = text.split('(', 1)
  const inner = text.slice(written.length + 1, -1)
  const tokens = tokenize({ css: inner })
  const isCall = text === `${written}(${inner})` && isBalanced(tokens)
  return isCall ? { name: written.toLowerCase(), args: partsOf(tokens, COMMAS) } : NO_CALL
}

const NO_CALL = { name: '', args: [] }

/** Whether each closing bracket has an opening one before it. */
function isBalanced(tokens: readonly CSSToken[]): boolean {
  let depth = 0
  return tokens.every(([type]) => {
    depth += depthChange(type)
    return depth >= 0
  })
}

/** The name and the value of an entry in a map of SCSS: the name without quotes and `$`; no value for other text. */
export function cssEntry(css: string): { name: string; value: string } {
  const tokens = cssTokens(css)
  const colon = tokens.findIndex(([type]) => type === Type.Colon)
  const name = tokens.slice(0, Math.max(0, colon)).map(nameOf).join(' ').replace(/^\$ /, '')
  return {
    name,
    value: css
      .slice(tokens[colon]?.[2] ?? css.length)
      .slice(1)
      .trim(),
  }
}

/** The families in a value of `font-family`, without quotes; variables are unchanged. */
export function cssFamilies(css: string): string[] {
  return cssList(plainValue(css)).map(unquote)
}

/** Whether a value is a list of families: names and strings between commas. */
export function isFamilyList(css: string): boolean {
  const types = cssTokens(css).map(([type]) => type)
  return types.includes(Type.Comma) && types.every(type => FAMILY_TOKENS.has(type))
}

const FAMILY_TOKENS: ReadonlySet<Type> = new Set([Type.Ident, Type.String, Type.Comma])

/** Removes the quotes of the strings in a value. */
export function unquote(css: string): string {
  return tokenize({ css }).map(nameOf).join('')
}

/** A string without quotes, or a token as written. */
function nameOf(token: CSSToken): string {
  return isTokenString(token) || isTokenIdent(token) ? token[4].value : token[1]
}

/** The families in a value of `font`, which follow the size and the height of lines; none if it has no size. */
export function fontFamilies(css: string): string[] {
  const tokens = cssTokens(css)
  const size = tokens.findIndex(([type]) => SIZES.has(type))
  // `16px Inter, sans-serif` or `16px / 1.5 Inter, sans-serif`
  const [, afterSize, , afterHeight] = tokens.slice(size)
  const family = afterSize?.[1] === '/' ? afterHeight : afterSize
  return size < 0 || !family ? [] : cssFamilies(css.slice(family[2]))
}

const SIZES: ReadonlySet<Type> = new Set([Type.Dimension, Type.Percentage])

/** Tokens as text, with one space instead of blank space and comments. */
function textOf(tokens: readonly CSSToken[]): string {
  let text = ''
  let lastType: Type = Type.Whitespace
  for (const [type, written] of tokens) {
    // Two spaces may follow an escape, the first of which is part of it.
    if (!BLANKS.has(type)) text += inLine(written)
    else if (!BLANKS.has(lastType)) text += ' '
    lastType = type
  }
  return text.trim()
}

function inLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
