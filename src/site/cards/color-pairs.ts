import type { Element } from 'hast'
import type { Color } from '#brand/color.ts'
import { type Contrast, contrastOf } from '#brand/styles/contrast.ts'
import { onDark } from '#brand/styles/dark-values.ts'
import type { Words } from '../words/words.ts'
import { element } from './element.ts'

/** Letters of one colour on another, with their contrast; with `href`, a link to the letters' page instead of both names. */
export type ColorPair = Contrast & { letters: Color; ground: Color; href?: string; isDark?: boolean }

export function colorPair(letters: Color, ground: Color): ColorPair {
  return { letters, ground, ...contrastOf(letters.hex, ground.hex) }
}

/** The same pair on dark pages; undefined if neither of its colours has another value there. */
export function darkPair({ letters, ground }: ColorPair): ColorPair | undefined {
  if (letters.dark === undefined && ground.dark === undefined) return undefined
  return { ...colorPair(onDark(letters), onDark(ground)), isDark: true }
}

/** Pairs for both directions, by level of contrast: below a heading, or a line if the page has its own. */
export function pairsByLevel(words: Words, pairs: readonly ColorPair[], heading: 'h2' | 'p'): Element[] {
  return Array.from(Map.groupBy(pairs, ({ level }) => level)).flatMap(([level, each]) => {
    const text = words.colors.levelHeadings[level]
    return [element(heading, {}, heading === 'p' ? element('b', {}, text) : text), pairList(words, each, true)]
  })
}

/** Pairs for both directions, as lines. */
export function mutualPairs(words: Words, pairs: readonly ColorPair[]): Element {
  return pairList(words, pairs, true)
}

/** Pairs without enough contrast as a row of chips, which a reader opens. */
export function failingPairs(words: Words, pairs: readonly ColorPair[]): Element {
  const summary = element('summary', {}, words.colors.levelHeadings.fails, ` (${words.number(pairs.length)})`)
  return element('details', { className: ['failing'] }, summary, pairList(words, pairs))
}

/** Pairs as lines, each with a sample, its names and its contrast; if they are mutual, also with the reverse sample. */
export function pairList({ colors, number, fields }: Words, pairs: readonly ColorPair[], areMutual = false): Element {
  const items = pairs.map(({ letters, ground, href, text, level, isDark = false }) =>
    element(
      'li',
      {},
      pairSample(letters.hex, ground.hex),
      areMutual && pairSample(ground.hex, letters.hex),
      element(
        'p',
        {},
        href === undefined
          ? `${colors.pair({ letters: letters.name, ground: ground.name })}`
          : element('a', { href }, letters.name),
      ),
      element('p', {}, `${number(Number(text), 2)} `, element('b', {}, colors.levels[level])),
      isDark && element('p', {}, fields.dark),
    ),
  )
  return element('ul', { className: areMutual ? ['pairs', 'mutual'] : ['pairs'] }, items)
}

/** Letters of one colour on another; screen readers skip them. */
export function pairSample(letters: string, ground: string): Element {
  const text = letters !== ground && element('text', {}, 'Aa')
  return element(
    'svg',
    { className: ['pair', 'tile-name'], ariaHidden: 'true', fill: letters },
    element('rect', { fill: ground }),
    text,
  )
}
