import { type Color, printValuesOf } from '../../brand/color.ts'
import { oklchOf } from '../theme/oklch.ts'

/**
 * The place of a tile in a spread: its width in sixtieths of the row, the pixels that are added to the height of its
 * row, and on narrow screens, where each tile is a band, the height that is added to the tile, as a share of its width.
 * The policy of pages forbids style attributes: a class gives the width, and an empty SVG in the tile adds the height.
 */
export type Place = { width: number; height: number; band: number; names: NameSize }

/** The size of the names in a row, which its narrowest tile limits. */
type NameSize = 'large' | 'usual' | 'small'

/**
 * A tile with its place: its area in sixtieths of a row times pixels, the proportion of its colour, and whether a tile of
 * its palette has a whole row on narrow screens.
 */
export type Placed = Place & { area: number; share: number | undefined; isBand: boolean }

/**
 * The places of tiles in rows. If any colour has a proportion, areas follow the proportions as far as the values leave
 * space. Otherwise all tiles are equal, or those of later rows smaller. A ramp has as few rows as possible. Below other
 * palettes, no tile or name is larger than the first of the page, and no tile larger than one with a larger proportion.
 *
 * @param before the tiles of the palettes above on the page
 */
export function spreadPlaces(colors: readonly Color[], isRamp = false, before: readonly Placed[] = []): Placed[] {
  const base = HEAD + VALUE * Math.max(...colors.map(color => colorValues(color).length))
  const room = (share = 0) =>
    Math.min(...before.flatMap((tile, at) => (at === 0 || (share > 0 && (tile.share ?? 0) > share) ? tile.area : [])))
  const isWeighed = !isRamp && colors.length <= MAX_WEIGHED && colors.some(({ proportion }) => proportion)
  const places = isWeighed
    ? weighedPlaces(colors, base, before)
    : evenPlaces(colors.length, { isRamp, base, widest: room() / (WRAPPED * base) })
  const isBand = isWeighed || colors.length % 2 === 1
  const heights = places.map(({ width }, at) => Math.floor(room(colors[at]?.proportion) / width - WRAPPED * base))
  if (isBand) heights.push(bandHeight(before[0]))
  const largest = SIZES.indexOf(before[0]?.names ?? 'large')
  return places.map((place, at) => {
    const height = Math.max(0, Math.min(place.height, ...heights))
    const names = SIZES[Math.min(largest, SIZES.indexOf(place.names))] ?? 'small'
    return {
      ...place,
      height,
      names,
      area: place.width * (WRAPPED * base + height),
      share: colors[at]?.proportion,
      isBand,
    }
  })
}

/** On narrow screens, values are below their labels, so that a tile is taller than calculated. */
const WRAPPED = 1.5
/** The width of a row on a phone in pixels. */
const PHONE = 320
const SIZES = ['small', 'usual', 'large'] as const satisfies NameSize[]

/** The height that may be added to a tile with a whole row of a phone, below the first tile of the page. */
function bandHeight(first: Placed | undefined): number {
  if (!first) return Number.POSITIVE_INFINITY
  return first.isBand ? Math.round(first.band * PHONE || first.height) : 0
}

/** Equal tiles. If tiles of full rows would be too wide, the last row is not full. */
function evenPlaces(
  count: number,
  { isRamp, base, widest }: { isRamp: boolean; base: number; widest: number },
): Place[] {
  const full = evenRows(count, isRamp)
  const perRow = [3, 4, 5].find(columns => 60 / columns <= widest) ?? 6
  const rows = full.every(columns => 60 / columns <= widest) ? full : Array(Math.ceil(count / perRow)).fill(perRow)
  const least = Math.min(MIN_HEIGHT, EVEN_HEIGHT / rows.length)
  const height = isRamp ? 0 : Math.round(Math.max(0, least - (count === 1 ? BAND : base)))
  const widths = rows.flatMap(columns => Array<number>(columns).fill(60 / columns)).slice(0, count)
  return widths.map(width => ({ width, height, band: 0, names: nameSize(width) }))
}

/** Tiles whose areas follow their shares. The first few of a page have space for large names. */
function weighedPlaces(colors: readonly Color[], base: number, before: readonly Placed[]): Place[] {
  const given = colors.flatMap(({ proportion }) => proportion || [])
  const shares = colors.map(({ proportion }) => proportion || Math.min(...given))
  const largest = Math.max(...given, ...before.map(({ share = 0 }) => share))
  return weighedRows(
    shares,
    base,
    before.length === 0 && colors.length <= MAX_LARGE ? LARGE_COLUMNS : [MIN_COLUMNS],
  ).map((tile, at) => ({
    ...tile,
    band: Number((((shares[at] ?? 0) / largest) * MAX_BAND).toFixed(2)),
  }))
}

