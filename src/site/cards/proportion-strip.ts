import type { Element, ElementContent } from 'hast'
import { textColorOn } from '../../brand/styles/contrast.ts'
import type { Words } from '../words/words.ts'
import { colorChip } from './color-chip.ts'
import { element } from './element.ts'

/** A colour with its percentage of a surface, and its line in the list below the strip. */
export type Share = { hex: string; proportion: number; line: readonly ElementContent[] }

/** The share of a surface for each colour: a strip and a list. */
export function proportionStrip({ colors, share }: Words, shares: readonly Share[]): Element {
  const drawn = shares.filter(({ proportion }) => proportion > 0).slice(0, MAX_DRAWN)
  const whole = Math.max(
    100,
    drawn.reduce((sum, { proportion }) => sum + proportion, 0),
  )
  let start = 0
  const parts = drawn.map(({ hex, proportion }) => {
    const [x, width] = [percent((start / whole) * 100), percent((proportion / whole) * 100)]
    start += proportion
    return [
      element('rect', { x, width, fill: hex }),
      proportion / whole >= MIN_LABELLED &&
        element(
          'text',
          {
            className: proportion / whole < MIN_LABELLED_ON_PHONES ? ['minor'] : undefined,
            x,
            y: '100%',
            dx: '12',
            dy: '-12',
            fill: textColorOn(hex),
          },
          share(proportion),
        ),
    ]
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
/** The smallest share with space for its number, and the smallest with space for it on narrow screens. */
const MIN_LABELLED = 0.06
const MIN_LABELLED_ON_PHONES = 0.17

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}
