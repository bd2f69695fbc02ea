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
  const withProportion = shares.filter(({ proportion }) => proportion)
  const drawnParts = (withProportion.length > 0 ? withProportion : shares)
    .slice(0, MAX_DRAWN)
    .map(part => ({ ...part, size: part.proportion || 1 }))
  const largestFirst = drawnParts.toSorted((a, b) => b.size - a.size)
  const areas = divide(largestFirst, { x: 0, y: 0, width: 100, height: 100 })
  const parts = areas.map(part =>
    element(
      'svg',
      { x: percent(part.x), y: percent(part.y), width: percent(part.width), height: percent(part.height) },
      element('rect', { width: '100%', height: '100%', fill: part.hex }),
      areaLabel(part, part.proportion === undefined ? '' : share(part.proportion)),
    ),
  )
  return element('svg', { className: ['area'], ariaHidden: 'true', direction: 'ltr' }, parts)
}

/** More parts would be too narrow to distinguish. */
const MAX_DRAWN = 60

type Area = { x: number; y: number; width: number; height: number }

/**
 * The name and the percentage of an area, in one line or two, in its lower left corner. Phones do not show it
 * (`minor`) if both fit only on desktops, or if only the percentage fits. Empty if nothing fits.
 */
function areaLabel({ name, letters, width, height }: Share & Area, number: string) {
  const fits = (lines: readonly string[], lettersPerPercent: number) =>
    height >= MIN_HEIGHT * lines.length && lines.every(line => line.length + EDGES <= width * lettersPerPercent)
  const labelsWithName = [[`${name} ${number}`.trim()], [name, number]]
  const onPhones = labelsWithName.find(lines => fits(lines, PHONE))
  const lines = onPhones ?? [...labelsWithName, [number]].find(each => fits(each, DESKTOP)) ?? []
  const className = fits(lines, PHONE) ? ['tile-name'] : ['tile-name', 'minor']
  return lines.toReversed().map((line, at) => {
    const place = { x: '16', y: '100%', dy: `${-16 - LEADING * at}` }
    return line && element('text', { className, ...place, fill: letters }, line)
  })
}

/** The letters that fit on one percent of the width of an area. */
const DESKTOP = 0.8
const PHONE = 0.36
/** The letters as wide as the space around a name. */
const EDGES = 3
/** The percentage of the height of an area that a line needs. */
const MIN_HEIGHT = 10
/** In pixels. */
const LEADING = 22

/** Divides an area, in percent of its sides, among parts: always into halves as equal as possible. */
function divide<Part extends { size: number }>(parts: readonly Part[], whole: Area): (Part & Area)[] {
  const [first] = parts
  if (!first || parts.length === 1) return first ? [{ ...first, ...whole }] : []
  const total = sumOf(parts)
  // The first half has the first parts, up to half of the total.
  let end = 1
  while (end < parts.length - 1 && sumOf(parts.slice(0, end + 1)) <= total / 2) end++
  const firstShare = sumOf(parts.slice(0, end)) / total
  // Divides the longer side. The whole area is about twice as wide as high, and both sides are percentages of it.
  const [start, side] = whole.width * 2 > whole.height ? (['x', 'width'] as const) : (['y', 'height'] as const)
  const firstLength = whole[side] * firstShare
  const restLength = whole[side] * (1 - firstShare)
  return [
    ...divide(parts.slice(0, end), { ...whole, [side]: firstLength }),
    ...divide(parts.slice(end), { ...whole, [start]: whole[start] + firstLength, [side]: restLength }),
  ]
}

function sumOf(parts: readonly { size: number }[]): number {
  return parts.reduce((total, { size }) => total + size, 0)
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}
