import { MAX_VALUES_LENGTH, valuesIn } from '#brand/styles/notation.ts'
import { parseHex } from '#brand/styles/screen-color.ts'
import { addNote, type FoundStyle, type Notes } from '#brand/tokens/found-styles.ts'
import { isOtherScheme } from '#brand/tokens/scheme.ts'
import { referenceIn, valueAt } from '#brand/tokens/token-tree.ts'
import { readCssColor } from '#formats/css/css-color.ts'
import { isObject, type Json, type JsonObject, jsonText, textMember } from '#formats/json/json.ts'
import { listIn } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { type Grid, plainCell } from '../../pages/grid.ts'
import { namesColors } from '../../sources/style-names.ts'
import { nameColors } from '../tokens/token-names.ts'
import { withNamesOutside } from './outer-systems.ts'
import { channelsText, type Entry, fieldEntries, isGroup, recordEntries } from './record-entries.ts'
import { spreadValues } from './spread-values.ts'
import { colorsOfGrid, isHex } from './value-table.ts'

/**
 * The colours in lists of objects with names, and in groups of colours by name, as in `colors: {sea: "#0B3C5D"}`, if the
 * path or a name around them says that they are colours. Notes values for dark of other colours.
 */
export function listedColors(data: Json, file: string, notes: Notes, isOnlyRecords = false): FoundStyle[] {
  const root = isObject(data) ? withNamesOutside(data) : data
  if (isRecord(root) && !isOnlyRecords) return []
  const found = colorsAt(root, [], { file, notes, isOnlyRecords, root: isObject(data) ? data : new Map() })
  const names = nameColors(found.map(({ path }) => ({ path, set: [] })))
  return found.map(({ color, isNamed }, at) => ({ ...color, name: (!isNamed && names[at]?.name) || color.name }))
}

/** A colour with the names around it and its own, which is a key of the data unless it `isNamed`. */
type Listed = { color: FoundStyle; path: readonly string[]; isNamed: boolean }

/** The file of data, and the root at which references in it begin. */
type Source = { file: string; root: JsonObject; notes: Notes; isOnlyRecords: boolean }

function colorsAt(data: Json, place: readonly string[], source: Source): Listed[] {
  const { notes } = source
  const entries = entriesOf(data)
  const records = recordsIn(entries, source)
  const isOfColors = namesColors([source.file, ...place].join('/'))
  const colors = isOfColors ? colorsOfGrid(gridOf(records.map(({ cells }) => cells)), notes, 'name') : []
  const names = new Set(colors.map(({ name }) => name))
  const taken = records.filter(({ cells }) => cells.values().some(cell => names.has(jsonText(cell))))
  const takenKeys = new Set(taken.map(({ key }) => key))
  const inner = entries
    .filter(([key]) => !takenKeys.has(key))
    .flatMap(([key, value]) => {
      const path = [...place, key]
      if (isPalette(key, value)) return colorsAt(value, path, source).map(each => inGroup(each, key, source))
      addNote(notes, { name: path.join('.'), value: jsonText(value) }, 'unread')
      return []
    })
  // Numbers are keys of lists.
  const isKey = ({ name }: FoundStyle) => !Number.isNaN(Number(name)) || (isObject(data) && data.has(name))
  const own = colors.map(color => ({ color, path: [...place, color.name], isNamed: !isKey(color) }))
  return withoutDark([...own, ...inner], place.length, notes)
}

/** The members of an object, or the items of a list by their names; one may be a pair of its name and its hex. */
function entriesOf(data: Json): Entry[] {
  const items = listIn(data).map((item, at): Entry => {
    const [name = '', hex = '', ...more] = listIn(item).map(textOf)
    return isHex(hex) && more.length === 0 ? [name, hex] : [textMember(item, 'name') ?? `${at}`, item]
  })
  return isObject(data) ? [...data] : items
}

