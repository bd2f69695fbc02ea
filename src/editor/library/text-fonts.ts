import { readFileSync } from 'node:fs'
import type { CharacterRange } from '../../fonts/characters.ts'
import { subsetFont } from '../../fonts/subset-font.ts'

/** Makes the fonts of the library's text: Source Sans 3 in all weights, and Noto Mono, with the letters of Europe's Latin alphabets. */
export function textFonts(): Promise<[path: string, bytes: Uint8Array][]> {
  return Promise.all(
    FONTS.map(async ({ path, file, characters }) => {
      const bytes = readFileSync(new URL(file))
      const subset = await subsetFont(bytes, { characters, axes: {}, features: [] })
      if (!subset.ok) throw new Error(`cannot make ${path} from ${file}: ${subset.problem}`)
      return [path, subset.value]
    }),
  )
}

/** Latin-1, the letters of French, and the punctuation, arrows and signs of the interface. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2199],
  [0x2212, 0x2215],
] as const satisfies readonly CharacterRange[]

/** Latin Extended-A, and the letters of Romanian. */
const EXTENDED_LATIN = [
  [0x100, 0x17f],
  [0x218, 0x21b],
] as const satisfies readonly CharacterRange[]

const FONTS = [
  {
    path: 'fonts/text.woff2',
    file: import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2'),
    characters: LATIN,
  },
  {
    path: 'fonts/text-extended.woff2',
    file: import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2'),
    characters: EXTENDED_LATIN,
  },
  {
    path: 'fonts/code.woff2',
    file: import.meta.resolve('@fontsource/noto-mono/files/noto-mono-latin-400-normal.woff2'),
    characters: [...LATIN, ...EXTENDED_LATIN],
  },
] as const
