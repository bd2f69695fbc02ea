import {
  isTokenFunction,
  isTokenString,
  isTokenURL,
  type TokenFunction,
  TokenType,
  tokenize,
} from '@csstools/css-tokenizer'
import { applyEdits, type Edit, type RewriteReference } from './references.ts'

/** Rewrites the references of a style sheet; dead ones stay unchanged. */
export async function rewriteCss(css: string, rewrite: RewriteReference): Promise<string> {
  const edits: Edit[] = []
  let open: TokenFunction | undefined
  for (const token of tokenize({ css })) {
    const [kind, , start, end] = token
    if (isTokenFunction(token)) open = /^(?:url|src|image-set)$/i.test(token[4].value) ? token : undefined
    else if (kind === TokenType.CloseParen) open = undefined
    if (!isTokenURL(token) && !(open && isTokenString(token))) continue
    const text = (await rewrite(token[4].value)) ?? token[4].value
    const quoted = `"${text.replace(/["\\\n]/g, mark => (mark === '\n' ? '\\a ' : `\\${mark}`))}"`
    edits.push({ start, end: end + 1, text: isTokenURL(token) ? `url(${quoted})` : quoted })
  }
  return applyEdits(css, edits)
}
