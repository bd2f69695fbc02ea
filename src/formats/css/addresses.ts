import { isTokenFunction, isTokenString, isTokenURL, TokenType, tokenize } from '@csstools/css-tokenizer'

/** A decoded address in CSS, with the offsets of its string, or of `url()` around one without quotes. */
export type CssAddress = { address: string; start: number; end: number; isUrl: boolean }

/** Finds the addresses in `url()`, `src()` and `image-set()`. */
export function* cssAddresses(css: string): Generator<CssAddress> {
  let isInside = false
  for (const token of tokenize({ css })) {
    const [kind, , start, last] = token
    if (isTokenFunction(token)) isInside = /^(?:url|src|image-set)$/i.test(token[4].value)
    else if (kind === TokenType.CloseParen) isInside = false
    const isUrl = isTokenURL(token)
    if (isUrl || (isInside && isTokenString(token))) yield { address: token[4].value, start, end: last + 1, isUrl }
  }
}
