import { isPlaceholder } from '#brand/placeholder.ts'
import { typeKeyOf } from '#brand/styles/type-labels.ts'
import type { FoundStyle, Notes } from '#brand/tokens/found-styles.ts'
import { weightOfName } from '#formats/font/font-weight.ts'
import { jsonText } from '#formats/json/json.ts'
import { wordSet } from '#platform/base/text.ts'
import { type Grid, gridOfRows, plainCell, uprightRows } from '../../pages/grid.ts'
import { readRows } from './csv.ts'

/**
 * The type styles in a table of a page or document that has a column of sizes and another of families, weights, leading
 * or tracking; empty for other tables, such as those of paper. Rows may be columns. Of columns that differ in what is in
 * brackets, such as the device, the first one counts. Without a label of sizes, the cells decide.
 */
export function readTypeTable({ header, rows }: Grid, notes: Notes): FoundStyle[] {
  const grid = gridOfRows(uprightRows([header, ...rows].map(row => row.map(plainCell))))
  // Other columns are text for readers, which stays on the page.
  const labels = grid.header.map(
    label => [label, ...label.split('(', 1)].find(each => typeKeyOf(each) !== undefined) ?? '',
  )
  const [sizesAt = -1] = labels.some(label => typeKeyOf(label) === 'size') ? [] : sizeColumns(grid)
  if (labels[sizesAt] === '') labels[sizesAt] = 'size'
  const keys = new Set(labels.map(typeKeyOf).filter(key => VALUES.has(key)))
  if (!keys.has('size') || keys.size < 2) return []
  const cells = grid.rows.map(row => row.map(cell => (isPlaceholder(cell) ? '' : cell)))
  const read = (to: Notes) => readRows(labels, cells, 'types', 1, to).filter(isMeant)
  return read(new Map()).length > 0 ? read(notes) : []
}

/** The keys of columns that together make a table one of type styles. */
const VALUES: ReadonlySet<string | undefined> = wordSet('family size weight leading tracking')

/** The places of columns whose cells mostly are sizes in px. */
function sizeColumns({ header, rows }: Grid): number[] {
  const isSize = (row: readonly string[], at: number) => /^\d[\d.]{0,5}\s?px$/.test(`${row[at]}`)
  return [...header.keys()].filter(at => rows.filter(row => isSize(row, at)).length * 2 > rows.length)
}

/** Whether a style has a size and another value. */
function isMeant({ fields }: FoundStyle): boolean {
  const weight = jsonText(fields.get('weight') ?? '')
  const isWeight = weightOfName(weight) !== undefined || /^[1-9]\d{2}(?!\S)/.test(weight)
  return fields.has('size') && (isWeight || ['family', 'leading', 'tracking'].some(key => fields.has(key)))
}
