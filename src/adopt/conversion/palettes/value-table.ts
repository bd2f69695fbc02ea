import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, namesValue, valuesIn } from '#brand/styles/notation.ts'
import { addNote, type FoundStyle, type Notes } from '#brand/tokens/found-styles.ts'
import { jsonText } from '#formats/json/json.ts'
import { findName, isOfProperties } from '../../pages/color-name.ts'
import { gridOfRows, plainCell, uprightRows } from '../../pages/grid.ts'
import { readRows, tableKind } from './csv.ts'
import { spreadValues } from './spread-values.ts'

/** A table of a page or document, as text with the marks of Markdown or HTML, or of data, whose `name` is one. */
type Table = { header: readonly string[]; rows: readonly (readonly string[])[]; isData?: boolean }

/**
 * The colours in a table that has a column with names and one with values for screens or print, by the columns that lists
 * of colours have; empty for other tables. Where a header says nothing, the cells decide. Rows may be columns. Notes
 * what a colour has no place for, such as a second column of CMYK.
 */
export function readValueTable(table: Table, notes: Notes): FoundStyle[] {
  const writtenRows = [table.header, ...table.rows]
  const columns = [...Array(Math.max(...writtenRows.map(({ length }) => length))).keys()]
  const plainRows = writtenRows.map(row => columns.map(at => plainCell(row[at] ?? '')))
  const { header, rows } = spreadValues(
    table.isData ? { ...table, rows: plainRows.slice(1) } : gridOfRows(uprightRows(plainRows)),
  )
  const keyedHeader = namedHeader(header, rows, table.isData)
  if (keyedHeader === undefined) return []
  const values = keyedHeader.map(label => !table.isData && namesValue(label))
  const cells = rows.map(row => row.map((cell, at) => (values[at] && isPlaceholder(cell) ? '' : cell)))
  const tableNotes: Notes = new Map()
  const colors = readRows(keyedHeader, cells, 'colors', 1, tableNotes)
  if (!colors.some(hasValue)) return []
  // Other columns of a page are text for readers, which stays there.
  const isOther = (name: string) => !table.isData && !name.split(' ').some(namesValue)
  for (const { kind, detail, subjects } of tableNotes.values())
    for (const subject of subjects)
      if (kind !== 'unknownColumn' || !isOther(subject.name)) addNote(notes, subject, kind, detail)
  // A value that is cut or has an alpha is noted; words in a column of values are no colour.
  const isMeant = (color: FoundStyle) => hasValue(color) || jsonText(color.fields.get('hex') ?? '').startsWith('#')
  return colors.filter(isMeant).map(color => ({ ...color, name: color.name.replace(NAME_MARKS, '') }))
}

/** The sign of a variable, or a coloured dot, before a name. */
const NAME_MARKS = /^(?:--|\p{S}+\ufe0f?\s*)(?=\S)/u

/** Whether a value for screens or print is one, since "web" and "print" also name other columns. Inks have three signs. */
function hasValue({ fields }: FoundStyle): boolean {
  const texts = Array.from(fields, ([key, value]) => [key, jsonText(value)] as const)
  return texts.some(([key, text]) => namesValue(key) && text.length >= MIN_VALUE && valuesIn(`${key} ${text}`).size > 0)
}

const MIN_VALUE = 3

/** The header with `hex` and `name` where the cells say so; undefined if it names no colours. */
function namedHeader(header: readonly string[], rows: Table['rows'], isData = false): string[] | undefined {
  const columns = header.map((label, at) => {
    const texts = rows.flatMap(row => row[at] || [])
    const values = texts.filter(text => !isPlaceholder(text))
    const most = isData && label !== 'name' ? 1 : values.length
    const areHex = values.filter(text => HEX.test(text)).length >= Math.max(1, most)
    return { label, areHex, texts: areHex ? [] : texts, hasLetters: /[a-f]/i.test(values.join('')) }
  })
  const keys = header.map(colorKeyOf)
  const hexColumn = keys.includes('hex')
    ? undefined
    : columns.find(
        ({ areHex, hasLetters }, at) => areHex && (hasLetters ? [undefined, 'name'] : ['name']).includes(keys[at]),
      )
  // The names of data are its keys, which may be numbers.
  const mayBeNumbers = isData && !isOfProperties(header)
  const nameColumn = findName(columns) ?? columns.find(({ label }) => mayBeNumbers && label === 'name')
  const named = new Map([[nameColumn, 'name'] as const, [hexColumn, 'hex'] as const])
  const newHeader = columns.map((column, at) => named.get(column) ?? (keys[at] === 'name' ? '' : column.label))
  return nameColumn !== undefined && tableKind(newHeader) === 'colors' ? newHeader : undefined
}

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
