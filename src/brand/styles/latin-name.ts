/**
 * An id in ASCII: special Latin letters become their usual spelling, other letters their code point: `u7ea2-rot` for
 * `红-rot`. ASCII characters stay unchanged.
 */
export function latinName(id: string): string {
  return id.replace(/[^a-z0-9-]/gu, character => {
    const spelled = LATIN.get(character)
    return spelled ?? `u${character.codePointAt(0)?.toString(16)}`
  })
}

/** Letters without a Unicode decomposition, as passports write them (ICAO 9303, part 3, §6). */
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
