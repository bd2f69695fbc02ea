/** Adds to a message how two names in it differ if they look the same, such as `ö` composed and decomposed. */
export function withDifference(message: string): string {
  if (!NOT_ASCII.test(message)) return message
  const byLook = new Map<string, string>()
  for (const [whole, quoted] of message.matchAll(/(?<!\\)"((?:[^"\\]|\\.)*)"|[^\s",;]+/g)) {
    const name = (quoted ?? whole).replace(/[:.?]$/, '')
    const look = lookOf(name)
    const other = byLook.get(look)
    if (other !== undefined && other !== name) return `${message} (${differenceOf(other, name)})`
    byLook.set(look, name)
  }
  return message
}

const NOT_ASCII = /[^\p{ASCII}]/u

/** Names with the same result look the same: spaces and letters of other alphabets are as in Latin. */
function lookOf(name: string): string {
  const latin = name
    .normalize('NFKC')
    .replace(/[\u0391-\u03bf\u0405-\u0458]/g, letter => LATIN[SAME.indexOf(letter)] ?? letter)
  return latin.replace(/\s/g, ' ').trim()
}

/** Greek and Cyrillic letters, and the Latin ones that they look like (Unicode UTS 39). */
const SAME = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕКМНОРСТХаеорсухіјѕЅІЈ'
const LATIN = 'ABEZHIKMNOPTYXoABEKMHOPCTXaeopcyxijsSIJ'

function differenceOf(one: string, other: string): string {
  const [a, b] = [[...one], [...other]]
  const differing = a.findIndex((character, at) => character !== b[at])
  const start = differing === -1 ? a.length : differing
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const codes = (characters: readonly string[]) =>
    characters
      .slice(start, characters.length - end)
      .slice(0, 4)
      .map(character => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
      .join(' ')
  return `they look the same, but the first has ${codes(a) || 'nothing'} where the other has ${codes(b) || 'nothing'}`
}
