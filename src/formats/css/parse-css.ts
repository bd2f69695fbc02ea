import { type CSSToken, TokenType as Type, tokenize, tokenizer } from '@csstools/css-tokenizer'

export type CssSyntax = 'css' | 'scss'

/**
 * A part of a sheet; `start` and `end` are offsets of a value, a selector, or the text after an at-rule's name. A
 * declaration begins at `from`. An `end` closes the last block that is open.
 */
export type CssPart =
  | { kind: 'declaration'; name: string; from: number; start: number; end: number }
  | { kind: 'statement' | 'block'; name: string; start: number; end: number }
  | { kind: 'end' }
  | { kind: 'too-deep' }

/**
 * Reads declarations, statements (at-rules without a block) and blocks in order. Names are in lower case, except those
 * of variables; SCSS variables have `$`, and `-` for `_`. The name of a block is that of its at-rule, `font-` for the
 * nested properties of SCSS in `font: {…}`, or empty.
 */
export function* parseCss(text: string, syntax: CssSyntax): Generator<CssPart> {
  // A token is its type, its text as written, the offsets of its first and last character, and what it says.
  const { nextToken } = tokenizer({ css: plainSheet(text, syntax) })
  /** The first tokens of the current part, as many as tell what it is. */
  let head: CSSToken[] = []
  /** The offset after a `#`, whose bracket may begin `#{$name}` of SCSS. */
  let afterHash = -1
  /** How many blocks are open, and how many brackets in the current part. */
  let blocks = 0
  let brackets = 0
  for (let token = nextToken(); token[0] !== Type.EOF; token = nextToken()) {
    const [type, written, start, last] = token
    const isInterpolation = afterHash === start
    if (written === '#') afterHash = last + 1
    if (blocks + brackets > MAX_DEPTH) return yield { kind: 'too-deep' }
    // The value of a variable may be in curly brackets: `--a: { … }`.
    if (type === Type.OpenCurly && !brackets && !isInterpolation && !declarationIn(head).name.startsWith('--')) {
      yield partOf(head, start, 'block')
      head = []
      blocks++
    } else if (!brackets && ENDS.has(type)) {
      if (head.length > 0) yield partOf(head, start, 'statement')
      head = []
      if (type === Type.Semicolon || blocks === 0) continue
      yield { kind: 'end' }
      blocks--
    } else if (!BLANKS.has(type)) {
      brackets = Math.max(0, brackets + depthChange(type))
      if (head.length < MAX_HEAD) head.push(token)
    }
  }
  // Blocks that are still open end with the text.
  if (head.length > 0) yield partOf(head, text.length, 'statement')
  for (; blocks > 0; blocks--) yield { kind: 'end' }
}

/** Returns 1 for a token that opens a bracket, -1 for one that closes it, and 0 for others. */
export function depthChange(type: Type): number {
  return Number(OPENING.has(type)) - Number(CLOSING.has(type))
}

const MAX_DEPTH = 200
/** `$`, a name, a colon and the beginning of the value. */
const MAX_HEAD = 4
const ENDS: ReadonlySet<Type> = new Set([Type.Semicolon, Type.CloseCurly])
export const BLANKS: ReadonlySet<Type> = new Set([Type.Whitespace, Type.Comment, Type.CDO, Type.CDC, Type.EOF])
export const OPENING: ReadonlySet<Type> = new Set([Type.OpenParen, Type.OpenSquare, Type.OpenCurly, Type.Function])
export const CLOSING: ReadonlySet<Type> = new Set([Type.CloseParen, Type.CloseSquare, Type.CloseCurly])

/** The tokens of a value, without blank space and comments. */
export function cssTokens(value: string): CSSToken[] {
  return tokenize({ css: value }).filter(([type]) => !BLANKS.has(type))
}

/** A sheet whose line comments are spaces, so that offsets stay the same: a quote in one would begin a string. */
export function plainSheet(text: string, syntax: CssSyntax): string {
  return syntax === 'scss' ? text.replace(LINE_COMMENTS, blank) : text
}

/** Strings, comments and addresses without quotes, which may contain `//`; then, as a group, a line comment. */
const LINE_COMMENTS =
  /"[^"\\\n]*(?:\\.[^"\\\n]*){0,999}"?|'[^'\\\n]*(?:\\.[^'\\\n]*){0,999}'?|\/\*[\s\S]*?(?:\*\/|$)|url\([^)\n]*|(\/\/.*)/g
const blank = (match: string, comment?: string) => (comment === undefined ? match : ' '.repeat(match.length))

const NO_TOKEN: CSSToken = [Type.EOF, '', 0, 0, undefined]

/** The part that begins with these tokens and ends at an offset. */
function partOf(head: readonly CSSToken[], end: number, kind: 'statement' | 'block'): CssPart {
  const declared = declarationIn(head)
  const from = startOf(head, 0, end)
  if (kind === 'statement' && declared.name !== '')
    return { kind: 'declaration', name: declared.name, from, start: startOf(head, declared.valueAt, end), end }
  // font: {…}
  if (declared.name !== '' && head.length === 2) return { kind, name: `${declared.name}-`, start: end, end }
  const [first = NO_TOKEN] = head
  if (first[0] === Type.AtKeyword) return { kind, name: first[4].value.toLowerCase(), start: first[3] + 1, end }
  return { kind, name: '', start: from, end }
}

function startOf(head: readonly CSSToken[], at: number, end: number): number {
  const [start = end] = head.slice(at).map(([, , start]) => start)
  return start
}

/**
 * The name of the property or variable that a declaration begins with (`color:`, `--gold:` or `$gold:`), and the place of
 * its value among the tokens. The name is empty for any other beginning.
 */
function declarationIn(head: readonly CSSToken[]): { name: string; valueAt: number } {
  const [first = NO_TOKEN] = head
  const isVariable = first[1] === '$'
  const [ident = NO_TOKEN, colon = NO_TOKEN] = head.slice(Number(isVariable))
  if (ident[0] !== Type.Ident || colon[0] !== Type.Colon) return { name: '', valueAt: 0 }
  const { value } = ident[4]
  if (isVariable) return { name: `$${value.replaceAll('_', '-')}`, valueAt: 3 }
  return { name: value.startsWith('--') ? value : value.toLowerCase(), valueAt: 2 }
}
