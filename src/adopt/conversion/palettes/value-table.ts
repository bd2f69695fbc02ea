import { isPlaceholder } from '#brand/placeholder.ts'
import { colorKeyOf, MAX_VALUES_LENGTH, valuesIn } from '#brand/styles/notation.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { valueAt } from '#brand/tokens/token-tree.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { isObject, type Json, jsonText, textMember } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'
import { findName, isOfProperties } from '../../pages/color-name.ts'
import { gridOfRows, uprightRows } from '../../pages/grid.ts'
import { nameColors } from '../tokens/token-names.ts'
import { readRows, tableKind } from './csv.ts'
import { withNamesOutside } from './outer-systems.ts'
import { channelsText, fieldEntries, isGroup, recordEntries } from './record-entries.ts'
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
      if (table.isData || kind !== 'unknownColumn' || PRINT.test(subject.name)) addNote(notes, subject, kind, detail)
  // A value that is cut or has an alpha is noted; words in a column of values are no colour.
  const isMeant = (color: FoundStyle) => hasValue(color) || /^#/.test(String(color.fields.get('hex')))
  return colors.filter(isMeant).map(color => ({ ...color, name: color.name.replace(NAME_MARKS, '') }))
}

/** The keys whose words are never placeholders. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'id', 'group', 'use', 'on', 'tintOf'])
const PRINT = /cmyk|cmjn|pantone|pms|\b(?:ral|hks|ncs)\b/i
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

/**
 * The colours in lists of objects with names, and in groups of colours by name, as in `colors: {sea: "#0B3C5D"}`, if the
 * path or a name around them says that they are colours. Notes those for dark that stand beside others.
 */
export function listedColors(data: Json, file: string, notes: Notes, isOnlyRecords = false): FoundStyle[] {
  const found = colorsAt(isObject(data) ? withNamesOutside(data) : data, [], { file, data, notes, isOnlyRecords })
  const names = nameColors(found.map(({ path }) => ({ path, set: [] })))
  return found.map(({ color, isNamed }, at) => ({ ...color, name: (!isNamed && names[at]?.name) || color.name }))
}

/** A colour with the names around it and its own, which is a key of the data unless it `isNamed`. */
type Listed = { color: FoundStyle; path: readonly string[]; isNamed: boolean }

type Source = { file: string; data: Json; notes: Notes; isOnlyRecords: boolean }

function colorsAt(data: Json, place: readonly string[], source: Source): Listed[] {
  if (isObject(data) && isRow(data) && !(source.isOnlyRecords && place.length === 0)) return []
  const list = listIn(data)
    .entries()
    .map(([at, item]) => [textMember(item, 'name') ?? `${at}`, item] as const)
  const entries = [...(isObject(data) ? data : list)]
  const items = entries.map(([key, value]) => new Map<string, Json>([['name', key], ...rowOf(value, source.data)]))
  const isListed = (value: Json | undefined) => isRow(value) && (isObject(value ?? null) || !source.isOnlyRecords)
  const listed = items.filter((_, at) => isListed(entries[at]?.[1]))
  const header = [...new Set(listed.flatMap(item => [...item.keys()]))].filter(key => key !== 'key')
  const rows = listed.map(item => header.map(key => cellText(item.get(key) ?? '')))
  const isOfColors = COLORS.test([source.file, ...place].join('/'))
  const colors = isOfColors ? readValueTable({ header, rows, isData: true }, source.notes) : []
  const names = new Set(colors.map(({ name }) => name))
  const inner = entries.map(([key, value], at) => {
    const [texts, path] = [[...(items[at]?.values() ?? [])].map(jsonText), [...place, key]]
    const isTaken = texts.some(text => names.has(text))
    const isBlend = BLENDS.test(key)
    if (!isTaken && (isBlend || isRow(value) || !(isObject(value) || Array.isArray(value))))
      addNote(source.notes, { name: path.join('.'), value: jsonText(value) }, 'unread')
    const found = isTaken || isBlend ? [] : colorsAt(value, path, source)
    for (const { color } of found)
      if (
        !source.isOnlyRecords &&
        !color.fields.has('group') &&
        !/^(?:\d+|light|default|theme|extend)$|colou?r|palette|token|brand/i.test(key)
      )
        color.fields.set('group', key)
    return { key, found }
  })
  const usual = inner.flatMap(({ key, found }) => (isOtherScheme(key) ? [] : found.map(({ color }) => color.name)))
  const isUsual = ({ color: { name } }: Listed) => !names.has(name) && !usual.includes(name)
  const kept = inner.flatMap(({ key, found }) => {
    if (!isOtherScheme(key) || found.every(isUsual)) return found
    for (const { path, color } of found) {
      const subject = { name: path.join('.'), value: cellText(color.fields.get('hex') ?? '') }
      addNote(source.notes, subject, 'otherScheme', 'dark')
    }
    return []
  })
  const isKey = ({ name }: FoundStyle) => isObject(data) && data.has(name)
  return [...colors.map(color => ({ color, path: [...place, color.name], isNamed: !isKey(color) })), ...kept]
}

/** The entries of a record, or of a value alone. Values of RGB are read with those of print. */
function rowOf(value: Json, root: Json): (readonly [string, Json])[] {
  if (!isObject(value)) return [['hex', cssValue(value, root)]]
  const written = ([key, each]: readonly [string, Json]) =>
    [key, /^rgb$/i.test(key) ? each : cssValue(each, root)] as const
  return recordEntries(new Map(Array.from(value, written))).map(written)
}

/** A value by its reference, such as `{colors.blue}`, and a colour that is a function of CSS as hex. */
function cssValue(value: Json, root: Json): Json {
  const keys = typeof value === 'string' ? /^\{([^{}]+)\}$/.exec(value)?.[1]?.split('.') : undefined
  const text = isObject(root) ? (valueAt(root, keys) ?? value) : value
  const color = typeof text === 'string' && /\(|^#/.test(text) ? readCssColor(text) : undefined
  return color?.alpha === 1 ? color.hex : text
}

/** Whether data may be a colour: a text, an object with a value for screens, or a hex that YAML reads as a number. */
function isRow(data: Json | undefined): boolean {
  if (isObject(data))
    return fieldEntries(data).some(
      ([key, value]) => (VALUE.test(key) && !(MAY_HAVE_NAMES.test(key) && isGroup(value))) || isSeveralValues(value),
    )
  return typeof data === 'string' || (typeof data === 'number' && /^\d{6}$/.test(`${data}`))
}

/** Whether a text has values of a colour in several systems: `CMYK 85 20 80 8; HEX 3A7F5C`. */
function isSeveralValues(value: Json): boolean {
  return (
    typeof value === 'string' && value.length <= MAX_VALUES_LENGTH && value.includes(' ') && valuesIn(value).size > 1
  )
}

function cellText(value: Json): string {
  return jsonText(channelsText(value))
}

/** Lists of colours that are no palettes. */
const BLENDS = /^(?:gradient|duotone)s?$/i
/** Keys of values, some of which may have a group of names instead. */
const MAY_HAVE_NAMES = /^(?:colou?r|hex|rgb)$/i
const VALUE = /^(?:hex|rgb|r|value|colou?r|code)$/i
const COLORS = /colou?r|palette|swatch|farbe|couleur|token|brand/i
