import { isPlaceholder } from '../../brand/placeholder.ts'
import { parseHex } from '../../brand/styles/screen-color.ts'
import { addNote, type FoundStyle, MAX_KINDS, type Notes } from '../found-styles.ts'
import { isObject, type Json, jsonText } from '../json.ts'
import { isOtherScheme } from '../scheme.ts'
import { keyOf, readRows, tableKind, USUAL_INKS } from './csv.ts'

/** A table of a page or document, as text with the marks of Markdown or HTML. */
type Table = { header: readonly string[]; rows: readonly (readonly string[])[] }

/**
 * The colours in a table that has a column with names and one with values for screens, by the columns that lists of
 * colours have; empty for other tables. Where a header says nothing, the cells decide. Rows may be columns. Notes
 * what a colour has no place for, such as a second column of CMYK.
 */
export function readValueTable(table: Table, notes: Notes): FoundStyle[] {
  const cells = [table.header, ...table.rows]
  const columns = [...Array(Math.max(...cells.map(({ length }) => length))).keys()]
  const lines = cells.map(row => columns.map(at => plainCell(row[at] ?? '')))
  const turned = columns.map(at => lines.map(row => row[at] ?? ''))
  const isTurned = turned[0]?.some(cell => /^(?:hex|rgb)$/.test(keyOf(cell, 'colors') ?? ''))
  const [header = [], ...rows] = isTurned ? turned : lines
  const named = namedHeader(header, rows)
  const own: Notes = new Map()
  const isText = named?.map(cell => TEXTS.has(keyOf(cell, 'colors') ?? ''))
  const values = rows.map(row => row.map((cell, at) => (isPlaceholder(cell) && !isText?.[at] ? '' : cell)))
  const colors = named === undefined ? [] : readRows(named, values, 'colors', 1, own)
  if (!colors.some(hasValue)) return []
  for (const [message, { subjects }] of own)
    for (const subject of subjects)
      if (!message.startsWith('unknown column') || PRINT.test(subject.name)) addNote(notes, subject, message)
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
  const text = (key: string) => String(fields.get(key) ?? '')
  return parseHex(text('hex')).ok || /\d\D+\d+\D+\d/.test(text('rgb')) || /(?:\d\D+){3}\d/.test(text('cmyk'))
}

/** A cell without marks, pictures and the address of links. */
function plainCell(cell: string): string {
  const text = cell
    .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]*>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return CHANNELS.test(text) ? text.replace(/\s*[-–·•|]\s*/g, ', ') : text
}

/** Channels between marks that separate none in a list of colours: `20-0-100-0`. */
const CHANNELS = /^\d{1,3}(?:\s*[-–·•|]\s*\d{1,3}){2,3}$/

/** The header with `hex` and `name` where the cells say so; undefined if it names no colours. */
function namedHeader(header: readonly string[], rows: readonly (readonly string[])[]): string[] | undefined {
  const columns = header.map((cell, at) => {
    const texts = rows.flatMap(row => row[at] || [])
    const values = texts.filter(text => !isPlaceholder(text))
    const key = USUAL_INKS.test(cell) ? 'inks' : keyOf(cell, 'colors')
    const areHex = values.length > 0 && values.every(text => HEX.test(text))
    const isHex = areHex && (key === 'name' || (key === undefined && texts.some(text => /[a-f]/i.test(text))))
    const rank = [NAME.test(cell), key === 'name', key === undefined, key === 'use'].indexOf(true)
    const canName = rank !== -1 && !areHex && texts.some(text => /\p{L}/u.test(text))
    return { cell, at, key, isHex, rank: canName ? rank : Number.POSITIVE_INFINITY }
  })
  const hex = columns.some(({ key }) => key === 'hex') ? undefined : columns.find(({ isHex }) => isHex)
  const [name] = columns.filter(({ rank }) => rank < Number.POSITIVE_INFINITY).sort((a, b) => a.rank - b.rank)
  const written = columns.map(column =>
    column === hex ? 'hex' : column === name ? 'name' : column.key === 'name' ? '' : column.cell,
  )
  return name !== undefined && tableKind(written) === 'colors' ? written : undefined
}

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
/** Columns whose header says name, before those that say colour, in nine languages. */
const NAME = /^n(?:ame|ombre|ome|om|aam|amn|avn|azwa|imi)(?!\p{L})|^(?:bezeichnung|назва|название|名称|이름)/iu

/**
 * The colours in lists of objects with names, and in groups of colours by name, as in `colors: {sea: "#0B3C5D"}`, if the
 * path or a name around them says that they are colours. Notes those for dark that stand beside others.
 */
export function listedColors(data: Json, place: string, notes: Notes): FoundStyle[] {
  const entries: [string, Json][] = isObject(data) ? [...data] : Array.isArray(data) ? Object.entries(data) : []
  if (isObject(data) && isRow(data)) return []
  const items = entries.map(
    ([key, value]) => new Map<string, Json>([['name', key], ...(isObject(value) ? value : [['hex', value] as const])]),
  )
  const listed = items.filter((_, at) => isRow(entries[at]?.[1]))
  const header = [...new Set(listed.flatMap(item => [...item.keys()]))].filter(key => key !== 'key')
  const rows = listed.map(item => header.map(key => cellText(item.get(key) ?? '')))
  const colors = COLORS.test(place) ? readValueTable({ header, rows }, notes) : []
  const names = new Set(colors.map(({ name }) => name))
  const inner = entries.map(([key, value], at) => {
    const [isTaken, own] = [names.has(jsonText(items[at]?.get('name') ?? '')), `${place}/${key}`]
    if (!isTaken && !isObject(value) && !Array.isArray(value))
      addNote(notes, { name: key, value: jsonText(value) }, 'is not read; left out', MAX_KINDS)
    const found = isTaken ? [] : listedColors(value, own, notes)
    for (const { fields } of found)
      if (!fields.has('group') && !/^(?:\d+|light|default)$|colou?r|palette|token|brand/i.test(key))
        fields.set('group', key)
    return { key, found }
  })
  const usual = inner.flatMap(({ key, found }) => (isOtherScheme(key) ? [] : found.map(({ name }) => name)))
  const isUsual = ({ name }: FoundStyle) => !names.has(name) && !usual.includes(name)
  const kept = inner.flatMap(({ key, found }) => {
    if (!isOtherScheme(key) || found.every(isUsual)) return found
    for (const { name, fields } of found)
      addNote(notes, { name: `${key}.${name}`, value: cellText(fields.get('hex') ?? '') }, 'a value for dark; left out')
    return []
  })
  return [...colors, ...kept]
}

/** Whether data may be a colour: a text, or an object with a value for screens. */
function isRow(data: Json | undefined): boolean {
  return isObject(data) ? [...data.keys()].some(key => VALUE.test(key)) : typeof data === 'string'
}

/** Numbers in a list or by channel become one text: `[18, 67, 109]`. */
function cellText(value: Json): string {
  const parts = isObject(value) ? [...value.values()] : Array.isArray(value) ? value : []
  return parts.length > 0 && parts.every(part => /^[\d.]+%?$/.test(String(part))) ? parts.join(', ') : jsonText(value)
}

const VALUE = /^(?:hex|rgb|value|colou?r|code)$/i
const COLORS = /colou?r|palette|swatch|farbe|couleur|token|brand/i
