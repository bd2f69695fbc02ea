import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, namesValue, valuesIn } from '#brand/styles/notation.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type Notes } from '#brand/tokens/found-styles.ts'
import { findName, isOfProperties } from '../../pages/color-name.ts'
import { gridOfRows, uprightRows } from '../../pages/grid.ts'
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
  const tableNotes: Notes = new Map()
  const isText = (at: number) => TEXTS.has(colorKeyOf(keyedHeader?.[at] ?? '') ?? '')
  const withoutPlaceholder = (cell: string, at: number) => (isPlaceholder(cell) && !isText(at) ? '' : cell)
  const values = table.isData ? rows : rows.map(row => row.map(withoutPlaceholder))
  const colors = keyedHeader === undefined ? [] : readRows(keyedHeader, values, 'colors', 1, tableNotes)
  if (!colors.some(hasValue)) return []
  // Other columns of a page are text for readers, which stays there.
  for (const { kind, detail, subjects } of tableNotes.values())
    for (const subject of subjects)
      if (table.isData || kind !== 'unknownColumn' || subject.name.split(' ').some(namesValue))
        addNote(notes, subject, kind, detail)
  // A value that is cut or has an alpha is noted; words in a column of values are no colour.
  const isMeant = (color: FoundStyle) => hasValue(color) || /^#/.test(String(color.fields.get('hex')))
  return colors.filter(isMeant).map(color => ({ ...color, name: color.name.replace(NAME_MARKS, '') }))
}

/** The keys whose words are never placeholders. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'id', 'group', 'use', 'on', 'tintOf'])
/** The sign of a variable, or a coloured dot, before a name. */
const NAME_MARKS =
  /^(?:--|\$|[\u25a0-\u25ff\u26aa\u26ab\u2b1b\u2b1c\u{1f534}\u{1f535}\u{1f7e0}-\u{1f7eb}]\ufe0f?\s*)(?=\S)/u

/** Whether a value for screens or print is one, since "web" and "print" also name other columns. */
function hasValue({ fields }: FoundStyle): boolean {
  return Object.entries(FORMS).some(([key, form]) => form(String(fields.get(key) ?? '')))
}

/** The forms of values by key. A number with fewer digits than those of inks may be anything. */
const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  hex: text => parseHex(text).ok,
  rgb: text => /\d\D+\d+\D+\d/.test(text),
  cmyk: text => /(?:\d\D+){3}\d/.test(text),
  pms: text => /[a-z\d]{3}/i.test(text) && valuesIn(`PMS ${text}`).has('Pantone'),
  ral: text => valuesIn(`RAL ${text}`).has('RAL'),
}

/** A cell without marks, pictures and the address of links. */
export function plainCell(cell: string): string {
  // Pictures and tags; then links, of which the text stays; then marks of emphasis and code.
  const text = cell
    .replace(/!\[(?<!!\[[^\]]*?!\[)[^\]]*\]\((?<!!\[[^\]]*\]\([^)]*?\]\()[^)]*\)|<(?<!<[^>]*?<)[^>]*>/g, ' ')
    .replace(/\[(?<!\[[^\]]*?\[)([^\]]*)\]\((?<!\[[^\]]*\]\([^)]*?\]\()[^)]*\)/g, '$1')
    .replace(/[`*\\]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return CHANNELS.test(text) ? text.replace(/(?:(?<!\s)\s+)?[-–·•|]\s*/g, ', ') : text
}

/** Channels between marks that separate none in a list of colours: `20-0-100-0`. */
const CHANNELS = /^\d{1,3}(?:\s*[-–·•|]\s*\d{1,3}){2,3}$/

/** The header with `hex` and `name` where the cells say so; undefined if it names no colours. */
function namedHeader(header: readonly string[], rows: Table['rows'], isData = false): string[] | undefined {
  const columns = header.map((label, at) => {
    const texts = rows.flatMap(row => row[at] || [])
    const values = texts.filter(text => !isPlaceholder(text))
    const areHex = values.length > 0 && values[isData && label !== 'name' ? 'some' : 'every'](text => HEX.test(text))
    return { label, areHex, texts: areHex ? [] : texts, hasLetters: areHex && texts.some(text => /[a-f]/i.test(text)) }
  })
  const keys = header.map(colorKeyOf)
  const isHex = ({ areHex, hasLetters }: (typeof columns)[number], at: number) =>
    areHex && (keys[at] === 'name' || (keys[at] === undefined && hasLetters))
  const hexColumn = keys.includes('hex') ? undefined : columns.find(isHex)
  // The names of data are its keys, which may be numbers.
  const mayBeNumbers = isData && !isOfProperties(header)
  const nameColumn = findName(columns) ?? columns.find(({ label }) => mayBeNumbers && label === 'name')
  const newHeader = columns.map((column, at) =>
    column === hexColumn ? 'hex' : column === nameColumn ? 'name' : keys[at] === 'name' ? '' : column.label,
  )
  return nameColumn !== undefined && tableKind(newHeader) === 'colors' ? newHeader : undefined
}

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
