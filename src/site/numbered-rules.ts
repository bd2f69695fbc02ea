import { PRINT_KEYS } from '#brand/color.ts'
import { WORD_SIZES } from './cards/long-words.ts'
import { FILM_RATIOS, RATIOS, SUMS } from './cards/ratios.ts'

const VALUES = ['hex', 'rgb', 'oklch', ...PRINT_KEYS.filter(key => key !== 'inks')]

/** The rules that differ only in a number, by the style sheet that they follow. */
export const NUMBERED_RULES: Readonly<Record<string, string>> = {
  'css/base.css': rulesOf(WORD_SIZES, size => `.word-${size}{--word:${size}}`),
  // The row of each value in the list of a tile, `hex` first; a tile has three rows more than values.
  'css/colors/tiles.css':
    rulesOf(VALUES, (key, at) => `.${key}{grid-row:${at + 1}}`) +
    `.tiles>li{grid-row:span ${VALUES.length + 3}}` +
    `:is(ul,ol).tiles{grid-auto-rows:minmax(var(--free),1fr)${' auto'.repeat(VALUES.length + 2)}}`,
  // The two hexadecimal digits of red (`r` and `u`), green (`g`, `v`) and blue (`b`, `w`), each 0 to 15.
  'css/files/plates.css':
    rulesOf([...'rgbuvw'], name => rulesOf([...Array(16).keys()], digit => `.${name}${digit}{--${name}:${digit}}`)) +
    rulesOf([...new Set([...RATIOS, ...FILM_RATIOS])], ratio => `.ratio-${ratio}{--ratio:${ratio}}`),
  'css/forms/pictures.css':
    rulesOf([2, 3, 4, 5, 6], columns => `.columns-${columns}{--columns:${columns}}`) +
    rulesOf(SUMS, sum => `.row-${sum}{--sum:${sum}}`),
}

function rulesOf<Item>(items: readonly Item[], rule: (item: Item, at: number) => string): string {
  return items.map(rule).join('')
}
