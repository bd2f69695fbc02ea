/** `1 page`, `2 pages`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/**
 * Quotes a text for a message: in double quotes, on one line, cut to 60 characters. Control and format characters,
 * which could steer a terminal or hide, are escaped.
 */
export function quote(text: string): string {
  const shown = [...text.slice(0, 122)]
  const cut = shown.length > 60 ? `${shown.slice(0, 60).join('')}…` : shown.join('')
  return JSON.stringify(cut).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** Compares two texts by their code units, which gives the same order on every machine and in every locale. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Quotes a text as one word for POSIX shells, if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * A function of a text that keeps what it gave for the texts that come again and again. What comes from outside may
 * differ each time, so that texts of more than `longest` characters are not kept, and once there are `most` all are
 * forgotten.
 */
export function memoize<Value>(
  work: (text: string) => Value,
  { maxEntries = 4096, maxLength = 256 } = {},
): (text: string) => Value {
  const known = new Map<string, Value>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const own = copyString(text)
    const value = work(own)
    if (text.length > maxLength || value === undefined) return value
    if (known.size >= maxEntries) known.clear()
    known.set(own, value)
    return value
  }
}

/** The same text, which does not keep in memory what it was cut out of. */
export function copyString(text: string): string {
  return ` ${text}`.slice(1)
}

/**
 * A hash of a text as 32 bits: FNV-1a of the characters, mixed at the end as in MurmurHash3, so that the high bits count.
 * With a seed that nobody knows, nobody can work out which texts meet.
 */
export function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
