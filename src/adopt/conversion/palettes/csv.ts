import { colorColumns } from '#brand/color.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, inkSystem, namesInks } from '#brand/styles/notation.ts'
import { typeKeyOf, unitIn } from '#brand/styles/type-labels.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes, type Subject } from '#brand/tokens/found-styles.ts'
import type { Json } from '#formats/json/json.ts'
import { csvRows } from '#formats/palette/csv-rows.ts'
import { errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { groupsOf, quote } from '#platform/base/text.ts'
import { type Grid, gridOfRows, headerOf, MAX_HEADER_ROWS, type Rows, uprightRows } from '../../pages/grid.ts'
import { typeStyleOf } from '../tokens/type-tokens.ts'
import { spreadValues } from './spread-values.ts'

/**
 * Reads a table (RFC 4180, also with semicolons or tabs) with a column, or a row, for each key; undefined if none of the
 * first lines names keys of colours or type styles. The problem ends a sentence.
 */
export function readCsv(file: string, notes: Notes): Result<FoundStyles, string> | undefined {
  const found = tableOf(file)
  if (found === undefined) return undefined
  const { linesAbove, text, delimiter } = found
  const columns = Math.max(...text.split(/[\r\n]/, MAX_FIRST_ROWS).map(line => line.split(delimiter).length))
  if (columns > MAX_COLUMNS)
    return failed(
      `has ${columns.toLocaleString('en')} columns, but a table may have at most ${MAX_COLUMNS.toLocaleString('en')}; keep only the columns with style values`,
    )
  let rows: string[][]
  try {
    // Empty lines instead of those above, so that errors and notes name the right one.
    rows = csvRows('\n'.repeat(linesAbove.length) + text, delimiter).slice(linesAbove.length)
  } catch (error) {
    return failed(`is not a table of comma-separated values: ${errorMessage(error)}`)
  }
  const upright = uprightRows(rows)
  const grid = gridOfStyles(upright) ?? gridOfRows(upright)
  const kind = tableKind(grid.header) ?? 'colors'
  const read = new Set(grid.rows.flat())
  const isLeft = (text: string) => !read.has(text) && !grid.header.some(label => label.includes(text))
  const texts = rows.slice(0, MAX_FIRST_ROWS).flat().filter(isLeft)
  for (const text of [...linesAbove.map(trimLine), ...new Set(texts)])
    if (/[^\s,;]/.test(text) && !CHANNELS.some(([key]) => key === colorKeyOf(text))) addNote(notes, text, 'aboveTable')
  const { header, rows: records } = KINDS[kind].table(grid)
  const first = linesAbove.length + upright.length - grid.rows.length + 1
  return ok({ colors: [], types: [], [kind]: readRows(header, records, kind, first, notes), notes })
}

/** A line without the separators at its end. */
function trimLine(line: string): string {
  return line.replace(/(?<![\s,;])[\s,;]+$/, '')
}

/** The grid of rows that begin with labels of styles, in up to three rows; undefined for other rows. */
function gridOfStyles(rows: Rows): Grid | undefined {
  const counts = [1, 2, MAX_HEADER_ROWS]
  const count = counts.find(each => tableKind(headerOf(rows.slice(0, each))) !== undefined)
  return count === undefined ? undefined : gridOfRows(rows, count)
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
  const [keys, inks] = [keysOf(header), inkColumns(header)]
  const columns = header.map((label, at): Column => {
    const ink = inks.get(at)
    return { label, ink, key: ink === undefined ? keys[at] : undefined, unit: unitOf(label) }
  })
  const rows = records.map((texts, at): Row => {
    const cells = columns.map((column, at) => ({ ...column, text: texts[at] ?? '' }))
    return { cells, subject: { name: `row ${at + first}`, line: at + first }, isLonger: texts.length > columns.length }
  })
  for (const [at, { key, ink, label }] of columns.entries()) {
    const isUnknown = key === undefined && ink === undefined && label.trim() !== ''
    if (isUnknown) addNote(notes, { name: label, ...textsIn(rows, at) }, 'unknownColumn')
  }
  clearDamage(rows, notes)
  return rows.flatMap(row => styleOf(row, notes)).map(style => styleFrom(style, notes))
}

/** A column with the key of its values, and the unit of bare numbers, or with an ink system; with neither, it is left out. */
type Column = { label: string; key: string | undefined; ink: string | undefined; unit: string }

type Row = { cells: (Column & { text: string })[]; subject: Subject; isLonger: boolean }

/** The first different texts of a column, and the number of the others; nothing for an empty column. */
function textsIn(rows: readonly Row[], column: number): Pick<Subject, 'value'> {
  const texts = new Set(rows.flatMap(({ cells }) => cells.slice(column, column + 1)).map(({ text }) => text.trim()))
  texts.delete('')
  const others = texts.size > MAX_TEXTS ? [`${texts.size - MAX_TEXTS} more`] : []
  return texts.size === 0 ? {} : { value: [...[...texts].slice(0, MAX_TEXTS), ...others].join('; ') }
}

const MAX_TEXTS = 20

type Kind = 'colors' | 'types'

/** How tables of each kind are read: the table with a value in each cell, the keys and units of columns, and a style. */
const KINDS: Readonly<Record<Kind, KindOfTable>> = {
  colors: {
    table: spreadValues,
    keysOf: header => header.map(colorKeyOf),
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

/** The keys of columns. Without a column of names, they are in the first one that has no value. */
function typeKeys(header: readonly string[]): (string | undefined)[] {
  const keys = header.map(typeKeyOf)
  const isNamed = keys.includes('name') || keys.includes('id')
  const first = isNamed ? -1 : keys.findIndex(key => key === undefined || key === 'style')
  return keys.map((key, at) => (at === first ? 'name' : key))
}

/** Clears hex digits whose zeros a spreadsheet may have removed: `336` below `00AEEF` may have been `000336`. */
function clearDamage(rows: readonly Row[], notes: Notes): void {
  const written = rows.flatMap(({ cells, subject }) =>
    cells.filter(({ key }) => key === 'hex').map(cell => ({ cell, subject })),
  )
  if (!written.some(({ cell }) => /^#?[\da-f]{6}$/i.test(cell.text))) return
  for (const { cell, subject } of written.filter(({ cell }) => /^\d{1,5}$/.test(cell.text))) {
    addNote(notes, { ...subject, value: cell.text }, 'lostZeros')
    cell.text = ''
  }
}

/** A style has about twenty keys, and a very wide table takes long to read. */
const MAX_COLUMNS = 1000

type Table = { linesAbove: string[]; text: string; delimiter: string }

/** The table from its header on. Spreadsheets may have a line `sep=;` and a title above it. */
function tableOf(file: string): Table | undefined {
  const separatorLine = /^sep=([,;\t])[ \t]*(?:\r\n|\n|\r)/i.exec(file)
  const delimiters = separatorLine?.slice(1) ?? [',', ';', '\t']
  const linesAbove: string[] = []
  let text = file.slice(separatorLine?.[0].length ?? 0)
  while (linesAbove.length < MAX_LINES_ABOVE && text !== '') {
    const delimiter = delimiters.find(sign => gridOfStyles(uprightRows(firstRows(text, sign))) !== undefined)
    if (delimiter !== undefined) return { linesAbove, text, delimiter }
    const lineEnd = /\r\n|\n|\r/.exec(text.slice(0, MAX_HEADER))
    if (!lineEnd) return undefined
    linesAbove.push(text.slice(0, lineEnd.index))
    text = text.slice(lineEnd.index + lineEnd[0].length)
  }
  return undefined
}

const MAX_LINES_ABOVE = 10

/** The first rows, each as far as a table may be wide; only the first row if those below are not CSV. */
function firstRows(text: string, delimiter: string): string[][] {
  const start = text.slice(0, MAX_START)
  const rows = attempt(() => csvRows(start, delimiter, MAX_FIRST_ROWS)) ?? attempt(() => csvRows(start, delimiter, 1))
  return (rows ?? []).map(row => row.slice(0, MAX_COLUMNS))
}

/** Enough for the names of colours, and the labels of their values below. */
const MAX_FIRST_ROWS = 12
const MAX_START = 100_000
/** In characters. A longer line is no header, nor a line above one. */
const MAX_HEADER = 10_000

/** Whether a header names colours or type styles; undefined if it names neither. */
export function tableKind(header: readonly string[]): Kind | undefined {
  const colorKeys = header.map(colorKeyOf)
  const isNamed = colorKeys.includes('name') || colorKeys.includes('id')
  if (isNamed && header.some((cell, at) => COLOR_VALUES.includes(colorKeys[at] ?? '') || namesInks(cell)))
    return 'colors'
  const keys = header.map(typeKeyOf)
  const { length } = keys.filter(key => key !== undefined && TYPE_VALUES.includes(key))
  // A word such as *level* may name other things.
  return length > (isNamed ? 0 : 1) && (isNamed || keys.includes('name')) ? 'types' : undefined
}

const COLOR_VALUES = ['hex', 'rgb', 'cmyk', 'pms', 'ral', 'r', 'c']
const TYPE_VALUES = ['family', 'size', 'weight', 'leading']

/**
 * The columns of ink systems by place. An export of a guide has the columns of a colour, with one for each ink system in
 * the place of `inks`; in other tables, the names of usual systems count.
 */
function inkColumns(header: readonly string[]): ReadonlyMap<number, string> {
  const columns = colorColumns(key => header.includes(key))
  // An export begins with the id, which is not among the columns.
  const start = columns.indexOf('inks') + 1
  const end = header.length - columns.length + start
  const columnsWithoutInks = ['id', ...columns].toSpliced(start, 1)
  const isExport = columnsWithoutInks.join() === header.toSpliced(start, end - start).join()
  const nameOfInk = isExport ? (name: string) => name : inkSystem
  const isInk = (name: string, at: number) => (isExport ? at >= start && at < end : namesInks(name))
  return new Map(header.flatMap((cell, at) => (isInk(cell, at) ? [[at, nameOfInk(removeGuards(cell))] as const] : [])))
}

/** The style in the cells of a row; none if it has no name. */
function styleOf({ cells, subject, isLonger }: Row, notes: Notes): FoundStyle[] {
  const texts = textsByKey(cells, notes)
  if (isLonger) addNote(notes, subject, 'moreCells')
  joinChannels(texts, subject, notes)
  const { id, name = id, ...values } = Object.fromEntries(texts)
  if (name === undefined && Object.keys(values).length > 0) addNote(notes, subject, 'nameless')
  if (name === undefined) return []
  const references = cells.flatMap(({ ink, text }) => {
    const reference = removeGuards(text)
    return ink === undefined || reference.trim() === '' ? [] : [[ink, reference] as const]
  })
  const inks = references.length > 0 ? [['inks', new Map(references)] as const] : []
  return [withoutUndefined({ id, name, fields: new Map([...fieldsOf(new Map(Object.entries(values))), ...inks]) })]
}

/** The cells of a row, keyed by field. The first value that is not a placeholder counts if several columns have one key. */
function textsByKey(cells: Row['cells'], notes: Notes): Map<string, string> {
  const written = cells.map(cell => ({ ...cell, text: removeGuards(plainNumbers(cell)) }))
  const texts = new Map<string, string>()
  for (const [key, same] of Map.groupBy(written, each => each.key)) {
    const filled = new Set(same.map(({ text }) => text).filter(text => text.trim() !== ''))
    const values = [...filled].filter(text => !isPlaceholder(text))
    const [first = [...filled].at(-1), ...others] = values
    if (key === undefined || first === undefined) continue
    texts.set(key, first)
    for (const other of others) addNote(notes, other, 'secondValue', key)
  }
  return texts
}

/** Joins values in columns of their own, such as `r`, `g` and `b`, to one under the key of the colour. */
function joinChannels(texts: Map<string, string>, row: Subject, notes: Notes): void {
  for (const [key, channels] of CHANNELS) {
    const values = channels.flatMap(channel => texts.get(channel)?.replace(/(?<!\s)\s*%$/, '') ?? [])
    const { length } = values
    if (!texts.has(key) && length === channels.length) texts.set(key, values.join(','))
    else if (length > 0 && length < channels.length)
      addNote(notes, row, 'someOfValues', `${length} of the ${channels.length} values of ${quote(key)}`)
    for (const channel of channels) texts.delete(channel)
  }
}

/** A cell with the unit of its column, and with decimal points (`12,5`) if it has as many numbers as its column. */
function plainNumbers({ key, unit, text }: Row['cells'][number]): string {
  const cell = text.replace(/^[-+]?\d[\d.,]*$/, `$&${unit}`)
  const count = cell.split(/,\s+|[^\d,.%]+/).filter(part => /\d/.test(part)).length
  return count === NUMBERS.get(key) ? cell.replace(/(?<=\d),(?=\d)/g, '.') : cell
}

/** How many numbers a cell has below a key. */
const NUMBERS: ReadonlyMap<string | undefined, number> = new Map([
  ...'r g b c m y k proportion size leading tracking spacing weight'.split(' ').map(key => [key, 1] as const),
  ['cmyk', 4],
])

const CHANNELS = [
  ['rgb', ['r', 'g', 'b']],
  ['cmyk', ['c', 'm', 'y', 'k']],
] as const

/** A cell contains lists, features and axes as a table row: `a, "b, c"`; a setting is a tag, `=` and a value. */
function fieldsOf(texts: ReadonlyMap<string, string>): Map<string, Json> {
  const fields = new Map<string, Json>(texts)
  for (const [key, read] of LISTS) {
    const text = texts.get(key)
    if (text === undefined) continue
    const items = attempt(() => csvRows(text, ',', 1)[0]) ?? [text] // An invalid row is a single item.
    fields.set(key, read(items))
  }
  return fields
}

/** `liga=0`, `wght: 600` */
function settingsIn(items: readonly string[]): Json {
  return new Map(
    items.map(item => {
      const [, tag = item, value = ''] = groupsOf(/^(.{4})(?=[=:\s])\s*(?:[=:]\s*)?(-?[\d.]+)$/, item)
      return [tag, value]
    }),
  )
}

const LISTS: readonly (readonly [key: string, read: (items: readonly string[]) => Json])[] = [
  ['on', items => items],
  ['fallback', items => items],
  ['features', settingsIn],
  ['axes', settingsIn],
]

/** A cell without the apostrophes that keep spreadsheets from running it, or a part of it, as a formula. */
function removeGuards(cell: string): string {
  const isGuarded = /^'['\s\p{C}]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u.test(cell)
  return (isGuarded ? cell.slice(1) : cell).replace(INNER_GUARD, '')
}

const INNER_GUARD = /(?<=[;\t\r\n])'(?=['"\s\p{C}]{0,1000}[=+\-@\uff1d\uff0b\uff0d\uff20])/gu
