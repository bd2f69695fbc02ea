import type { Color } from '../../brand/color.ts'
import { colorValues } from './color-values.ts'

/**
 * The place of a tile in a spread: its width in sixtieths of the row, the pixels that are added to the height of its
 * row, and on narrow screens, where each tile is a band, the height that is added to the tile, as a share of its width.
 */
export type Place = { width: number; height: number; band: number; names: NameSize }

/** The size of the names in a row, which its narrowest tile limits. */
type NameSize = 'large' | 'usual' | 'small'

/**
 * The places of tiles in full rows. If any colour has a proportion, areas follow the proportions as far as the values
 * leave space. Otherwise the tiles of a row are equal, and no tile is larger than the first. A ramp has as few rows as
 * possible.
 */
export function spreadPlaces(colors: readonly Color[], isRamp = false): Place[] {
  const given = colors.flatMap(({ proportion }) => proportion || [])
  const base = HEAD + VALUE * Math.max(...colors.map(color => colorValues(color).length))
  if (isRamp || given.length === 0 || colors.length > MAX_WEIGHED) {
    const rows = evenRows(colors.length, isRamp)
    const least = Math.min(MIN_HEIGHT, EVEN_HEIGHT / rows.length)
    const height = isRamp ? 0 : Math.round(Math.max(0, least - (colors.length === 1 ? BAND : base)))
    return rows.flatMap(count => {
      const width = 60 / count
      return Array(count).fill({ width, height, band: 0, names: nameSize(width) })
    })
  }
  const shares = colors.map(({ proportion }) => proportion || Math.min(...given))
  return weighedRows(shares, base).map((tile, at) => ({
    ...tile,
    band: Number((((shares[at] ?? 0) / Math.max(...given)) * MAX_BAND).toFixed(2)),
  }))
}

/** The height in pixels of a tile without its values, of a value, and of a tile with a whole row, whose values are side by side. */
const [HEAD, VALUE, BAND] = [112, 24, 176]
/** Limits of a row's height in pixels: a large share is wide instead of tall. Only more values than usual need more. */
const [MIN_HEIGHT, MAX_HEIGHT] = [320, 376]
/** The least height of a few rows of equal tiles in pixels. */
const EVEN_HEIGHT = 560
/** The added height of the largest share on narrow screens. */
const MAX_BAND = 0.3
/** With more tiles, differences would be too small to see. */
const MAX_WEIGHED = 48

function nameSize(narrowest: number): NameSize {
  return narrowest >= 18 ? 'large' : narrowest < 15 ? 'small' : 'usual'
}

/** The number of tiles in each row: equal if possible, otherwise one fewer in the first rows, whose tiles are larger. */
function evenRows(count: number, isRamp: boolean): number[] {
  if (count <= (isRamp ? 6 : 5)) return [count]
  const perRow = isRamp ? 6 : ([4, 5, 3].find(columns => count % columns === 0) ?? 4)
  const rows = Math.ceil(count / perRow)
  return Array.from({ length: rows }, (_, at) => Math.floor((count + at) / rows))
}

type Row = { cost: number; widths: readonly number[]; height: number }
type Plan = { cost: number; rows: readonly Row[] }

/** The best rows for shares in their order: of several total heights, the one whose areas are nearest to the shares. */
function weighedRows(shares: readonly number[], base: number): Omit<Place, 'band'>[] {
  const plans = [1, 2, 3, 4].map(rows => planOf(shares, base, (rows * Math.max(base, MIN_HEIGHT)) / sum(shares)))
  return cheapest(plans).rows.flatMap(({ widths, height }) => {
    const names = nameSize(Math.min(...widths) * 2)
    return widths.map(width => ({ width: width * 2, height, names }))
  })
}

/** The cost of a pixel of height, compared with the logarithm of the factor by which an area is wrong. */
const PIXEL_COST = 0.003

/** The cheapest way to divide shares into rows; `scale` is the height in pixels of a row with a share of 1. */
function planOf(shares: readonly number[], base: number, scale: number): Plan {
  const plans: Plan[] = [{ cost: 0, rows: [] }]
  for (let end = 1; end <= shares.length; end++)
    plans.push(
      cheapest(
        plans.slice(-MAX_IN_ROW).map((before, at, { length }) => {
          const row = rowOf(shares.slice(end - length + at, end), base, scale)
          return { cost: before.cost + row.cost, rows: [...before.rows, row] }
        }),
      ),
    )
  return plans.at(-1) ?? { cost: 0, rows: [] }
}

function cheapest(plans: readonly Plan[]): Plan {
  return plans.reduce((best, each) => (each.cost < best.cost ? each : best))
}

/** The tiles of a row have at least five of its thirty columns. */
const [COLUMNS, MIN_COLUMNS] = [30, 5]
const MAX_IN_ROW = COLUMNS / MIN_COLUMNS

function rowOf(shares: readonly number[], valuesBase: number, scale: number): Row {
  const base = shares.length === 1 ? BAND : valuesBase
  const height = Math.round(Math.max(base, MIN_HEIGHT, Math.min(MAX_HEIGHT, sum(shares) * scale)))
  const widths = leastWidths(shares)
  for (let left = COLUMNS - sum(widths); left > 0; left--) {
    const needs = widths.map((width, at) => (shares[at] ?? 0) / (width + 0.5))
    const neediest = needs.indexOf(Math.max(...needs))
    widths[neediest] = (widths[neediest] ?? 0) + 1
  }
  const errors = widths.map((width, at) => Math.log(((width / COLUMNS) * height) / ((shares[at] ?? 0) * scale)))
  return { cost: sum(errors.map(Math.abs)) + height * PIXEL_COST, widths, height: height - base }
}

/** At least one column more than a smaller share, if there are enough columns. */
function leastWidths(shares: readonly number[]): number[] {
  const ranked = shares.map(share => MIN_COLUMNS + new Set(shares.filter(other => other < share)).size)
  return sum(ranked) <= COLUMNS ? ranked : shares.map(() => MIN_COLUMNS)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
