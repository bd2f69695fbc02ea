import { lazy } from '../base/object.ts'

/** A word, folded for searching, and its position in the text. */
export type Word = { term: string; start: number; end: number }

/**
 * Splits text in any script into words, for an index and for queries: in lower case, without accents (`Café` becomes
 * `cafe`), at most 40 letters each. Scripts without spaces give every pair of adjacent letters, and the last letter, so
 * that a query matches any part of them.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: run, index } of text.matchAll(runs())) {
    if (unspaced().test(run)) for (const pair of pairs(run, index)) words.push(pair)
    else words.push({ term: fold(run), start: index, end: index + run.length })
  }
  return words
}

/** Whether a term comes from a script without spaces. */
export function isUnspaced(term: string): boolean {
  return unspaced().test(term)
}

/** Whether a word equals a candidate, or its beginning, except for one wrong, missing, extra or swapped letter. */
export function isTypoOf(word: string, candidate: string, isPrefix: boolean): boolean {
  let at = 0
  while (at < word.length && word[at] === candidate[at]) at++
  const same = (ofWord: number, ofCandidate: number): boolean => {
    const rest = word.slice(ofWord)
    return isPrefix ? candidate.startsWith(rest, ofCandidate) : candidate.slice(ofCandidate) === rest
  }
  const isSwapped = word[at] === candidate[at + 1] && word[at + 1] === candidate[at]
  return same(at + 1, at + 1) || same(at + 1, at) || same(at, at + 1) || (isSwapped && same(at + 2, at + 2))
}

/** Scripts without spaces between words. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Lao', 'Khmer', 'Mymr'].map(name => `\\p{scx=${name}}`).join('')
const LETTERS = '[\\p{L}\\p{N}\\p{M}]'
const unspaced = lazy(() => new RegExp(`^[${SCRIPTS}]`, 'v'))
const runs = lazy(() => new RegExp(`[${LETTERS}&&[${SCRIPTS}]]+|[${LETTERS}--[${SCRIPTS}]]+`, 'gv'))

/** The maximum length of a word, in letters. */
export const MAX_WORD = 40

function pairs(run: string, start: number): Word[] {
  const letters = [...run]
  let at = start
  return letters.map((letter, index) => {
    const pair = letter + (letters[index + 1] ?? '')
    const word = { term: fold(pair), start: at, end: at + pair.length }
    at += letter.length
    return word
  })
}

/** Removes only the accents of European scripts: other scripts use marks for vowels. */
function fold(word: string): string {
  const short = word.slice(0, MAX_WORD)
  if (ASCII.test(short)) return short.toLowerCase()
  const plain = short
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
  // Some letters become several.
  return plain.replace(/[ßæœøđłı]/g, letter => UNDECOMPOSED[letter] ?? letter).slice(0, MAX_WORD)
}

const ASCII = /^[a-zA-Z0-9]*$/
const UNDECOMPOSED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }
