import { colorColumns } from '#brand/color.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, inkSystem, namesInks } from '#brand/styles/notation.ts'
import { typeKeyOf, unitIn } from '#brand/styles/type-labels.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes, type Subject } from '#brand/tokens/found-styles.ts'
import type { Json } from '#formats/json/json.ts'
import { csvRows } from '#formats/palette/csv-rows.ts'
import { errorMessage } from '#platform/base/error.ts'
import { valuesAt, withoutUndefined } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { normalText, quote, wordTable } from '#platform/base/text.ts'
import { type Grid, gridOfRows, MAX_HEADER_ROWS, type Rows, uprightRows } from '../../pages/grid.ts'
import { typeStyleOf } from '../tokens/type-tokens.ts'
import { spreadValues } from './spread-values.ts'

/**
 * Reads a table (RFC 4180, also with semicolons or tabs) with a column, or a row, for each key; undefined if none of the
 * first lines names keys of colours or type styles. The problem ends a sentence.
 */
export function readCsv(file: string, notes: Notes): Result<FoundStyles, string> | undefined {
  const text = normalText(file)
  const table = tableOf(text)
  if (table === undefined) return undefined
  const { delimiter, start } = table
  const columns = Math.max(...text.split('\n', MAX_FIRST_ROWS).map(line => line.split(delimiter).length))
  if (columns > MAX_COLUMNS)
    return failed(
      `has ${columns.toLocaleString('en')} columns, but a table may have at most ${MAX_COLUMNS.toLocaleString('en')}; keep only the columns with style values`,
    )
  let rows: string[][]
  try {
    rows = csvRows(text, delimiter)
  } catch (error) {
    return failed(`is not a table of comma-separated values: ${errorMessage(error)}`)
  }
  const upright = uprightRows(rows.slice(start))
  const grid = gridOfStyles(upright)
  if (grid === undefined) return undefined
  // Spreadsheets may have a line `sep=;` above all others.
  noteAbove(rows.slice(Number(text.startsWith('sep=')), start + MAX_FIRST_ROWS).flat(), grid, notes)
  const { kind } = grid
  const { header, rows: records } = KINDS[kind].table(grid)
  const first = start + upright.length - grid.rows.length + 1
  return ok({ colors: [], types: [], [kind]: readRows(header, records, kind, first, notes), notes })
}

/** The separator of a table, and the place of its header: spreadsheets may have a title above it. */
function tableOf(text: string): { delimiter: string; start: number } | undefined {
  const tables = [',', ';', '\t'].map(delimiter => ({ delimiter, rows: firstRows(text, delimiter) }))
  const starts = [...Array(MAX_ROWS_ABOVE).keys()].flatMap(start => tables.map(table => ({ ...table, start })))
  return starts.find(({ rows, start }) => gridOfStyles(uprightRows(rows.slice(start, start + MAX_FIRST_ROWS))))
}

const MAX_ROWS_ABOVE = 10

/** The first rows, each as far as a table may be wide; only the first row if those below are not CSV. */
function firstRows(text: string, delimiter: string): string[][] {
  const counts = [MAX_ROWS_ABOVE + MAX_FIRST_ROWS, 1]
  const reads = counts.map(count => attempt(() => csvRows(text.slice(0, MAX_START), delimiter, count)))
  const rows = reads.find(read => read !== undefined) ?? []
  return rows.map(row => row.slice(0, MAX_COLUMNS))
}

/** Enough for the names of colours, and the labels of their values below. */
const MAX_FIRST_ROWS = 12
const MAX_START = 100_000
/** A style has about twenty keys, and a very wide table takes long to read. */
const MAX_COLUMNS = 1000

type Kind = 'colors' | 'types'

/** The grid of rows that begin with labels of styles, in up to three rows; undefined for other rows. */
function gridOfStyles(rows: Rows): (Grid & { kind: Kind }) | undefined {
  const grids = [1, 2, MAX_HEADER_ROWS].values().map(count => gridOfRows(rows, count))
  const [grid] = grids.flatMap(grid => tableKinds(grid.header).map(kind => ({ ...grid, kind }))).take(1)
  return grid
}

/** Notes the texts in the first rows that are neither a label nor a value, such as a title. */
function noteAbove(texts: readonly string[], { header, rows }: Grid, notes: Notes): void {
  const read = new Set(['', ...rows.flat()])
  for (const text of new Set(texts).difference(read))
    if (!HAS_CHANNELS.has(colorKeyOf(text)) && !header.some(label => label.includes(text)))
      addNote(notes, text, 'aboveTable')
}

