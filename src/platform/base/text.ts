import { attempt } from './result.ts'

/** `1 page`, `2 pages`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/**
 * Quotes a string for a message: in double quotes, on one line, cut to 60 characters; a path keeps its end.
 * Escapes control and format characters, which could steer a terminal or be invisible.
 */
export function quote(text: string): string {
  // A character has at most two code units, so these slices are long enough.
  const start = [...text.slice(0, 2 * (MAX_QUOTED + 1))]
  if (start.length <= MAX_QUOTED) return quoteWhole(text)
  const end = text.includes('/') ? [...text.slice(-2 * (PATH_END + 1))].slice(-PATH_END) : []
  return quoteWhole(`${start.slice(0, MAX_QUOTED - end.length).join('')}…${end.join('')}`)
}

/** The characters of a quoted string, and how many of them are the end of a path. */
const MAX_QUOTED = 60
const PATH_END = 40

/** Quotes a string that readers copy, such as a path, without cutting it. */
export function quoteWhole(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** The first string that is not blank, on one line and cut to a length, of values from outside, such as names in a font. */
export function firstLine(values: Iterable<unknown>, maxLength: number): string | undefined {
  for (const value of values) {
    if (typeof value !== 'string') continue
    const line = value
      .slice(0, 10 * maxLength)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
    const cut = line
      .slice(0, maxLength)
      .replace(/[\ud800-\udbff]$/, '')
      .toWellFormed()
      .trim()
    if (cut !== '') return cut
  }
  return undefined
}

/** A text on one line, with one space for each run of white space inside of it. */
export function singleSpaced(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}

/** The letters and digits of a text, in lower case: `Acme Sans-Bold` and `acmesansbold` are one name. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** A name with a space before each word that only its capital letter begins: `SemiBold Italic` of `SemiBoldItalic`. */
export function spacedName(name: string): string {
  return name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
}

/** Blanks instead of a text, between its line ends: what follows stays at its place. */
export function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** An address or path without its query and fragment. */
export function withoutQuery(address: string): string {
  return address.split(/[?#]/, 1).join('')
}

/** An address or path without one slash at its end. */
export function withoutLastSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address
}

/** Decodes percent signs as UTF-8; undefined if one has no encoded character after it. */
export function percentDecode(text: string): string | undefined {
  return attempt(() => decodeURIComponent(text))
}

/** The same, or the text as it is. */
export function percentDecoded(text: string): string {
  return percentDecode(text) ?? text
}

/**
 * The form in which e-mail addresses and their domains are compared: only the letters of ASCII are in lower case, because
 * others may become another ASCII address, as U+212A becomes `k`.
 */
export function comparableAddress(address: string): string {
  return address.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

/** Compares two strings by code units, which gives the same order on every machine and in every locale. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The words of a list with white space between them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

/** The values of words, from rows of a value and its words with white space between them. A word has its last row. */
export function wordTable<Value>(rows: readonly (readonly [value: Value, list: string])[]): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([value, list]) => Array.from(wordSet(list), word => [word, value] as const)))
}

/** Quotes a string as one word for POSIX shells, if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Caches the results of a function for recurring strings. Because outside input may differ each time, strings longer
 * than `maxLength` are not cached, and the cache is cleared at `maxEntries`. It has one string for each `keyOf`, by default
 * the string itself.
 */
export function memoize<Value>(
  work: (text: string) => Value,
  { maxEntries = 4096, maxLength = 256, keyOf = (text: string): string | number => text } = {},
): (text: string) => Value {
  const results = new Map<string | number, { own: string; value: Value }>()
  return text => {
    const before = results.get(keyOf(text))
    if (before?.own === text) return before.value
    // Neither the key nor the result may keep the request or file in memory that the text was cut from.
    const own = copyString(text)
    const value = work(own)
    if (text.length > maxLength || value === undefined) return value
    if (results.size >= maxEntries) results.clear()
    results.set(keyOf(own), { own, value })
    return value
  }
}

/** Copies a string, so that it does not keep the larger string in memory that it was cut from. */
export function copyString(text: string): string {
  return ` ${text}`.slice(1)
}

/** Makes a function that gives the 1-based line of an offset. Each offset must be at or after the one before it. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let lineEnd = text.indexOf('\n')
  return offset => {
    for (; lineEnd !== -1 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++
    return line
  }
}

/** Whether text in a language, given as a BCP 47 tag, runs from right to left. */
export function isRightToLeft(lang: string): boolean {
  return RIGHT_TO_LEFT.has(new Intl.Locale(lang).maximize().script ?? '')
}

/** The scripts that run from right to left (UAX 9; ISO 15924 codes). */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  'Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '),
)

/** Whether the first letter of a text is of a script from right to left, as in HTML's `dir=auto`. */
export function beginsRightToLeft(text: string): boolean {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text)
}

/** A replacement in a string; the offsets count UTF-16 code units. */
export type Edit = { start: number; end: number; text: string }

/** Applies edits in any order; where edits overlap, only the first counts. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  /** The end of the part of `text` that is in `result`. */
  let end = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue
    result += text.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return result + text.slice(end)
}

/** The pattern of a word in upper or lower case. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/gi, letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
}

/** A text as the content or an attribute of an element. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The words of a list with commas, in which a line end is a space. */
export function wordsIn(list: string): string[] {
  return list.split(',').map(word => word.trim().replaceAll(/\s+/g, ' '))
}

/** The number of words with at least two letters. */
export function countWords(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0
}

/** The last whole number in a text; NaN without one. */
export function lastNumber(text: string): number {
  return Number(text.match(/\d+/g)?.at(-1))
}

/** The words of a name of a file: `acme_logo-white` has `acme`, `logo` and `white`. */
export function nameWords(name: string): string[] {
  return name.split(/[-_.+\s]+/).filter(word => word !== '')
}

/** A group of words for a pattern, in which their signs stand for themselves. */
export function anyOf(words: readonly string[]): string {
  return `(?:${words.map(RegExp.escape).join('|')})`
}

/** A pattern for paths of files in these formats, in any case: `png, svg`. */
export function inFormats(formats: string): RegExp {
  return new RegExp(String.raw`\.${anyOf(wordsIn(formats))}$`, 'i')
}

/** What a pattern and its groups match in a text, in which a group that is not matched is undefined; empty without a match. */
export function groupsOf(pattern: RegExp, text: string): readonly (string | undefined)[] {
  return pattern.exec(text) ?? []
}

/** Removes a byte order mark, and converts line endings to LF. */
export function normalText(text: string): string {
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text
  return unmarked.includes('\r') ? unmarked.replace(/\r\n?/g, '\n') : unmarked
}

/** The text of a field in a form, in a query or in headers, which is empty if it was not sent. */
export function fieldText(fields: { get: (name: string) => string | null | undefined }, name: string): string {
  return fields.get(name) ?? ''
}

/** Text without what is between two marks. */
export function withoutBetween(text: string, start: string | RegExp, end: string): string {
  const [first = '', ...others] = text.split(start)
  return others.reduce((rest, part) => {
    const at = part.indexOf(end)
    return `${rest} ${at === -1 ? part : part.slice(at + end.length)}`
  }, first)
}
