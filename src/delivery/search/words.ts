import { lazy } from '#platform/base/object.ts'

/** A word, folded for searching, and its position in the text. */
export type Word = { term: string; start: number; end: number }

/**
 * Splits text in any script into words, for an index and for queries: in lower case, without optional marks (`Café`
 * becomes `cafe`), at most 40 letters each. Invisible characters such as soft hyphens do not split a word. Scripts
 * without spaces give every pair of adjacent letters, and the last letter, so that a query matches any part of them.
 * After a Persian word with zero-width non-joiners come its parts, because others write spaces there.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  // A run is a word, or letters of scripts without spaces in a row.
  for (const { 0: run, index } of text.matchAll(runs())) {
    const isUnspacedRun = unspaced().test(run)
    if (!isUnspacedRun) words.push(wordAt(run, index))
    for (const part of isUnspacedRun ? pairs(run, index) : parts(run, index)) words.push(part)
  }
  return words
}

/** The spellings of a query with zero-width non-joiners: joined, and with spaces. Otherwise the query itself. */
export function spellingsOf(query: string): string[] {
  return query.includes(NON_JOINER) ? ['', ' '].map(between => query.replaceAll(NON_JOINER, between)) : [query]
}

/** A whole name as one term, by which an index finds names that equal a query. Only names begin with a space. */
export function nameTerm(name: string): string {
  return Array.from(name.matchAll(runs()), ([run]) => ` ${fold(run)}`)
    .join('')
    .slice(0, MAX_NAME)
}

const MAX_NAME = 100

const NONE: Word[] = []
const NON_JOINER = '\u200c'

function wordAt(text: string, start: number): Word {
  return { term: fold(text), start, end: start + text.length }
}

/** The parts of a word in Arabic script between its zero-width non-joiners, if it has any. */
function parts(run: string, start: number): Word[] {
  if (!run.includes(NON_JOINER) || !/^\p{scx=Arab}/u.test(run)) return NONE
  return Array.from(run.matchAll(/[^\u200c]+/g), ({ 0: part, index }) => wordAt(part, start + index))
}

/** Whether a term comes from a script without spaces. */
export function isUnspaced(term: string): boolean {
  return unspaced().test(term)
}

/**
 * Whether two folded words are forms of one in a language with these endings: `sizes` and `size`, `smallest` and
 * `small`, `printed` and `printer`. They share a beginning, and both endings are among those of the language. Tries each
 * beginning that both share as a stem, the longest first.
 */
export function isFormOf(word: string, other: string, endings: ReadonlySet<string>): boolean {
  const shorterLength = Math.min(word.length, other.length)
  let sharedLength = 0
  while (sharedLength < shorterLength && word[sharedLength] === other[sharedLength]) sharedLength++
  const minStem = minStemOf(word)
  const shortestStem = Math.max(minStem, shorterLength - MAX_ENDING)
  for (let stemLength = sharedLength; stemLength >= shortestStem; stemLength--)
    if (endings.has(word.slice(stemLength)) && endings.has(other.slice(stemLength))) return true
  // A doubled consonant, `cropped` and `crop`: the long word is the short one, its last letter again, and an ending.
  const [long, short] = word.length > other.length ? [word, other] : [other, word]
  return (
    sharedLength === short.length &&
    sharedLength >= minStem &&
    long[sharedLength] === short.at(-1) &&
    DOUBLING.has(long.slice(sharedLength + 1))
  )
}

/** The beginning that all forms of a word share. */
export function beginningOf(word: string): string {
  return word.slice(0, Math.max(minStemOf(word), word.length - MAX_ENDING))
}

/** A word with each other beginning of its language, such as articles that Arabic joins to it, and without one. */
export function otherBeginnings(word: string, endings: ReadonlySet<string>): string[] {
  // Among the endings of a language, those with a hyphen at their end are beginnings.
  const beginnings = [...endings].filter(each => each.endsWith('-')).map(each => each.slice(0, -1))
  const wordBeginnings = beginnings.filter(each => word.startsWith(each))
  const rests = [word, ...wordBeginnings.map(each => word.slice(each.length))].filter(
    ({ length }) => length >= MIN_STEM,
  )
  return rests.flatMap(rest => [rest, ...beginnings.map(each => each + rest)])
}

const MIN_STEM = 3

/** The minimum length of a stem, in letters. A Korean syllable is one letter here. */
function minStemOf(word: string): number {
  return word >= '가' && word < '\ud7b0' ? 2 : MIN_STEM
}