/** The styles in rows of cells; `first` is the number of the first row, for notes. */
export function readRows(
  header: readonly string[],
  records: Rows,
  kind: Kind,
  first: number,
  notes: Notes,
): FoundStyle[] {
  const { keysOf, unitOf, styleFrom } = KINDS[kind]
  const keys = keysOf(header)
  const columns = header.map((label, at) => ({ at, label, key: keys[at] ?? '', unit: unitOf(label) }))
  for (const { at, label } of columns.filter(({ key, label }) => key === '' && label.trim() !== ''))
    addNote(notes, withoutUndefined({ name: label, value: textsIn(records, at) }), 'unknownColumn')
  const read = columns.filter(({ key }) => key !== '')
  const rows = records.map((texts, at): Row => {
    const cells = read.map(column => ({ ...column, text: plainNumbers(removeGuards(texts[column.at] ?? ''), column) }))
    return { cells, subject: { name: `row ${at + first}`, line: at + first }, isLonger: texts.length > columns.length }
  })
  clearDamage(rows, notes)
  return rows.flatMap(row => styleOf(row, notes)).map(style => styleFrom(style, notes))
}

/** A column with the key of its values, and the unit of bare numbers. */
type Column = { key: string; unit: string }

type Row = { cells: (Column & { text: string })[]; subject: Subject; isLonger: boolean }

/** The first different texts of a column, and the number of the others; undefined for an empty column. */
function textsIn(records: Rows, column: number): string | undefined {
  const texts = new Set(records.flatMap(cells => cells.slice(column, column + 1)).map(text => text.trim()))
  texts.delete('')
  const others = texts.size > MAX_TEXTS ? [`${texts.size - MAX_TEXTS} more`] : []
  return texts.size === 0 ? undefined : [...[...texts].slice(0, MAX_TEXTS), ...others].join('; ')
}

const MAX_TEXTS = 20

/** How tables of each kind are read: the table with a value in each cell, the keys and units of columns, and a style. */
const KINDS: Readonly<Record<Kind, KindOfTable>> = {
  colors: {
    table: spreadValues,
    keysOf: colorKeys,
    unitOf: () => '',
    styleFrom: style => style,
  },
  types: { table: grid => grid, keysOf: typeKeys, unitOf: unitIn, styleFrom: typeStyleOf },
}

type KindOfTable = {
  table: (grid: Grid) => Grid
  keysOf: (header: readonly string[]) => readonly (string | undefined)[]
  unitOf: (label: string) => string
  styleFrom: (style: FoundStyle, notes: Notes) => FoundStyle
}

/**
 * The keys of columns of colours; those of ink systems have the name behind `INK`. An export of a guide has the columns of a
 * colour, with one for each ink system in the place of `inks`; in other tables, the names of usual systems count.
 */
function colorKeys(header: readonly string[]): (string | undefined)[] {
  // An export begins with the id, which is not among the columns.
  const columns = ['id', ...colorColumns(key => header.includes(key))]
  const start = columns.indexOf('inks')
  const end = header.length - columns.length + start + 1
  const isExport = columns.toSpliced(start, 1).join() === header.toSpliced(start, end - start).join()
  if (isExport) return header.map((label, at) => (at >= start && at < end ? INK + removeGuards(label) : label))
  return header.map(label => (namesInks(label) ? INK + inkSystem(label) : colorKeyOf(label)))
}

const INK = 'ink: '

/** The keys of columns. Without a column of names, they are in the first one that has no value. */
function typeKeys(header: readonly string[]): (string | undefined)[] {
  const keys = header.map(typeKeyOf)
  const first = hasNames(keys) ? -1 : keys.findIndex(key => key === undefined || key === 'style')
  return keys.map((key, at) => (at === first ? 'name' : key))
}

function hasNames(keys: readonly (string | undefined)[]): boolean {
  return keys.includes('name') || keys.includes('id')
}

/** Whether a header names colours or type styles; undefined if it names neither. */
export function tableKind(header: readonly string[]): Kind | undefined {
  return tableKinds(header)[0]
}

/** The kinds of styles that a header names, the surest first. */
function tableKinds(header: readonly string[]): Kind[] {
  const keys = header.map(colorKeyOf)
  const isNamed = hasNames(keys)
  const isOfColors = isNamed && header.some((label, at) => COLOR_VALUES.has(keys[at]) || namesInks(label))
  const typeKeys = header.map(typeKeyOf)
  const { length } = typeKeys.filter(key => TYPE_VALUES.has(key))
  // A word such as *level* may name other things.
  const isOfTypes = isNamed ? length > 0 : length > 1 && typeKeys.includes('name')
  const kinds = { colors: isOfColors, types: isOfTypes }
  return KIND_NAMES.filter(kind => kinds[kind])
}

const KIND_NAMES = ['colors', 'types'] as const
const COLOR_VALUES: ReadonlySet<string | undefined> = new Set(['hex', 'rgb', 'cmyk', 'pms', 'ral', 'r', 'c'])
const TYPE_VALUES: ReadonlySet<string | undefined> = new Set(['family', 'size', 'weight', 'leading'])

/** A cell without the apostrophes that keep spreadsheets from running it, or a part of it, as a formula. */
function removeGuards(cell: string): string {
  return cell.replace(GUARD, '').replace(INNER_GUARD, '')
}

const GUARD = /^'(?=['\s\p{C}]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/u
/** Behind the first sign of a cell, quotation marks may be skipped, too. */
const INNER_GUARD = /(?<=[;\t\r\n])'(?=['"\s\p{C}]{0,1000}[=+\-@\uff1d\uff0b\uff0d\uff20])/gu

