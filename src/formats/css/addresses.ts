import { isTokenString, isTokenURL, tokenize } from '@csstools/css-tokenizer'
import { wordSet } from '#platform/base/text.ts'
import { CLOSING, OPENING } from './parse-css.ts'

/** A decoded address in CSS, with the offsets of its string, or of `url()` around one without quotes. */
export type CssAddress = { address: string; start: number; end: number; isUrl: boolean }

/** Finds the addresses in `url()`, `src()` and `image-set()`, but not the `"image/png"` of a `type()` inside them. */
export function* cssAddresses(css: string): Generator<CssAddress> {
  /** For each open bracket, whether the strings directly inside are addresses. */
  const open: boolean[] = []
  for (const token of tokenize({ css })) {
    const [kind, written, start, last] = token
    if (OPENING.has(kind)) open.push(HAS_ADDRESSES.has(written.toLowerCase()))
    if (CLOSING.has(kind)) open.pop()
    const isUrl = isTokenURL(token)
    const isAddress = isUrl || (isTokenString(token) && open.at(-1) === true)
    if (isAddress) yield { address: token[4].value, start, end: last + 1, isUrl }
  }
}

/** Functions, as written. */
const HAS_ADDRESSES = wordSet('url( src( image-set( -webkit-image-set(')
