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
  const isEnd = ([reference]: RegExpExecArray) => '?#'.includes(meaning(reference, syntax))
  const end = text.matchAll(PATH_PARTS[syntax]).find(isEnd)
  const length = end?.index ?? text.length
  return { path: unescapeText(text.slice(0, length), syntax), length }
}

/** `\*`, `&#x2014;`, `&#8212;` and `&mdash;`; in HTML, `&copy` is also one, but not the `&copy=` of an address. */
const ESCAPES = {
  markdown: /\\[!-/:-@[-`{-~\n]|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]*);/g,
  html: /&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|[a-zA-Z][a-zA-Z0-9]*(?:;|(?![a-zA-Z0-9=])))/g,
} as const

/** Escapes, and what ends the path of an address. */
const PATH_PARTS = { markdown: orPathEnd(ESCAPES.markdown), html: orPathEnd(ESCAPES.html) } as const

function orPathEnd({ source }: RegExp): RegExp {
  return new RegExp(`${source}|[?#]`, 'g')
}

/** The text of an escape or a reference; an unknown name stays unchanged. */
function meaning(reference: string, syntax: Syntax): string {
  if (!reference.startsWith('&')) return reference.slice(-1)
  const name = reference.slice(1).replace(';', '')
  // `#x2014` is the number 0x2014, and `#8212` is 08212.
  if (name.startsWith('#')) return character(Number(name.replace('#', '0')), syntax)
  const isReference = reference.endsWith(';') || NAMES_WITHOUT_SEMICOLON.has(name)
  return (isReference && decodeNamedCharacterReference(name)) || reference
}

/** The character of a number; U+FFFD for a number that has none. */
function character(code: number, syntax: Syntax): string {
  const windows = syntax === 'html' ? WINDOWS_1252[code - 0x80] : undefined
  if (windows !== undefined) return windows
  const isCharacter = code > 0 && code <= 0x10ffff
  return isCharacter ? String.fromCodePoint(code).toWellFormed() : '\ufffd'
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
