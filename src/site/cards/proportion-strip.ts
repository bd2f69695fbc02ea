import type { Element, ElementContent } from 'hast'
import type { Words } from '../words/words.ts'
import { colorChip } from './color-tile.ts'
import { element } from './element.ts'

/** A colour with the colour of letters on it, its percentage of a surface, and its line in the list below the strip. */
export type Share = { hex: string; letters: string; proportion: number; line: readonly ElementContent[] }

/** The share of a surface for each colour: a strip, with the numbers that fit, and a list. */
export function proportionStrip({ colors, share }: Words, shares: readonly Share[]): Element {
  const drawn = shares.filter(({ proportion }) => proportion > 0).slice(0, MAX_DRAWN)
  const whole = Math.max(
    100,
    drawn.reduce((sum, { proportion }) => sum + proportion, 0),
  )
  let start = 0
  const parts = drawn.map(({ hex, letters, proportion }) => {
    const [x, width] = [(start / whole) * 100, (proportion / whole) * 100]
    start += proportion
    const label = width >= MIN_LABELLED && ownLabel({ x, width, letters }, share(proportion))
    return [element('rect', { x: percent(x), width: percent(width), fill: hex }), label]
  })
  const lines = shares.map(({ hex, line }) => element('li', {}, colorChip(hex), [...line]))
  return element(
    'figure',
    { className: ['proportions'] },
    element('svg', { ariaHidden: 'true', direction: 'ltr' }, parts),
    element('ul', { ariaLabel: `${colors.proportions}` }, lines),
  )
}

/** More parts would be too narrow to distinguish. */
const MAX_DRAWN = 100
/** The smallest percentage with space for its number, and the smallest with space for it on narrow screens. */
const MIN_LABELLED = 6
const MIN_LABELLED_ON_PHONES = 17

function ownLabel({ x, width, letters }: { x: number; width: number; letters: string }, text: string): Element {
  const className = ['tile-name', ...(width < MIN_LABELLED_ON_PHONES ? ['minor'] : [])]
  return element('text', { className, x: percent(x), y: '100%', dx: '12', dy: '-12', fill: letters }, text)
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}
