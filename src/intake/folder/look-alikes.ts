/**
 * Adds to a message how two names in it differ if they look the same, such as `ö` composed (U+00F6) and decomposed
 * (`o` and U+0308).
 */
export function withDifference(message: string): string {
  if (!NOT_ASCII.test(message)) return message
  const byLook = new Map<string, string>()
  for (const [whole, quoted] of message.matchAll(NAMES)) {
    const name = (quoted ?? whole).replace(/[:.?]$/, '')
    const look = lookOf(name)
    const other = byLook.get(look)
    if (other !== undefined && other !== name) return `${message} (${differenceOf(other, name)})`
    byLook.set(look, name)
  }
  return message
}

const NOT_ASCII = /[^\p{ASCII}]/u

/** The names in a message: text in double quotes, where `\"` is part of it, or a word, which may end with `:`, `.` or `?`. */
const NAMES = /(?<!\\)"((?:[^"\\]|\\.)*)"|[^\s",;]+/g

/** Names with the same result look the same: spaces and letters of other alphabets are as in Latin. */
function lookOf(name: string): string {
  const latin = name
    .normalize('NFKC')
    .replace(/[\u0391-\u03bf\u0405-\u0458]/g, letter => LATIN[SAME.indexOf(letter)] ?? letter)
  return latin.replace(/\s/g, ' ').trim()
}

/** Greek and Cyrillic letters, and at the same index the Latin ones that they look like (Unicode UTS 39). */
const SAME = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕКМНОРСТХаеорсухіјѕЅІЈ'
const LATIN = 'ABEZHIKMNOPTYXoABEKMHOPCTXaeopcyxijsSIJ'

/** Names the code points that remain of each name without their common beginning and end. */
function differenceOf(one: string, other: string): string {
  const a = [...one]
  const b = [...other]
  const differing = a.findIndex((character, at) => character !== b[at])
  const prefixLength = differing === -1 ? a.length : differing
  const maxSuffix = Math.min(a.length, b.length) - prefixLength
  let suffixLength = 0
  while (suffixLength < maxSuffix && a.at(-1 - suffixLength) === b.at(-1 - suffixLength)) suffixLength++
  const codes = (characters: readonly string[]) =>
    characters
      .slice(prefixLength, characters.length - suffixLength)
      .slice(0, MAX_CODES)
      .map(character => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
      .join(' ')
  return `they look the same, but the first has ${codes(a) || 'nothing'} where the other has ${codes(b) || 'nothing'}`
}

/** Enough to find the place. */
const MAX_CODES = 4
