import { parseHex } from '../../brand/styles/screen-color.ts'
import type { FoundStyle } from '../found-styles.ts'
import { keyOf, readRows, tableKind, USUAL_INKS } from './csv.ts'

/** A table of a page or document, as text with the marks of Markdown or HTML. */
type Table = { header: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * The colours in a table that has a column with names and one with values for screens, by the columns that lists of
 * colours have; empty for other tables. Where a header says nothing, the cells decide. Rows may be columns.
 */
export function readValueTable(table: Table): FoundStyle[] {
  const lines = [table.header, ...table.rows].map(cells => cells.map(plainCell))
  const turned = lines[0]?.map((_, at) => lines.map(cells => cells[at] ?? '')) ?? []
  const isTurned = turned[0]?.some(cell => /^(?:hex|rgb)$/.test(keyOf(cell, 'colors') ?? ''))
  const [header = [], ...rows] = isTurned ? turned : lines
  const named = namedHeader(header, rows)
  const colors = named === undefined ? [] : readRows(named, rows, 'colors', 1, new Map())
  // A value that is cut or has an alpha is noted; words in a column of values are no colour.
  const isMeant = (color: FoundStyle) => hasValue(color) || /^#/.test(String(color.fields.get('hex')))
  return colors.some(hasValue) ? colors.filter(isMeant) : []
}

/** Whether a value for screens or print is one, since "web" and "print" also name other columns. */
function hasValue({ fields }: FoundStyle): boolean {
  const text = (key: string) => String(fields.get(key) ?? '')
  return parseHex(text('hex')).ok || /\d\D+\d+\D+\d/.test(text('rgb')) || /(?:\d\D+){3}\d/.test(text('cmyk'))
}

/** A cell without marks, pictures and the address of links; a dash says that there is no value. */
function plainCell(cell: string): string {
  const text = cell
    .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]*>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return /^(?:\p{Pd}+|n\/?a|none|keine?r?|\/)$/iu.test(text) ? '' : text
}

/** The header with `hex` and `name` where the cells say so; undefined if it names no colours. */
function namedHeader(header: readonly string[], rows: readonly (readonly string[])[]): string[] | undefined {
  const columns = header.map((cell, at) => ({ cell, at, texts: rows.flatMap(row => row[at] || []) }))
  const known = columns.map(({ cell }) => (USUAL_INKS.test(cell) ? 'inks' : keyOf(cell, 'colors')))
  const isHex = columns.map(({ at, texts }) => {
    const areHex = texts.length > 0 && texts.every(text => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text))
    return areHex && (known[at] === 'name' || (known[at] === undefined && texts.some(text => /[a-f]/i.test(text))))
  })
  const hex = known.includes('hex') ? -1 : isHex.indexOf(true)
  const hasWords = ({ at, texts }: (typeof columns)[number]) => !isHex[at] && texts.some(text => /\p{L}{2}/u.test(text))
  const names = columns.filter(column => (known[column.at] ?? 'name') === 'name' && hasWords(column))
  const name = (
    names.find(({ cell }) => /^name$/i.test(cell)) ??
    names.find(({ at }) => known[at] === 'name') ??
    names[0]
  )?.at
  const written = header.map((cell, at) =>
    at === hex ? 'hex' : at === name ? 'name' : known[at] === 'name' ? '' : cell,
  )
  return name !== undefined && tableKind(written) === 'colors' ? written : undefined
}
