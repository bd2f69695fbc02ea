import { colorColumns } from '#brand/color.ts'
import { ok } from '#platform/base/result.ts'
import { guideName } from '#serving/publications/publications.ts'
import { ALL_TYPE_FIELDS, type MakeExport, textFile } from './format.ts'

/** Colours as a table, one per row, with every authored value; a column for each ink system follows `ral`. */
export const colorsCsv: MakeExport = async ({ publication }) => {
  const colors = await publication.content.colors()
  const systems = [...new Set(colors.flatMap(({ inks = {} }) => Object.keys(inks)))]
  const columns = colorColumns(key => colors.some(color => color[key] !== undefined))
  const keys = [...new Set(columns.flatMap(key => (key === 'inks' ? systems : key)))]
  return tableOf(
    'colors.csv',
    keys,
    colors.map(({ inks, ...color }) => ({ ...inks, ...color })),
  )
}

/** Type styles as a table, one per row, with every authored value. */
export const typesCsv: MakeExport = async ({ publication }) =>
  tableOf('types.csv', ALL_TYPE_FIELDS, await publication.content.types())

/** A table with the id and these keys as columns, and a row for each style. */
async function tableOf<Key extends string>(
  path: string,
  keys: readonly Key[],
  styles: readonly (Readonly<Partial<Record<Key, Value>>> & { id: string })[],
) {
  const rows = styles.map(style => {
    // An ink may have the name of a method that every object inherits.
    const values = new Map<string, Value>(Object.entries(style))
    return csvLine([style.id, ...keys.map(key => cellOf(values.get(key)))])
  })
  return ok({ files: [textFile(path, [csvLine(['id', ...keys.map(escapeFormula)]), ...rows])], leftOut: [] })
}

/** A value of a style: OpenType features and axes are tags with numbers. */
type Value = string | number | boolean | readonly string[] | Readonly<Record<string, number>> | undefined

/** A value as the text of a cell. Numbers are not escaped: spreadsheets parse `-0.02` as a number, not as a formula. */
function cellOf(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeFormula(value)
  if (typeof value !== 'object') return `${value}`
  return escapeFormula(listCell(isList(value) ? value : settingsOf(value)))
}

/** Whether a value is a list. `Array.isArray` does not narrow to a readonly list. */
function isList(value: readonly string[] | Readonly<Record<string, number>>): value is readonly string[] {
  return Array.isArray(value)
}

/** OpenType features and axes: a tag of four characters, `=`, and its value. */
function settingsOf(settings: Readonly<Record<string, number>>): string[] {
  return Object.entries(settings).map(([tag, value]) => `${tag}=${value}`)
}

/** A row of CSV (RFC 4180), with cells quoted if necessary. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteIfNeeded).join(',')}\r\n`
}

/**
 * A string as a cell that no spreadsheet parses as a formula. A formula gets an apostrophe before it. A string with
 * apostrophes before a formula gets one more, so that removing one restores the string. The same applies after each
 * semicolon, tab and line break, since some spreadsheets start a cell there.
 */
export function escapeFormula(text: string): string {
  const inner = text.replace(INNER_FORMULA, skipped => skipped.replace(/[;\t\r\n]/g, "$&'"))
  return FORMULA.test(inner) ? `'${inner}` : inner
}

/** The start of a formula, in any width, after characters that programs may skip. */
const FORMULA = /^['\s\p{C}]*[=+\-@\t\r＝＋－＠]/u

/**
 * Characters before a formula that start a cell in some spreadsheets, with quotes and others that are skipped: `; "` in
 * `a; "=1+1`. A match begins with the first of several such characters in a row.
 */
const INNER_FORMULA = /[;\t\r\n](?<![;\t\r\n]['"\s\p{C}]*?[\t\r\n])['"\s\p{C}]*(?=[=+\-@＝＋－＠])/gu

/** A list as the content of one cell: itself a line of CSV, with a space after each comma. */
export function listCell(items: readonly string[]): string {
  return items.map(quoteIfNeeded).join(', ')
}

/** Some readers lose spaces at the ends of unquoted cells. */
function quoteIfNeeded(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Colours and type styles with every authored value, under the field names of the API and the folder. */
export const stylesJson: MakeExport = async source => {
  const { publication, isPublished } = source
  const { revision, snapshot } = publication.published
  const head = { name: guideName(source), ...(isPublished && { revision }), snapshot }
  const { colors, types } = publication.content
  const parts = [
    // Without the last line break and brace: the lists are members of the same object.
    `${JSON.stringify(head, null, 2).slice(0, -2)},\n`,
    ...listValues('colors', await colors()),
    ',\n',
    ...listValues('types', await types()),
    '\n}\n',
  ]
  return ok({ files: [textFile('styles.json', parts)], leftOut: [] })
}

/** A list of values, one per line, so that two versions are easy to compare. */
function listValues(name: string, values: readonly object[]): string[] {
  if (values.length === 0) return [`  "${name}": []`]
  const lines = values.map((value, at) => `${at === 0 ? '' : ','}\n    ${JSON.stringify(value)}`)
  return [`  "${name}": [`, ...lines, '\n  ]']
}
