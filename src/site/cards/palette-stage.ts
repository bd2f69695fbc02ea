import type { Element } from 'hast'
import { contrastOf, MIN_CONTRAST } from '../../brand/styles/contrast.ts'
import type { Words } from '../words/words.ts'
import { colorTile } from './color-tile.ts'
import { element } from './element.ts'
import type { ColorTarget } from './link-target.ts'

/** A palette at full width: its proportions as an area, each colour large, and its pairs with enough contrast for text. */
export function paletteStage(words: Words, { level, ...of }: Stage): Element[] {
  const { colors } = of
  const width = [60, 30].find(width => colors.length * width <= MAX_WIDTHS) ?? 20
  const place = { width, height: width * 2, band: 0, names: 'large' } as const
  const tiles = colors.map(shown => colorTile({ words, ...shown, place, contrastPath: shown.contrastPath }))
  return [
    area(words, colors),
    element('ul', { className: ['tiles', 'stage-tiles'] }, tiles),
    ...pairs(words, of, level),
  ]
}

/** The colours of a palette, and other colours of the guide, with which they may also form pairs. */
type StageColors = { colors: readonly StageColor[]; others: readonly StageColor[] }
/** `level` is the element of its headings. */
type Stage = StageColors & { level: 'h2' | 'h3' }
type StageColor = ColorTarget & { contrastPath?: string }

/** Up to six tiles have a whole row each, and up to 24 half of one. */
const MAX_WIDTHS = 720

/** Each colour as large as its proportion, or all equal if the guide gives none. Tiles below it have the same as text. */
function area({ share }: Words, colors: readonly StageColor[]): Element {
  const given = colors.filter(({ color }) => color.proportion)
  const shown = (given.length > 0 ? given : colors).slice(0, MAX_AREAS)
  const parts = shown.map(({ color, lettersHex }) => ({ color, lettersHex, share: color.proportion || 1 }))
  const areas = divide(
    parts.toSorted((a, b) => b.share - a.share),
    { x: 0, y: 0, width: 100, height: 100 },
  )
  const drawn = areas.map(({ color: { name, hex, proportion }, lettersHex, x, y, width, height }) => {
    const isNarrow = width * PHONE < (name.length * LETTER + 2 * EDGE) * 100
    const label = (text: string, dy: number, isMinor: boolean) =>
      element(
        'text',
        {
          className: ['tile-name', ...(isMinor ? ['minor'] : [])],
          x: `${EDGE}`,
          y: '100%',
          dy: `${dy}`,
          fill: lettersHex,
        },
        text,
      )
    return element(
      'svg',
      { x: percent(x), y: percent(y), width: percent(width), height: percent(height) },
      element('rect', { width: '100%', height: '100%', fill: hex }),
      width * DESKTOP > name.length * LETTER * 100 && label(name, -EDGE, isNarrow),
      proportion !== undefined && width >= 6 && height >= 12 && label(share(proportion), -3 * EDGE, isNarrow),
    )
  })
  return element(
    'figure',
    { className: ['proportions', 'area'] },
    element('svg', { ariaHidden: 'true', direction: 'ltr' }, drawn),
  )
}

const MAX_AREAS = 60
/** The widths in pixels of the area on narrow and on other screens, of a letter, and of the space around a name. */
const [PHONE, DESKTOP, LETTER, EDGE] = [350, 900, 12, 16]

type Area = { x: number; y: number; width: number; height: number }

/** Divides an area of a page, in percent of its sides, among parts: always into halves as equal as possible. */
function divide<Part extends { share: number }>(parts: readonly Part[], whole: Area): (Part & Area)[] {
  const [first] = parts
  if (!first || parts.length === 1) return first ? [{ ...first, ...whole }] : []
  const total = sumOf(parts)
  let end = 1
  while (end < parts.length - 1 && sumOf(parts.slice(0, end + 1)) <= total / 2) end++
  const [one, other] = [parts.slice(0, end), parts.slice(end)]
  const size = sumOf(one) / total
  const { x, y, width, height } = whole
  // The area is about twice as wide as high.
  if (width * 2 >= height)
    return [
      ...divide(one, { ...whole, width: width * size }),
      ...divide(other, { ...whole, x: x + width * size, width: width * (1 - size) }),
    ]
  return [
    ...divide(one, { ...whole, height: height * size }),
    ...divide(other, { ...whole, y: y + height * size, height: height * (1 - size) }),
  ]
}

function sumOf(parts: readonly { share: number }[]): number {
  return parts.reduce((total, { share }) => total + share, 0)
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`
}

/** Letters of one colour on another for each pair that passes AA for text, in descending order of contrast. */
function pairs({ colors: words, number }: Words, { colors, others }: StageColors, heading: string): Element[] {
  const all = [...colors, ...others].slice(0, MAX_COMPARED)
  const found = all.flatMap((letters, at) =>
    all.flatMap((ground, groundAt) => {
      const isOwn = letters !== ground && Math.min(at, groundAt) < colors.length
      const contrast = isOwn ? contrastOf(letters.color.hex, ground.color.hex) : undefined
      return contrast && contrast.ratio >= MIN_CONTRAST ? [{ letters, ground, ...contrast }] : []
    }),
  )
  const shown = found.toSorted((one, other) => other.ratio - one.ratio).slice(0, MAX_PAIRS)
  return Array.from(Map.groupBy(shown, ({ level }) => level)).flatMap(([level, pairs]) => [
    element(heading, {}, words.levelHeadings[level]),
    element(
      'ul',
      { className: ['pairs'] },
      pairs.map(({ letters: { color: letters }, ground: { color: ground }, text }) =>
        element(
          'li',
          {},
          pairSample(letters.hex, ground.hex),
          element('p', {}, `${words.pair({ letters: letters.name, ground: ground.name })}`),
          element('p', {}, element('b', {}, number(Number(text), 2))),
        ),
      ),
    ),
  ])
}

const MAX_COMPARED = 60
const MAX_PAIRS = 36

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
