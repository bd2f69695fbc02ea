import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, MAX_VALUES_LENGTH, namesValue, valuesIn } from '#brand/styles/notation.ts'
import { addNote, type FoundStyle, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { valueAt } from '#brand/tokens/token-tree.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { isObject, type Json, jsonText, textMember } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'
import { findName, isOfProperties } from '../../pages/color-name.ts'
import { gridOfRows, plainCell, uprightRows } from '../../pages/grid.ts'
import { namesColors } from '../../sources/style-names.ts'
import { nameColors } from '../tokens/token-names.ts'
import { readRows, tableKind } from './csv.ts'
import { withNamesOutside } from './outer-systems.ts'
import { channelsText, type Entry, fieldEntries, isGroup, recordEntries } from './record-entries.ts'
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
  const isMeant = (color: FoundStyle) => hasValue(color) || String(color.fields.get('hex')).startsWith('#')
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

/**
 * The colours in lists of objects with names, and in groups of colours by name, as in `colors: {sea: "#0B3C5D"}`, if the
 * path or a name around them says that they are colours. Notes those for dark that stand beside others.
 */
export function listedColors(data: Json, file: string, notes: Notes, isOnlyRecords = false): FoundStyle[] {
  const root = isObject(data) ? withNamesOutside(data) : data
  if (isRow(root) && !isOnlyRecords) return []
  const found = colorsAt(root, [], { file, data, notes, isOnlyRecords })
  const names = nameColors(found.map(({ path }) => ({ path, set: [] })))
  return found.map(({ color, isNamed }, at) => ({ ...color, name: (!isNamed && names[at]?.name) || color.name }))
}

/** A colour with the names around it and its own, which is a key of the data unless it `isNamed`. */
type Listed = { color: FoundStyle; path: readonly string[]; isNamed: boolean }

type Source = { file: string; data: Json; notes: Notes; isOnlyRecords: boolean }

function colorsAt(data: Json, place: readonly string[], source: Source): Listed[] {
  const { notes, isOnlyRecords } = source
  const entries = entriesOf(data)
  // A number is a colour without its sign only next to other colours.
  const hasColors = entries.some(([, value]) => HEX.test(textOf(value).replace(/^#?/, '#')))
  const records = entries
    .filter(([, value]) => isRow(value) && (isObject(value) || !isOnlyRecords))
    .filter(([, value]) => hasColors || typeof value !== 'number')
    .map(([key, value]) => ({ key, cells: new Map<string, Json>([['name', key], ...rowOf(value, source.data)]) }))
  const isOfColors = namesColors([source.file, ...place].join('/'))
  const colors = isOfColors ? readValueTable(tableOf(records.map(({ cells }) => cells)), notes) : []
  const names = new Set(colors.map(({ name }) => name))
  const taken = new Set(
    records.filter(({ cells }) => cells.values().some(cell => names.has(jsonText(cell)))).map(({ key }) => key),
  )
  const inner = entries
    .filter(([key]) => !taken.has(key))
    .flatMap(([key, value]) => {
      const path = [...place, key]
      if (isPalette(key, value)) return colorsAt(value, path, source).map(each => inGroup(each, key, source))
      addNote(notes, { name: path.join('.'), value: jsonText(value) }, 'unread')
      return []
    })
  // Numbers are keys of lists.
  const isKey = ({ name }: FoundStyle) => !/\p{L}/u.test(name) || (isObject(data) && data.has(name))
  const own = colors.map(color => ({ color, path: [...place, color.name], isNamed: !isKey(color) }))
  return withoutDark([...own, ...inner], place.length, notes)
}

/** The members of an object, or the items of a list by their names; one may be a pair of its name and its hex. */
function entriesOf(data: Json): Entry[] {
  const items = listIn(data).map((item, at): Entry => {
    const [name, hex = '', ...more] = listIn(item).map(textOf)
    const isPair = name && HEX.test(hex) && more.length === 0
    return isPair ? [name, hex] : [textMember(item, 'name') ?? `${at}`, item]
  })
  return isObject(data) ? [...data] : items
}

function isPalette(key: string, value: Json): boolean {
  return entriesOf(value).length > 0 && !isRow(value) && !BLENDS.has(key.toLowerCase())
}

/** Records as a table with a column for each of their keys. */
function tableOf(records: readonly ReadonlyMap<string, Json>[]) {
  const header = [...new Set(records.flatMap(cells => [...cells.keys()]))].filter(key => key !== 'key')
  const rows = records.map(cells => header.map(key => cellText(cells.get(key) ?? '')))
  return { header, rows, isData: true }
}

/** A colour in the group of the key around it, unless it has one, or the key says no more than that there are colours. */
function inGroup({ color, ...rest }: Listed, key: string, { isOnlyRecords }: Source): Listed {
  const isGroup = !isOnlyRecords && Number.isNaN(Number(key)) && !NO_GROUPS.has(key.toLowerCase()) && !namesColors(key)
  const group = isGroup ? [['group', key] as const] : []
  return { ...rest, color: { ...color, fields: new Map([...group, ...color.fields]) } }
}

/** The colours without those that are values for dark of others, which are noted: by the name at this depth around them. */
function withoutDark(found: readonly Listed[], depth: number, notes: Notes): Listed[] {
  const isDark = ({ path }: Listed) => path.length > depth + 1 && isOtherScheme(path[depth] ?? '')
  const usual = new Set(found.flatMap(each => (isDark(each) ? [] : [each.color.name])))
  const dark = found.filter(each => isDark(each) && usual.has(each.color.name))
  for (const { path, color } of dark)
    addNote(notes, { name: path.join('.'), value: cellText(color.fields.get('hex') ?? '') }, 'otherScheme', 'dark')
  return found.filter(each => !dark.includes(each))
}

/** The entries of a record, or of a value alone. Values of RGB are read with those of print. */
function rowOf(value: Json, root: Json): Entry[] {
  if (!isObject(value)) return [['hex', cssValue(value, root)]]
  const written = ([key, each]: Entry): Entry => [key, key.toLowerCase() === 'rgb' ? each : cssValue(each, root)]
  return recordEntries(new Map(Array.from(value, written))).map(written)
}

/** A value by its reference, such as `{colors.blue}`, and a colour that is a function of CSS as hex. */
function cssValue(value: Json, root: Json): Json {
  const keys = groupsOf(/^\{([^{}]+)\}$/, textOf(value))[1]?.split('.')
  const written = valueAt(isObject(root) ? root : new Map(), keys) ?? value
  const text = textOf(written)
  const color = /[(#]/.test(text) ? readCssColor(text) : undefined
  return color?.alpha === 1 ? color.hex : written
}

/** Whether data may be a colour: a text, an object with a value for screens, or a hex that YAML reads as a number. */
function isRow(data: Json): boolean {
  if (isObject(data)) return fieldEntries(data).some(isValue)
  return typeof data === 'string' || (typeof data === 'number' && `${data}`.length === 6)
}

/** Whether an entry has a value for screens, or a text with values of several systems: `CMYK 85 20 80 8; HEX 3A7F5C`. */
function isValue([key, value]: Entry): boolean {
  const isNamed = VALUES.has(key.toLowerCase()) && !isGroup(value)
  return isNamed || valuesIn(textOf(value).slice(0, MAX_VALUES_LENGTH)).size > 1
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : ''
}

function cellText(value: Json): string {
  return jsonText(channelsText(value))
}

/** Lists of colours that are no palettes. */
const BLENDS = wordSet('gradient gradients duotone duotones')
const NO_GROUPS = wordSet('light default theme extend')
const VALUES = wordSet('hex rgb r value color colour code')