/** The maximum length of an ending, in letters. */
export const MAX_ENDING = 5
/** The English endings before which a consonant is doubled. */
const DOUBLING = new Set(['ed', 'er', 'est', 'ing'])

/** Whether a word equals a candidate, or its beginning, except for one wrong, missing, extra or swapped letter. */
export function isTypoOf(word: string, candidate: string, isPrefix: boolean): boolean {
  // The first letter that differs.
  let at = 0
  while (at < word.length && word[at] === candidate[at]) at++
  const isRestSame = (wordFrom: number, candidateFrom: number): boolean => {
    const rest = word.slice(wordFrom)
    return isPrefix ? candidate.startsWith(rest, candidateFrom) : candidate.slice(candidateFrom) === rest
  }
  const isSwapped = word[at] === candidate[at + 1] && word[at + 1] === candidate[at]
  return (
    isRestSame(at + 1, at + 1) || // A wrong letter.
    isRestSame(at + 1, at) || // A letter too many in the word.
    isRestSame(at, at + 1) || // A letter missing in the word.
    (isSwapped && isRestSame(at + 2, at + 2))
  )
}

// Sets of characters for regular expressions with the flag `v`, in which `--` is a difference and `&&` an intersection.
/** Scripts without spaces between words. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Lao', 'Khmer', 'Mymr'].map(name => `\\p{scx=${name}}`).join('')
const LETTER = '[[\\p{L}\\p{N}\\p{M}]--\\p{DI}]'
/** A letter of such a script, and of any other. Digits of all scripts have spaces. */
const UNSPACED = `[${LETTER}&&[[${SCRIPTS}]--\\p{Nd}]]`
const SPACED = `[${LETTER}--[[${SCRIPTS}]--\\p{Nd}]]`
const unspaced = lazy(() => new RegExp(`^${UNSPACED}`, 'v'))
/** Words, with the invisible characters (default ignorable code points) inside them. */
const runs = lazy(() => new RegExp([UNSPACED, SPACED].map(each => `${each}(?:\\p{DI}*${each})*`).join('|'), 'gv'))

/** The maximum length of a word, in letters. */
export const MAX_WORD = 40

/** Each letter with the next one, and the last letter. */
function pairs(run: string, start: number): Word[] {
  const letters = [...run.matchAll(letter())]
  return letters.map(({ 0: text, index }, at) => {
    const next = letters[at + 1]
    const end = next ? next.index + next[0].length : index + text.length
    return wordAt(run.slice(index, end), start + index)
  })
}

/** A letter with the voiced sound marks of kana after it, also of half width. */
const letter = lazy(() => new RegExp(`${LETTER}[\u3099\u309a\uff9e\uff9f]*`, 'gv'))

/** Folds what readers leave out or write in several ways: case, optional marks, letter forms, digits of other scripts. */
function fold(word: string): string {
  if (ASCII.test(word)) return word.slice(0, MAX_WORD).toLowerCase()
  const plain = word
    .slice(0, 4 * MAX_WORD) // Marks count for nothing.
    .normalize('NFKD')
    .replace(optional(), '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(variants(), letter => VARIANTS.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
  return plain.slice(0, MAX_WORD)
}

const ASCII = /^[a-zA-Z0-9]*$/
/** The scripts whose marks are accents, points or vowels that readers may omit. In others, vowel signs are letters. */
const MARKED = ['Zinh', 'Latn', 'Grek', 'Cyrl', 'Arab', 'Hebr', 'Syrc', 'Nkoo', 'Ethi']
  .map(name => `\\p{sc=${name}}`)
  .join('')
/** Optional marks, tatweel and invisible characters; not the voiced sound marks of kana. */
const optional = lazy(() => new RegExp(`[[[\\p{Mn}--[\\u3099\\u309a]]&&[${MARKED}]]\\p{DI}\\u0640]`, 'gv'))

/**
 * Letters that Unicode does not decompose; of Arabic, letters that readers and keyboards exchange, as in Lucene. Each pair is
 * a letter and its replacement.
 */
const VARIANTS = new Map(
  'ßss æae œoe øo đd łl ıi ςσ ٱا ىي یي ےي کك ةه ۃه ہه ەه'.split(' ').map(pair => [pair.charAt(0), pair.slice(1)]),
)
const variants = lazy(() => new RegExp(`[${[...VARIANTS.keys()].join('')}]`, 'g'))

/** The ASCII digit. Unicode has the ten digits of a script in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return `${(code - zero) % 10}`
}
