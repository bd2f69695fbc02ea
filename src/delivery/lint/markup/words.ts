import { unescapeText } from '#formats/markdown/character-reference.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'
import { partOf, type SourceText } from '../source.ts'
import type { WordsUse } from '../use.ts'

/** A part of a text, and its offset in the file. A decoded part is written differently there: `&` as `&amp;`. */
export type Piece = { text: string; start: number; isDecoded?: boolean }

/** Splits a part of a file into pieces. Matches of a pattern, by default character references, are decoded. */
export function splitPieces(
  text: string,
  start: number,
  end: number,
  pattern: RegExp = REFERENCE,
  decode = (written: string, _group?: string) => unescapeText(written, 'html'),
): Piece[] {
  const pieces: Piece[] = []
  let at = start
  for (const { 0: written, 1: group, index } of text.slice(start, end).matchAll(pattern)) {
    if (start + index > at) pieces.push({ text: text.slice(at, start + index), start: at })
    pieces.push({ text: decode(written, group), start: start + index, isDecoded: true })
    at = start + index + written.length
  }
  if (end > at) pieces.push({ text: text.slice(at, end), start: at })
  return pieces
}

export const REFERENCE = /&(?:#[xX]?[0-9a-fA-F]{1,10}|[a-zA-Z][a-zA-Z0-9]{0,40});?/g

/** Joins pieces of a source to one text, whose offsets have the places of the pieces. */
export function joinPieces(source: SourceText, pieces: readonly Piece[]): SourceText {
  // A single piece as written keeps its span, so that a fix may replace it.
  const [only, another] = pieces.filter(({ text }) => text.trim() !== '')
  if (only && !another && !only.isDecoded)
    return { ...partOf(source, only.start, only.start + only.text.length), text: only.text }
  const starts: number[] = []
  let text = ''
  for (const piece of pieces) {
    starts.push(text.length)
    text += piece.text
  }
  const at = (offset: number) => {
    const index = starts.findLastIndex(start => start <= offset)
    const { start = 0, isDecoded = false } = pieces[index] ?? {}
    return source.at(isDecoded ? start : start + offset - (starts[index] ?? 0))
  }
  return { text, at }
}

/** The words of a text, with its language if the file has it; none if it has no letters or digits. */
export function wordsOf({ text, at }: SourceText, lang = ''): WordsUse[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  return [{ kind: 'words', text, at, ...(lang && { lang }) }]
}

export type AttributeReader = (attribute: string) => string

/** Whether people read or hear an attribute of an element of HTML. */
export function isWorded(tag: string, attribute: string, attributeText: AttributeReader): boolean {
  const pattern = WORDED.get(attribute)
  return pattern?.test([tag, ...['type', 'name', 'property', 'itemprop'].map(attributeText)].join('\n')) ?? false
}

/** A pattern for attributes of certain elements, whatever else they say. */
function elements(names: string): RegExp {
  return new RegExp(`^${anyOf(wordsIn(names))}\\n`)
}

const TITLES = anyOf(wordsIn('title, description, headline, alt, site_name'))
const PROGRAM_TITLES = anyOf(wordsIn('application-name, apple-mobile-web-app-title'))
const READ_ARIA = wordSet('aria-label aria-description aria-placeholder aria-roledescription aria-valuetext')

/**
 * Attributes with text. Each pattern is tested against five lines about the element: its tag, `type`, `name`, `property` and
 * `itemprop`. So `value` is text only in `<input type="submit">`, and `content` in `<meta property="og:title">`.
 */
const WORDED: ReadonlyMap<string, RegExp> = new Map([
  ...['alt', 'title', ...READ_ARIA].map(name => [name, /^/] as const),
  ['placeholder', elements('input, textarea')],
  ['label', elements('option, optgroup, track')],
  ['value', /^input\n\s*(?:submit|reset|button)\s*\n/i],
  ['content', new RegExp(`^meta\\n[\\s\\S]*\\n(?:(?:\\w+[:.])*${TITLES}|${PROGRAM_TITLES})(?:\\n|$)`, 'i')],
])

/** The elements of HTML that do not split a text (HTML §3.2.5.2.5). */
export const INLINE_TAGS = wordSet(`
  a abbr acronym b bdi bdo big cite data del dfn em font i ins mark q s small span strong sub sup time u wbr`)
