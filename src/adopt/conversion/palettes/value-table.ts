import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, namesValue, valuesIn } from '#brand/styles/notation.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import type { FoundStyle, Notes } from '#brand/tokens/found-styles.ts'
import { jsonText } from '#formats/json/json.ts'
import { anyOf, wordsIn } from '#platform/base/text.ts'
import { findName, isOfProperties } from '../../pages/color-name.ts'
import { type Grid, gridOfRows, plainCell, uprightRows } from '../../pages/grid.ts'
import { belowHeading, DASH } from './below-heading.ts'
import { readRows, tableKind } from './csv.ts'
import { spreadValues } from './spread-values.ts'

type ValueGrid = Grid & { heading?: string | undefined }

/**
 * The colours in a table of a page or document, as text with the marks of Markdown or HTML. Rows may be columns. Columns
 * without values are text for readers, which stays on the page. The heading above them names a scale or a group.
 */
export function readValueTable({ header, rows, heading }: ValueGrid, notes: Notes): FoundStyle[] {
  const writtenRows = [header, ...rows]
  const columns = [...Array(Math.max(...writtenRows.map(({ length }) => length))).keys()]
  const plainRows = writtenRows.map(row => columns.map(at => plainCell(row[at] ?? '')))
  const grid = belowHeading(spreadValues(gridOfRows(uprightRows(plainRows))), heading)
  const ofValues = grid.header.map(label => label.split(' ').some(namesValue))
  const labels = grid.header.map((label, at) => (ofValues[at] || colorKeyOf(label) !== undefined ? label : ''))
  const cells = grid.rows.map(row => row.map((cell, at) => (ofValues[at] && isPlaceholder(cell) ? '' : cell)))
  return colorsOfGrid({ header: labels, rows: cells }, notes, 'Name')
}

/**
 * The colours in a grid that has a column with names and one with values for screens or print, by the columns that lists of
 * colours have; empty for other grids. Where a header says nothing, the cells decide. Without words, the names are in the
 * column with the label `names`. Notes what a colour has no place for, such as a second column of CMYK.
 */
export function colorsOfGrid({ header, rows }: Grid, notes: Notes, names?: string): FoundStyle[] {
  const keyedHeader = namedHeader({ header, rows }, names)
  const namedRows = rows.map(row => withName(row, keyedHeader.indexOf('name')))
  const read = (to: Notes) => readRows(keyedHeader, namedRows, 'colors', 1, to)
  if (tableKind(keyedHeader) !== 'colors' || !read(new Map()).some(hasValue)) return []
  // A value that is cut or has an alpha is noted; words in a column of values are no colour.
  const isMeant = (color: FoundStyle) => hasValue(color) || String(color.fields.get('hex')).startsWith('#')
  const colors = read(notes).filter(isMeant)
  return colors.map(color => ({ ...color, name: color.name.replace(NAME_MARKS, '') }))
}

/** A row whose name is its first other words, else its hex, if it only has a dash for a name. */
function withName(row: readonly string[], nameAt: number): readonly string[] {
  const isWords = (cell: string) => /\p{L}{2}/u.test(cell) && valuesIn(cell).size === 0
  const [name] = [...row.filter(isWords), ...row.filter(isHex)]
  return name !== undefined && DASH.test(row[nameAt] ?? '') ? row.with(nameAt, name) : row
}

const BADGES = anyOf(wordsIn('NEW, NEU, NUEVO, NOUVEAU, NUOVO, NOVO, NIEUW, NY'))
/** The sign of a variable, a coloured dot, or a badge in capitals before a name: `NEU Pink`. */
const NAME_MARKS = new RegExp(String.raw`^(?:--|\p{S}+\ufe0f?\s*|${BADGES}\s(?=.\p{Ll}))(?=\S)`, 'u')

/** Whether a value for screens or print is one, since "web" and "print" also name other columns. Inks have three signs. */
function hasValue({ fields }: FoundStyle): boolean {
  const texts = Array.from(fields, ([key, value]) => [key, jsonText(value)] as const)
  return texts.some(([key, text]) => namesValue(key) && text.length >= MIN_VALUE && valuesIn(`${key} ${text}`).size > 0)
}

const MIN_VALUE = 3

/** The header with `hex` and `name` where the cells say so; empty if it names no colours. */
function namedHeader({ header, rows }: Grid, names: string | undefined): string[] {
  const columns = header.map((label, at) =>
    columnOf(
      label,
      rows.flatMap(row => row[at] || []),
    ),
  )
  const ownNames = columns.find(({ label }) => label === names)
  const nameColumn = (ownNames?.areHex ? ownNames : findName(columns)) ?? ownNames
  if (nameColumn === undefined || isOfProperties(header) || isOfPairs(columns, nameColumn)) return []
  const hasHex = columns.some(({ key }) => key === 'hex')
  const hexColumn = columns.find(({ mayBeHex }) => mayBeHex && !hasHex)
  const named = new Map([[nameColumn, 'name'] as const, [hexColumn, 'hex'] as const])
  return columns.map(column => named.get(column) ?? (column.key === 'name' ? '' : column.label))
}

type Column = ReturnType<typeof columnOf>

/** Whether columns are the colours of pairs, such as a text and its ground, that only a use or a third colour names. */
function isOfPairs(columns: readonly Column[], { key, texts }: Column): boolean {
  const isVague = key === 'use' || texts.some(isHex)
  return isVague && columns.filter(({ mayBeHex }) => mayBeHex).length > 1
}

/** A column whose cells are words, or most of them hex. Hex without letters below a label of no field are other numbers. */
function columnOf(label: string, cells: readonly string[]) {
  const key = colorKeyOf(label)
  const values = cells.filter(text => !isPlaceholder(text))
  const hexes = values.filter(isHex)
  const areHex = hexes.length * 2 > values.length
  const areColors = key === 'name' || (key === undefined && hexes.some(text => Number.isNaN(Number(text.slice(1)))))
  return { label, key, areHex, mayBeHex: areHex && areColors, texts: areHex ? [] : cells }
}

/** Whether a text is three or six hex digits behind their sign. */
export function isHex(text: string): boolean {
  return text.startsWith('#') && parseHex(text).ok
}
