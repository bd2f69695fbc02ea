import { ok } from '../../base/result.ts'
import { encodeInSteps, inSteps } from '../../base/steps.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import type { MakeExport } from '../format.ts'
import { ALL_TYPE_FIELDS } from '../style-fields.ts'
import { csvLine, escapeFormula, listCell } from './csv.ts'

/** Type styles as a table, one per row, with every authored value. */
export const typesCsv: MakeExport = async ({ publication }) => {
  const rows = await inSteps(await publication.content.types(), typeRow)
  const content = await encodeInSteps([csvLine(['id', ...ALL_TYPE_FIELDS]), ...rows])
  return ok({ files: [{ path: 'types.csv', content }], leftOut: [] })
}

function typeRow(style: TypeStyle): string {
  return csvLine([style.id, ...ALL_TYPE_FIELDS.map(field => cellOf(style[field]))])
}

/** Numbers are not escaped: spreadsheets parse `-0.02` as a number, not as a formula. */
function cellOf(value: TypeStyle[(typeof ALL_TYPE_FIELDS)[number]]): string {
  if (value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  return escapeFormula(typeof value === 'string' ? value : listCell(isList(value) ? value : settingsOf(value)))
}

/** `Array.isArray` does not narrow to a readonly list. */
function isList(value: readonly string[] | Readonly<Record<string, number>>): value is readonly string[] {
  return Array.isArray(value)
}

/** OpenType features and axes: a tag of four characters, `=`, and its value. */
function settingsOf(settings: Readonly<Record<string, number>>): string[] {
  return Object.entries(settings).map(([tag, value]) => `${tag}=${value}`)
}
