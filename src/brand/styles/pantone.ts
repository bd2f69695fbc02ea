import { withoutUndefined } from '#platform/base/object.ts'
import { anyOf, wordsIn, wordTable } from '#platform/base/text.ts'

/** A Pantone reference in its usual spelling: an ink, a mix of the four process inks, or a colour that is no printing ink. */
export type Pantone = { name: string; kind: 'spot' | 'process' | 'no ink' }

/**
 * The references in a text as people write them: `186 C` for `PMS-186c`, and `7501 C` and `7501 U` for `7501C / U`. At least
 * one: a text in an unknown form is an ink that is named so.
 */
export function pantonesIn(text: string): Pantone[] {
  const written = text.trim().replace(SYSTEM, '')
  const parts = written.replace(/\s+/g, ' ').split(SEPARATOR).map(spelled)
  const [first = ''] = parts
  // `7501 C / U`: a book alone is that of another ink with the same number.
  const names = parts.map(part => (BOOK.test(part) ? `${first.replace(LAST_BOOK, '')} ${part}` : part))
  const areUsual = names.every(name => FORM.test(name))
  return (areUsual ? [...new Set(names)] : [written || text]).map(name => ({ name, kind: kindOf(name) }))
}

/** The usual spelling of a text with one or more references. */
export function pantoneName(text: string): string {
  return pantonesIn(text)
    .map(({ name }) => name)
    .join(' / ')
}

/** The keys of the Pantone references of a colour. */
export const PANTONE_KEYS = ['pms', 'pms2'] as const

type References = { pms?: string; pms2?: string }

/** The references of a colour one by one in their usual spelling, and the names for which there is no other key. */
export function usualPantones({ pms, pms2 }: References): { usual: References; rest: readonly string[] } {
  const [names, names2] = [pms, pms2].map(text => (text ? pantonesIn(text).map(({ name }) => name) : []))
  const [first, ...others] = names ?? []
  const [second, ...rest] = new Set([...(names2 ?? []), ...others])
  return { usual: withoutUndefined({ pms: first, pms2: second }), rest }
}

/** `PANTONE®`, `PMS-`, `Pantone PMS:` */
const SYSTEM = /^(?:(?:PANTONE|PMS)(?!\p{L})(?:\(R\)|[®™+:#._\s–-])*)+/iu
/** Between two references, with single spaces: `7501 C / 7501 U`, `186 C and 186 U`, `186 C 186 U`. */
const SEPARATOR = new RegExp(
  String.raw` ?[/|;,&+\n] ?| ${anyOf(wordsIn('and, or, und, oder, et, ou, y, e, en'))} |(?<=\d ?[CU]) (?=\d)`,
  'i',
)

/** A reference in the usual spelling if it has a known form; otherwise it does not match `FORM`. */
function spelled(part: string): string {
  const plain = part.replace(SYSTEM, '').normalize('NFKC')
  const words = plain.match(TOKEN)?.map(token => TOKENS.get(token.toLowerCase()) ?? token.replace(/[^\d]+/, '-')) ?? []
  const isWhole = /^[\s()._–-]*$/.test(plain.replace(TOKEN, ''))
  // `186 C (coated)` names its book twice.
  return isWhole ? [...new Set(words)].join(' ') : ''
}

/** The books of inks on paper, also as programs wrote them for screens ("computer video"). */
const BOOKS = [
  ['C', 'c cv cvc'],
  ['U', 'u cvu'],
  ['M', 'm cvm'],
] as const
/** The books of references that are no inks: textiles, plastics, bridges to process printing, and the extended gamut. */
const NO_INKS = 'TCX TPX TPG TPM TSX TC TP TN CP EC UP PC XGC'.split(' ')
/** The letters of all books. */
export const BOOK_LETTERS = [...BOOKS.flatMap(([, letters]) => letters.split(' ')), ...NO_INKS]
/** The words in names of inks. */
export const INK_WORDS =
  'Warm Cool Bright Medium Dark Light Neutral Strong Reflex Rubine Rhodamine Process Transparent Red Blue Yellow Orange Green Purple Violet Pink Black White Magenta Cyan Silver'.split(
    ' ',
  )
const TOKENS: ReadonlyMap<string, string> = new Map([
  ...wordTable([...BOOKS, ['C', 'coated'], ['U', 'uncoated'], ['M', 'matte'], ['Gray', 'gray grey']]),
  ...[...INK_WORDS, ...NO_INKS, 'P', 'DS', 'DE'].map(word => [word.toLowerCase(), word] as const),
])

/** A number, or a word of which none is the start of another one; numbers may have two parts: `142-8`, `19-4052`. */
const TOKEN = new RegExp(
  String.raw`\d+(?: ?[-–] ?\d+)?|${anyOf([...TOKENS.keys()].sort((a, b) => b.length - a.length))}`,
  'gi',
)
/** `P 142-8 C`, `19-4052 TCX`, or words and a number: `186 C`, `Black 6 C`, `Warm Red`. */
const FORM = new RegExp(
  String.raw`^(?:(?:P|DS|DE) \d+-\d+|\d\d-\d{4}|(?:[A-Z][a-z]+ )*(?:[A-Z][a-z]+|\d{1,5}))(?: ${anyOf(['C', 'U', 'M', ...NO_INKS])})?$`,
)
const BOOK = /^[CUM]$/
const LAST_BOOK = / [CUM]$/

/** What a text with a reference names; it may have the name of the system. */
export function pantoneKind(text: string): Pantone['kind'] {
  return kindOf(pantoneName(text))
}

function kindOf(name: string): Pantone['kind'] {
  if (NO_INK.test(name)) return 'no ink'
  return /^(?:P|DS|DE) \d+-/.test(name) ? 'process' : 'spot'
}

/** The number of a textile, or the book of another reference that is no ink behind its number. */
const NO_INK = new RegExp(String.raw`(?<!\d)\d\d-\d{4}(?!\d)|(?<=\d ?)${anyOf(NO_INKS)}(?!\p{L})`, 'u')
