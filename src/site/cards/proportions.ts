import type { Element, ElementContent } from 'hast'
import type { Words } from '../words/words.ts'
import { colorChip } from './color-tile.ts'
import { element } from './element.ts'

/** A colour with the colour of letters on it, and its percentage of a surface. */
type Share = { name: string; hex: string; letters: string; proportion?: number | undefined }

/** Colours with their shares of a surface as one area, and below it a line for each. */
export function proportions(words: Words, shares: readonly (Share & { line: ElementContent[] })[]): Element {
  const lines = shares.map(({ hex, line }) => element('li', {}, colorChip(hex), line))
  return element(
    'figure',
    { className: ['proportions'] },
    colorArea(words, shares),
    element('ul', { ariaLabel: `${words.colors.proportions}` }, lines),
  )
}

/** Colours as one area, each as large as its share, or all equal if no share is given; screen readers skip it. */
export function colorArea({ share }: Words, shares: readonly Share[]): Element {
  const given = shares.filter(({ proportion }) => proportion)
  const drawn = (given.length > 0 ? given : shares)
    .slice(0, MAX_DRAWN)
    .map(part => ({ ...part, size: part.proportion || 1 }))
  const areas = divide(
    drawn.toSorted((a, b) => b.size - a.size),
    { x: 0, y: 0, width: 100, height: 100 },
  )
  const parts = areas.map(({ name, hex, letters, proportion, x, y, width, height }) => {
    const number = proportion === undefined ? '' : share(proportion)
    const fits = (lines: readonly string[], onPercent: number) =>
      height >= MIN_HEIGHT * lines.length && lines.every(line => line.length + EDGES <= width * onPercent)
    const named = [[`${name} ${number}`.trim()], [name, number]]
    const onPhones = named.find(lines => fits(lines, PHONE))
    const lines = onPhones ?? [...named, [number]].find(each => fits(each, DESKTOP)) ?? []
    const className = fits(lines, PHONE) ? ['tile-name'] : ['tile-name', 'minor']
    const label = lines.toReversed().map((line, at) => {
      const place = { x: '16', y: '100%', dy: `${-16 - LEADING * at}` }
      return line && element('text', { className, ...place, fill: letters }, line)
    })
    return element(
      'svg',
      { x: percent(x), y: percent(y), width: percent(width), height: percent(height) },
      element('rect', { width: '100%', height: '100%', fill: hex }),
      label,
    )
  })
  return element('svg', { className: ['area'], ariaHidden: 'true', direction: 'ltr' }, parts)
}

/** More parts would be too narrow to distinguish. */
const MAX_DRAWN = 60
/** The letters that fit on one percent of the width of an area, and the letters as wide as the space around a name. */
const [DESKTOP, PHONE, EDGES] = [0.8, 0.36, 3]
/** The percentage of the height of an area that a line needs. */
const MIN_HEIGHT = 10
/** In pixels. */
const LEADING = 22

type Area = { x: number; y: number; width: number; height: number }

/** Divides an area, in percent of its sides, among parts: always into halves as equal as possible. */
function divide<Part extends { size: number }>(parts: readonly Part[], whole: Area): (Part & Area)[] {
  const [first] = parts
  if (!first || parts.length === 1) return first ? [{ ...first, ...whole }] : []
  const total = sumOf(parts)
  let end = 1
  while (end < parts.length - 1 && sumOf(parts.slice(0, end + 1)) <= total / 2) end++
  const part = sumOf(parts.slice(0, end)) / total
  // The area is about twice as wide as high.
  const [start, side] = whole.width * 2 > whole.height ? (['x', 'width'] as const) : (['y', 'height'] as const)
  const [one, other] = [whole[side] * part, whole[side] * (1 - part)]
  return [
    ...divide(parts.slice(0, end), { ...whole, [side]: one }),
    ...divide(parts.slice(end), { ...whole, [start]: whole[start] + one, [side]: other }),
  ]
}

function sumOf(parts: readonly { size: number }[]): number {
  return parts.reduce((total, { size }) => total + size, 0)
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}
