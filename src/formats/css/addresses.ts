import { isTokenFunction, isTokenString, isTokenURL, TokenType, tokenize } from '@csstools/css-tokenizer'

/** A decoded address in CSS, with the offsets of its string, or of `url()` around one without quotes. */
export type CssAddress = { address: string; start: number; end: number; isUrl: boolean }

/** Finds the addresses in `url()`, `src()` and `image-set()`, but not the `"image/png"` of a `type()` inside them. */
export function* cssAddresses(css: string): Generator<CssAddress> {
  /** For each open bracket, whether the strings directly inside are addresses. */
  const open: boolean[] = []
  for (const token of tokenize({ css })) {
    const [kind, , start, last] = token
    if (isTokenFunction(token)) open.push(HAS_ADDRESSES.test(token[4].value))
    else if (kind === TokenType.OpenParen) open.push(false)
    else if (kind === TokenType.CloseParen) open.pop()
    const isUrl = isTokenURL(token)
    const isAddress = isUrl || (isTokenString(token) && open.at(-1) === true)
    if (isAddress) yield { address: token[4].value, start, end: last + 1, isUrl }
  }
}

const HAS_ADDRESSES = /^(?:url|src|(?:-webkit-)?image-set)$/i
