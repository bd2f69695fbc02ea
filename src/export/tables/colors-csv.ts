import { ok } from '../../base/result.ts'
import { encodeInSteps, inSteps } from '../../base/steps.ts'
import { COLOR_COLUMNS, type Color } from '../../brand/color.ts'
import type { MakeExport } from '../format.ts'
import { csvLine, escapeFormula, listCell } from './csv.ts'

/** Colours as a table, one per row, with every authored value. */
export const colorsCsv: MakeExport = async ({ publication }) => {
  const rows = await inSteps(await publication.content.colors(), colorRow)
  const content = await encodeInSteps([csvLine(['id', ...COLOR_COLUMNS]), ...rows])
  return ok({ files: [{ path: 'colors.csv', content }], leftOut: [] })
}

function colorRow(color: Color): string {
  return csvLine([color.id, ...COLOR_COLUMNS.map(field => cellOf(color[field]))])
}

function cellOf(value: Color[(typeof COLOR_COLUMNS)[number]]): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return `${value}`
  return escapeFormula(typeof value === 'string' ? value : listCell(value))
}
