import { decodeNamedCharacterReference } from 'decode-named-character-reference'

/** The escape syntax: only Markdown has backslash escapes, and only HTML allows omitting a `;`. */
export type Syntax = 'markdown' | 'html'

/** Replaces escapes, hard line breaks and character references (CommonMark 0.31 §2.4, §2.5, HTML §13.2.5.72). */
export function unescapeText(text: string, syntax: Syntax): string {
  if (!text.includes('&') && !text.includes('\\')) return text
  return text.replace(ESCAPES[syntax], reference => meaning(reference, syntax))
}

/** The unescaped path of an address, and its length as written. An escaped `?` or `#` also ends it, as in the URL. */
export function unescapePath(text: string, syntax: Syntax): { path: string; length: number } {
  if (!MAY_END.test(text)) return { path: text, length: text.length }
  let length = text.length
  for (const { 0: reference, index } of text.matchAll(PATH_ENDS[syntax])) {
    if (!/[?#]/.test(meaning(reference, syntax))) continue
    length = index
    break
  }
  return { path: unescapeText(text.slice(0, length), syntax), length }
}

const MAY_END = /[\\&?#]/

const ESCAPES = {
  markdown: /\\[!-/:-@[-`{-~\n]|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]*);/g,
  html: /&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|[a-zA-Z][a-zA-Z0-9]*(?:;|(?![a-zA-Z0-9=])))/g,
} as const

const PATH_ENDS = {
  markdown: new RegExp(`${ESCAPES.markdown.source}|[?#]`, 'g'),
  html: new RegExp(`${ESCAPES.html.source}|[?#]`, 'g'),
} as const

function meaning(reference: string, syntax: Syntax): string {
  if (!reference.startsWith('&')) return reference.slice(-1)
  const name = reference.replace(/^&|;$/g, '')
  if (name.startsWith('#')) return character(Number(name.replace('#', '').replace(/^x/i, '0x')), syntax)
  if (!reference.endsWith(';') && !NAMES_WITHOUT_SEMICOLON.has(name)) return reference
  return decodeNamedCharacterReference(name) || reference
}

function character(code: number, syntax: Syntax): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  const windows = syntax === 'html' ? WINDOWS_1252[code - 0x80] : undefined
  return windows ?? String.fromCodePoint(code)
}

/** The characters that `&#128;` to `&#159;` represent in HTML (HTML §13.2.5.80). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** The character references that need no semicolon in HTML (HTML §13.5). */
const NAMES_WITHOUT_SEMICOLON = new Set(
  (
    'AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT Iacute Icirc Igrave ' +
    'Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml Yacute aacute ' +
    'acirc acute aelig agrave amp aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute ecirc ' +
    'egrave eth euml frac12 frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp ' +
    'not ntilde oacute ocirc ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 ' +
    'sup3 szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml'
  ).split(' '),
)