/** A cell with decimal points (`12,5`) if it has as many numbers as its column, and a bare number with the column's unit. */
function plainNumbers(text: string, { key, unit }: Column): string {
  const numbers = text.match(NUMBER) ?? []
  const bare = numbers[0] === text ? text + unit : text
  return numbers.length === COUNTS.get(key) ? bare.replace(NUMBER, number => number.replace(',', '.')) : bare
}

const NUMBER = /[-+]?\d+(?:[.,]\d+)?/g

/** How many numbers a cell has below a key. */
const COUNTS = wordTable<number>([
  [1, 'r g b c m y k proportion size leading tracking spacing weight'],
  [4, 'cmyk'],
])

/** Clears hex digits whose zeros a spreadsheet may have removed: `336` below `00AEEF` may have been `000336`. */
function clearDamage(rows: readonly Row[], notes: Notes): void {
  const written = rows.flatMap(({ cells, subject }) =>
    cells.filter(({ key }) => key === 'hex').map(cell => ({ cell, subject, digits: cell.text.replace('#', '') })),
  )
  const isSix = ({ digits }: { digits: string }) => digits.length === HEX_DIGITS
  for (const { cell, subject } of written.some(isSix) ? written : [])
    if (/^\d{1,5}$/.test(cell.text)) {
      addNote(notes, { ...subject, value: cell.text }, 'lostZeros')
      cell.text = ''
    }
}

const HEX_DIGITS = 6

/** The style in the cells of a row; none if it has no name. */
function styleOf({ cells, subject, isLonger }: Row, notes: Notes): FoundStyle[] {
  const texts = textsByKey(cells, notes)
  if (isLonger) addNote(notes, subject, 'moreCells')
  joinChannels(texts, subject, notes)
  const { id, name = id, ...values } = Object.fromEntries(texts)
  const fields = fieldsOf(values)
  if (name !== undefined) return [withoutUndefined({ id, name, fields })]
  if (fields.size > 0) addNote(notes, subject, 'nameless')
  return []
}

/** The cells of a row, keyed by field. The first value that is not a placeholder counts if several columns have one key. */
function textsByKey(cells: Row['cells'], notes: Notes): Map<string, string> {
  const filled = cells.filter(({ text }) => text.trim() !== '')
  const groups = Map.groupBy(filled, ({ key }) => key)
  const texts = new Map<string, string>()
  for (const [key, same] of groups) {
    const { values = [], nothing = [] } = Object.groupBy(new Set(same.map(({ text }) => text)), text =>
      isPlaceholder(text) ? 'nothing' : 'values',
    )
    for (const text of [...values, ...nothing].slice(0, 1)) texts.set(key, text)
    for (const text of values.slice(1)) addNote(notes, text, 'secondValue', key)
  }
  return texts
}

/** Joins values in columns of their own, such as `r`, `g` and `b`, to one under the key of the colour. */
function joinChannels(texts: Map<string, string>, row: Subject, notes: Notes): void {
  for (const [key, channels] of CHANNELS) {
    const values = valuesAt(texts, channels)
    const { length } = values
    if (length === channels.length) texts.set(key, texts.get(key) ?? values.join(','))
    else if (length > 0)
      addNote(notes, row, 'someOfValues', `${length} of the ${channels.length} values of ${quote(key)}`)
    for (const channel of channels) texts.delete(channel)
  }
}

const CHANNELS = [
  ['rgb', ['r', 'g', 'b']],
  ['cmyk', ['c', 'm', 'y', 'k']],
] as const
const HAS_CHANNELS: ReadonlySet<string | undefined> = new Set(CHANNELS.map(([key]) => key))

/** The values of a row by key, and its inks by system. */
function fieldsOf(texts: Readonly<Record<string, string>>): Map<string, Json> {
  const { inks = [], values = [] } = Object.groupBy(Object.entries(texts), ([key]) =>
    key.startsWith(INK) ? 'inks' : 'values',
  )
  const fields = new Map(values.map(([key, text]): [string, Json] => [key, LISTS.get(key)?.(itemsIn(text)) ?? text]))
  if (inks.length > 0) fields.set('inks', new Map(inks.map(([key, text]) => [key.slice(INK.length), text])))
  return fields
}

/** A cell contains a list as a table row: `a, "b, c"`; an invalid row is a single item. */
function itemsIn(text: string): readonly string[] {
  return attempt(() => csvRows(text, ',', 1)[0]) ?? [text]
}

/** How lists in cells are read; a setting is a tag and a value: `liga=0`, `wght: 600`. */
const LISTS = wordTable<(items: readonly string[]) => Json>([
  [items => items, 'on fallback'],
  [items => new Map(items.map(settingIn)), 'features axes'],
])

function settingIn(item: string): [tag: string, value: string] {
  const [tag = '', ...values] = item.split(/[=:\s]+/)
  return [tag, values.join(' ')]
}