/** The height in pixels of a tile without its values, of a value, and of a tile with a whole row, whose values are side by side. */
const [HEAD, VALUE, BAND] = [112, 24, 176]
/** Limits of a row's height in pixels: a large share is wide instead of tall. Only more values than usual need more. */
const [MIN_HEIGHT, MAX_HEIGHT] = [320, 416]
/** The least height of a few rows of equal tiles in pixels. */
const EVEN_HEIGHT = 640
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
function weighedRows(shares: readonly number[], base: number, leasts: readonly number[]): Omit<Place, 'band'>[] {
  const plansFor = (least: number) =>
    [1, 2, 3, 4].map(rows => planOf(shares, { base, least, scale: (rows * Math.max(base, MIN_HEIGHT)) / sum(shares) }))
  const inOrder = leasts.map(least => plansFor(least).filter(({ rows }) => isInOrder(shares, rows, base)))
  const plans = inOrder.find(({ length }) => length > 0) ?? plansFor(MIN_COLUMNS)
  return cheapest(plans).rows.flatMap(({ widths, height }) => {
    const names = nameSize(Math.min(...widths) * 2)
    return widths.map(width => ({ width: width * 2, height, names }))
  })
}

/** Whether each tile is larger than all with a smaller share. */
function isInOrder(shares: readonly number[], rows: readonly Row[], base: number): boolean {
  const areas = rows.flatMap(({ widths, height }) => widths.map(width => width * (WRAPPED * base + height)))
  const tiles = areas.map((area, at) => ({ area, share: shares[at] ?? 0 }))
  return tiles.every(tile => tiles.every(({ area, share }) => share >= tile.share || area < tile.area))
}

/** The cost of a pixel of height, compared with the logarithm of the factor by which an area is wrong. */
const PIXEL_COST = 0.003

/** The least columns of a tile; `scale` is the height in pixels of a row with a share of 1. */
type Bounds = { base: number; least: number; scale: number }

/** The cheapest way to divide shares into rows. */
function planOf(shares: readonly number[], bounds: Bounds): Plan {
  const plans: Plan[] = [{ cost: 0, rows: [] }]
  for (let end = 1; end <= shares.length; end++)
    plans.push(
      cheapest(
        plans.slice(-MAX_IN_ROW).map((before, at, { length }) => {
          const row = rowOf(shares.slice(end - length + at, end), bounds)
          return { cost: before.cost + row.cost, rows: [...before.rows, row] }
        }),
      ),
    )
  return plans.at(-1) ?? { cost: 0, rows: [] }
}

function cheapest(plans: readonly Plan[]): Plan {
  return plans.reduce((best, each) => (each.cost < best.cost ? each : best))
}

/** The columns of a row, and of a tile at least. The few of the first palette on a page have more. */
const [COLUMNS, MIN_COLUMNS, LARGE_COLUMNS] = [30, 5, [10, 9, 8, 5]]
const MAX_LARGE = 4
const MAX_IN_ROW = COLUMNS / MIN_COLUMNS

function rowOf(shares: readonly number[], { base: valuesBase, least, scale }: Bounds): Row {
  const base = shares.length === 1 ? BAND : valuesBase
  const height = Math.round(Math.max(base, MIN_HEIGHT, Math.min(MAX_HEIGHT, sum(shares) * scale)))
  const widths = leastWidths(shares, least)
  if (sum(widths) > COLUMNS) return { cost: Number.POSITIVE_INFINITY, widths, height: 0 }
  for (let left = COLUMNS - sum(widths); left > 0; left--) {
    const needs = widths.map((width, at) => (shares[at] ?? 0) / (width + 0.5))
    const neediest = needs.indexOf(Math.max(...needs))
    widths[neediest] = (widths[neediest] ?? 0) + 1
  }
  const errors = widths.map((width, at) => Math.log(((width / COLUMNS) * height) / ((shares[at] ?? 0) * scale)))
  return { cost: sum(errors.map(Math.abs)) + height * PIXEL_COST, widths, height: height - base }
}

/** At least one column more than a smaller share. */
function leastWidths(shares: readonly number[], least: number): number[] {
  return shares.map(share => least + new Set(shares.filter(other => other < share)).size)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** A value of a colour as shown, and as copied if that differs. */
type ColorValue = { kind: string; label: string; text: string; copied?: string }

/** The values of a colour, in order. Print values come from the author. */
export function colorValues(color: Color): ColorValue[] {
  const { hex, rgb } = color
  return [
    { kind: 'hex', label: 'Hex', text: hex },
    { kind: 'rgb', label: 'RGB', text: rgb },
    { kind: 'oklch', label: 'OKLCH', ...oklchValue(hex) },
    ...printValuesOf(color).map(({ key, label, value }) => ({ kind: key, label, text: `${value}` })),
  ]
}

function oklchValue(hex: string): { text: string; copied: string } {
  const { lightness, chroma, hue } = oklchOf(hex)
  const isGrey = chroma < MIN_CHROMA
  const degrees = isGrey ? 0 : ((hue * 180) / Math.PI + 360) % 360
  const text = `${round(lightness * 100, 2)}% ${round(isGrey ? 0 : chroma, 4)} ${round(degrees, 2)}`
  return { text, copied: `oklch(${text})` }
}

/** A colour with less chroma has no hue. */
const MIN_CHROMA = 0.0005

/** With fewer digits, a value would often name a neighbouring colour. */
function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
