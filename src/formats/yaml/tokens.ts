import { CST, Lexer, Parser } from 'yaml'
import { failed, ok, type Result } from '#platform/base/result.ts'

const MAX_DEPTH = 32
/** More than a normal styles file of 4 MiB. A file with only punctuation would need gigabytes of memory. */
const MAX_LEXEMES = 2_000_000

/** The tokens of a document, or its first problem: deep nesting would overflow the stack of the parser. */
export function readTokens(text: string): Result<YamlTokens, TokenProblem> {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const unquoted: number[] = []
  let isContent = false
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser
    lexemes += 1
    if (lexemes > MAX_LEXEMES) return failed({ offset, kind: 'too-large', message: TOO_MANY })
    // The lexer gives `CST.SCALAR` before the content of a plain or block scalar, which may look like a tag or an alias.
    const type = isContent ? null : CST.tokenType(lexeme)
    isContent = lexeme === CST.SCALAR
    if (type === 'anchor' || type === 'alias' || type === 'tag')
      return failed({ offset, kind: 'alias', message: forbidden(type) })
    if (type === 'comment' && isInBrackets(parser.stack) && looksLikeValue(lexeme)) unquoted.push(offset)
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > MAX_DEPTH && parser.stack.filter(CST.isCollection).length > MAX_DEPTH)
      return failed({ offset, kind: 'depth', message: TOO_DEEP })
  }
  tokens.push(...parser.end())
  return ok({ tokens, unquoted })
}

const TOO_DEEP = `the YAML is nested more than ${MAX_DEPTH} levels deep; flatten it`
const TOO_MANY = `the YAML has more than ${MAX_LEXEMES.toLocaleString('en')} tokens; split it or shorten it`

type YamlTokens = {
  tokens: CST.Token[]
  /** The offsets of comments in brackets that look like values: `[#fff, #000]`, `{ name: Signal #1, hex: … }`. */
  unquoted: number[]
}
type TokenProblem = { offset: number; kind: 'too-large' | 'alias' | 'depth'; message: string }

function forbidden(type: 'anchor' | 'alias' | 'tag'): string {
  const what = { anchor: 'an anchor (&)', alias: 'an alias (*)', tag: 'a tag (!)' }[type]
  return `${what} is not allowed; write the value out, or put it in quotes if it is meant literally`
}

function isInBrackets(stack: readonly CST.Token[]): boolean {
  return stack.some(token => token.type === 'flow-collection' && token.end.length === 0)
}

/** A colour, such as in `[#fff`, or something before a comma or closing bracket, such as in `Signal #1, hex:`. */
function looksLikeValue(comment: string): boolean {
  return /^#(?:[0-9a-f]{3,8}(?![0-9a-z])|[\p{L}\p{N}].*[,\]}])/iu.test(comment)
}
