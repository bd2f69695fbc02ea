import { colorKeyOf, isOnlyLabels, MAX_VALUES_LENGTH, namesInks, valuesIn } from '#brand/styles/notation.ts'
import { withoutValues } from '../../pages/color-name.ts'

type Rows = { header: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * A table with a column for each value that its cells have with a label, such as `CMYK 5 55 90 24; PANTONE 4894 C`. A cell
 * keeps its other words, and a single value below its own label stays where it is.
 */
export function spreadValues({ header, rows }: Rows): Rows {
  const found = rows.map(row => row.map((cell, at) => spreadCell(cell, header[at])))
  const titles = [...new Set(found.flat().flatMap(({ values }) => [...values.keys()]))]
  if (titles.length === 0) return { header, rows }
  const spread = found.map(row => [...row.map(({ rest }) => rest), ...titles.map(title => valueIn(row, title))])
  const all = [...header, ...titles]
  const columns = [...all.keys()].filter(at => spread.some(row => row[at] !== ''))
  const kept = (row: readonly string[]) => columns.map(at => row[at] ?? '')
  return { header: kept(all), rows: spread.map(kept) }
}

/** The values with labels in a cell, and its other words. */
type Spread = { values: ReadonlyMap<string, string>; rest: string }

/** The first value with this title in the cells of a row; empty without one. */
function valueIn(row: readonly Spread[], title: string): string {
  return row.map(({ values }) => values.get(title)).find(value => value !== undefined) ?? ''
}

/** Divides a cell, unless it is one value, or none, or its words say where a value is used. */
function spreadCell(cell: string, label = ''): Spread {
  const whole = { values: NONE, rest: cell }
  if (cell.length > MAX_VALUES_LENGTH || !LABEL.test(cell)) return whole
  const key = namesInks(label) ? 'inks' : colorKeyOf(label)
  const values = valuesIn(cell)
  const rest = withoutValues(cell)
  if (values.size < (MIN_VALUES.get(key) ?? 2)) return whole
  if (isOnlyLabels(rest)) return { values, rest: '' }
  return key === 'name' ? { values, rest } : whole
}

const NONE: ReadonlyMap<string, string> = new Map()
/** A letter other than a digit of hex. */
const LABEL = /(?<![#\da-f])[a-z]/i
/** How many values a cell has to have, by the field of its label, which may be none. Words about a colour name others. */
const MIN_VALUES: ReadonlyMap<string | undefined, number> = new Map([
  ['name', 1],
  [undefined, 1],
  ...['id', 'group', 'use', 'on', 'tintOf', 'proportion'].map(key => [key, Number.POSITIVE_INFINITY] as const),
])
