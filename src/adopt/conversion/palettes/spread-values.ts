import { colorKeyOf, isOnlyLabels, MAX_VALUES_LENGTH, namesInks, valuesIn } from '#brand/styles/notation.ts'
import { withoutValues } from '../../pages/color-name.ts'

type Rows = { header: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * A table with a column for each value that its cells have with a label, such as `CMYK 5 55 90 24; PANTONE 4894 C`. A cell
 * keeps its other words, and a single value below its own label stays where it is.
 */
export function spreadValues({ header, rows }: Rows): Rows {
  const found = rows.map(row =>
    row.map((cell, at) => (mayHaveValues(header[at] ?? '') ? spreadCell(cell, header[at]) : undefined)),
  )
  const titles = [...new Set(found.flatMap(row => row.flatMap(cell => [...(cell?.values.keys() ?? [])])))]
  if (titles.length === 0) return { header, rows }
  const spread = rows.map((row, at) => {
    const cells = found[at] ?? []
    const valueFor = (title: string) => cells.find(cell => cell?.values.has(title))?.values.get(title) ?? ''
    return [...row.map((cell, column) => cells[column]?.rest ?? cell), ...titles.map(valueFor)]
  })
  const isFilled = (at: number) => header[at] === undefined || spread.some(row => row[at] !== '')
  const columns = [...header, ...titles].keys().filter(isFilled).toArray()
  const kept = (row: readonly string[]) => columns.map(at => row[at] ?? '')
  return { header: kept([...header, ...titles]), rows: spread.map(kept) }
}

/** Words about a colour that may name values of others. */
const TEXTS: ReadonlySet<string | undefined> = new Set(['id', 'group', 'use', 'on', 'tintOf', 'proportion'])

function mayHaveValues(label: string): boolean {
  return !TEXTS.has(colorKeyOf(label))
}

/** The values with labels in a cell, and its other words; undefined if the cell is one value, or none. */
function spreadCell(cell: string, label = ''): { values: ReadonlyMap<string, string>; rest: string } | undefined {
  const mayBeLabelled = cell.length <= MAX_VALUES_LENGTH && /[a-z]/i.test(cell.replace(/#[\da-f]+/gi, ''))
  if (!mayBeLabelled) return undefined
  const isValue = (colorKeyOf(label) ?? 'name') !== 'name' || namesInks(label)
  const values = valuesIn(cell)
  if (values.size < (isValue ? 2 : 1)) return undefined
  const rest = withoutValues(cell)
  if (isOnlyLabels(rest)) return { values, rest: '' }
  // Words with a value are a name, or say where the value is used.
  return colorKeyOf(label) === 'name' ? { values, rest } : undefined
}
