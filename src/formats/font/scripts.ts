import { perObject } from '#platform/base/object.ts'
import { type CharacterRange, type Characters, hasCharacters } from './characters.ts'

/** A script whose characters a font subset contains, and a letter that every font for it has. */
export type Script = { name: string; letter: string; ranges: readonly CharacterRange[] }

/**
 * The scripts with few enough characters for a subset. No two have a character in common. `latin` is for western
 * European languages, and has the punctuation of all languages and the arrows of the website; `latin-ext` has the other
 * letters of European languages.
 */
export const SCRIPTS: readonly Script[] = [
  script(
    'latin',
    'a',
    '20-7e a0-a1 a3 a7 a9 ab ad-ae b0-b1 b7 bb bf-cf d1-dc df-ef f1-fc ff 131 152-153 2010-2014 2018-201e 2020-2022 2026 2039-203a 20ac 2122 2190-2193 2197 2212',
  ),
  script('latin-ext', 'ł', 'd0 dd-de f0 fd-fe 100-130 132-151 154-17f 192 218-21b 1e9e'),
  script('vietnamese', 'ạ', '1a0-1a1 1af-1b0 1ea0-1ef9 20ab'),
  script('cyrillic', 'а', '400-52f'),
  script('greek', 'α', '370-3ff 1f00-1fff'),
  script('hebrew', 'א', '590-5ff fb1d-fb4f'),
  script('arabic', 'ب', '600-6ff 750-77f 200c-200f fb50-fdff fe70-fefc'),
  script('devanagari', 'क', '900-97f'),
  script('thai', 'ก', 'e00-e7f'),
]

/** `ranges` are in hexadecimal. */
function script(name: string, letter: string, ranges: string): Script {
  const parse = (text: string): CharacterRange => {
    const [first = '', last = first] = text.split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  }
  return { name, letter, ranges: ranges.split(' ').map(parse) }
}

export function scriptsOf({ ranges }: Characters): readonly Script[] {
  return SCRIPTS.filter(({ letter }) => hasCharacters(ranges, letter))
}

/** The scripts in a string, except those of a few characters, such as a foreign name, which need no font at once. */
export function scriptsIn(text: string): readonly Script[] {
  // Only `latin` has characters of ASCII: without them, little of a long page is left to search for the other scripts.
  const foreign = text.replace(/[\0-\x7f]+/g, '')
  return SCRIPTS.filter(each => patternOf(each).test(each.name === 'latin' ? text : foreign))
}

const MIN_CHARACTERS = 5

/** A pattern of `MIN_CHARACTERS` characters of a script, with others between them. */
const patternOf = perObject(({ ranges }: Script) => {
  const escaped = (code: number) => `\\u{${code.toString(16)}}`
  const classes = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')
  return new RegExp(`(?:[${classes}][^${classes}]*){${MIN_CHARACTERS}}`, 'u')
})