/** The entries that may be colours, with the cells of their rows. A number is one without its sign only next to others. */
function recordsIn(entries: readonly Entry[], { root, isOnlyRecords }: Source) {
  const hasColors = entries.some(([, value]) => parseHex(textOf(value)).ok)
  const isBare = (value: Json) => (typeof value === 'string' ? !isWeight(value) : hasColors && isSixDigits(value))
  return entries
    .filter(([, value]) => isRecord(value) || (isBare(value) && !isOnlyRecords))
    .map(([key, value]) => ({ key, cells: new Map<string, Json>([['name', key], ...rowOf(value, root)]) }))
}

/** Whether a text is a number as weights and sizes are, although `500` could be three digits of a hex. */
function isWeight(value: string): boolean {
  return value.length < 6 && !Number.isNaN(Number(value))
}

/** Whether a value is a number that YAML reads from a hex. */
function isSixDigits(value: Json): boolean {
  return typeof value === 'number' && `${value}`.length === 6
}

function isPalette(key: string, value: Json): boolean {
  return entriesOf(value).length > 0 && !isRecord(value) && !BLENDS.has(key.toLowerCase())
}

/** Records as a table with a column for each of their keys. */
function gridOf(records: readonly ReadonlyMap<string, Json>[]): Grid {
  const header = [...new Set(records.flatMap(cells => [...cells.keys()]))].filter(key => key !== 'key')
  const rows = records.map(cells => header.map(key => plainCell(cellText(cells.get(key) ?? ''))))
  return spreadValues({ header, rows })
}

/** A colour in the group of the key around it, unless it has one, or the key says no more than that there are colours. */
function inGroup({ color, ...rest }: Listed, key: string, { isOnlyRecords }: Source): Listed {
  const isGroup = !isOnlyRecords && Number.isNaN(Number(key)) && !NO_GROUPS.has(key.toLowerCase()) && !namesColors(key)
  const group = isGroup ? [['group', key] as const] : []
  return { ...rest, color: { ...color, fields: new Map([...group, ...color.fields]) } }
}

/** The colours without those that are values for dark of others, which are noted: by the name at this depth around them. */
function withoutDark(found: readonly Listed[], depth: number, notes: Notes): Listed[] {
  const isDark = ({ path }: Listed) => path.slice(depth, -1).slice(0, 1).some(isOtherScheme)
  const usual = new Set(found.filter(each => !isDark(each)).map(({ color }) => color.name))
  const dark = found.filter(each => isDark(each) && usual.has(each.color.name))
  for (const { path, color } of dark)
    addNote(notes, { name: path.join('.'), value: cellText(color.fields.get('hex') ?? '') }, 'otherScheme', 'dark')
  return found.filter(each => !dark.includes(each))
}

/** The entries of a record, or of a value alone. Values of RGB are read with those of print. */
function rowOf(value: Json, root: JsonObject): Entry[] {
  if (!isObject(value)) return [['hex', cssValue(value, root)]]
  const written = ([key, each]: Entry): Entry => [key, key.toLowerCase() === 'rgb' ? each : cssValue(each, root)]
  return recordEntries(new Map(Array.from(value, written))).map(written)
}

/** A value by its reference, such as `{colors.blue}`, and a colour that is a function of CSS as hex. */
function cssValue(value: Json, root: JsonObject): Json {
  const written = valueAt(root, referenceIn(textOf(value))?.split('.') ?? []) ?? value
  const text = textOf(written)
  // A name of CSS, such as `red`, is a word.
  const color = ['(', '#'].some(sign => text.includes(sign)) ? readCssColor(text) : undefined
  return color?.alpha === 1 ? color.hex : written
}

/** Whether data is an object with a value for screens, or a text with values of several systems: `CMYK 85 20 80 8; HEX 3A7F5C`. */
function isRecord(data: Json): data is JsonObject {
  return isObject(data) && fieldEntries(data).some(isValue)
}

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
