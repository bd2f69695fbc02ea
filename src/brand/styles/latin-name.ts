/**
 * An id in ASCII: letters of Latin that have no mark to drop by their usual spelling, every other one by its code point, as
 * `u7ea2-rot` for `红-rot`. What is ASCII stays as it is.
 */
export function latinName(id: string): string {
  return id.replace(/[^a-z0-9-]/gu, character => {
    const spelled = LATIN.get(character)
    return spelled ?? `u${character.codePointAt(0)?.toString(16)}`
  })
}

/** Letters that Unicode does not take apart, as passports write them (ICAO 9303, part 3, §6). */
const LATIN: ReadonlyMap<string, string> = new Map([
  ['æ', 'ae'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ĸ', 'q'],
  ['ł', 'l'],
  ['ŋ', 'n'],
  ['ø', 'oe'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ŧ', 't'],
])
