import type { Element, ElementContent } from 'hast'
import { textColorOn } from '../../brand/styles/contrast.ts'
import type { Words } from '../words/words.ts'
import { colorChip } from './color-chip.ts'
import { element } from './element.ts'

/** The share of a colour, per cent of a surface, and what the list below the strip says of it. */
export type Share = { hex: string; proportion: number; line: readonly ElementContent[] }

/** How much of a surface each colour takes: a strip that shows it, and a list that says it. */
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
      proportion / whole >= LEAST_LABELLED &&
        element(
          'text',
          {
            className: proportion / whole < LEAST_ON_PHONES ? ['minor'] : undefined,
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
    element('ul', { ariaLabel: colors.proportions }, lines),
  )
}

/** More parts than this would be too narrow to tell apart. */
const MAX_DRAWN = 100
/** The smallest part, of the whole, that has room for its number, and the smallest that has it on a narrow screen too. */
const LEAST_LABELLED = 0.06
const LEAST_ON_PHONES = 0.17

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}
