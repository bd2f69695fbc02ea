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
  const latin = Array.from(name.normalize('NFKC'), letter => LATIN[SAME.indexOf(letter)] ?? letter)
  return latin.join('').replace(/\s/g, ' ').trim()
}

/** Greek and Cyrillic letters, and at the same index the Latin ones that they look like (Unicode UTS 39). */
const SAME = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕКМНОРСТХаеорсухіјѕЅІЈ'
const LATIN = 'ABEZHIKMNOPTYXoABEKMHOPCTXaeopcyxijsSIJ'

/** Names the code points that remain of each name without their common beginning and end. */
function differenceOf(one: string, other: string): string {
  const [a, b] = [[...one], [...other]]
  const start = sameLength(a, b)
  const [endOfA, endOfB] = [a.slice(start), b.slice(start)]
  const end = sameLength(endOfA.toReversed(), endOfB.toReversed())
  return `they look the same, but the first has ${codesOf(endOfA, end)} where the other has ${codesOf(endOfB, end)}`
}

/** The number of characters at the beginning that are the same. */
function sameLength(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((character, at) => character !== b[at])
  return differing === -1 ? a.length : differing
}

/** The code points of characters without the last ones. */
function codesOf(characters: readonly string[], withoutLast: number): string {
  const differing = characters.slice(0, characters.length - withoutLast).slice(0, MAX_CODES)
  const codes = differing.map(character => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
  return codes.join(' ') || 'nothing'
}

/** Enough to find the place. */
const MAX_CODES = 4
