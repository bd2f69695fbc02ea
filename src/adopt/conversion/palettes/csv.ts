import { COLOR_FIELDS, colorColumns } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { isPlaceholder, plainWord } from '#brand/placeholder.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes, type Subject } from '#brand/tokens/found-styles.ts'
import { TYPE_FIELDS } from '#brand/type-style.ts'
import type { Json } from '#formats/json/json.ts'
import { csvRows } from '#formats/palette/csv-rows.ts'
import { errorMessage } from '#platform/base/error.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'

/**
 * Reads a table (RFC 4180, also with semicolons or tabs) with a column for each key; undefined if none of the first lines
 * names columns of colours or type styles. The problem ends a sentence.
 */
export function readCsv(file: string, notes: Notes): Result<FoundStyles, string> | undefined {
  const table = tableOf(file)
  if (table === undefined) return undefined
  const { above, text, delimiter } = table
  for (const line of above) addNote(notes, line, 'aboveTable')
  const columns = headerCells(text, delimiter).length
  if (columns > MAX_COLUMNS)
    return failed(
      `has ${columns.toLocaleString('en')} columns, but a table may have at most ${MAX_COLUMNS.toLocaleString('en')}; keep only the columns with style values`,
    )
  let rows: string[][]
  try {
    rows = csvRows('\n'.repeat(above.length) + text, delimiter)
  } catch (error) {
    return failed(`is not a table of comma-separated values: ${errorMessage(error)}`)
  }
  const [header = [], ...records] = rows
  const kind = tableKind(header) ?? 'colors'
  const styles = readRows(header, records, kind, above.length + 2, notes)
  return ok({ colors: kind === 'colors' ? styles : [], types: kind === 'types' ? styles : [], notes })
}

/** The styles in rows of cells; `first` is the number of the first row, for notes. */
export function readRows(
  header: readonly string[],
  records: readonly (readonly string[])[],
  kind: 'colors' | 'types',
  first: number,
  notes: Notes,
): FoundStyle[] {
  const keys = header.map(cell => columnKey(cell, kind))
  const inks = inkColumns(header)
  for (const at of inks.keys()) keys[at] = undefined
  for (const [at, cell] of header.entries())
    if (keys[at] === undefined && !inks.has(at) && cell.trim() !== '') addNote(notes, cell, 'unknownColumn')
  return records.flatMap((cells, at) => {
    const references = Array.from(inks, ([at, name]) => [name, removeGuards(cells[at] ?? '')] as const)
    const style = styleOf(keys, withPoints(keys, cells), { name: `row ${at + first}`, line: at + first }, notes)
    const given = references.filter(([, reference]) => reference.trim() !== '')
    if (given.length > 0) style[0]?.fields.set('inks', new Map(given))
    return style
  })
}

/** A style has about twenty keys, and a very wide table takes long to read. */
const MAX_COLUMNS = 1000

type Table = { above: string[]; text: string; delimiter: string }

/** The table from its header on. Spreadsheets may have a line `sep=;` and a title above it. */
function tableOf(file: string): Table | undefined {
  const sign = /^sep=([,;\t])[ \t]*(?:\r\n|\n|\r)/i.exec(file)
  const above: string[] = []
  let text = file.slice(sign?.[0].length ?? 0)
  while (above.length < MAX_ABOVE && text !== '') {
    const delimiter = (sign?.slice(1) ?? [',', ';', '\t']).find(each => tableKind(readHeader(text, each)) !== undefined)
    if (delimiter !== undefined) return { above, text, delimiter }
    const end = /\r\n|\n|\r/.exec(text.slice(0, MAX_HEADER))
    if (!end) return undefined
    const line = text.slice(0, end.index)
    if (/[^\s,;]/.test(line)) above.push(line.replace(/(?<![\s,;])[\s,;]+$/, ''))
    text = text.slice(end.index + end[0].length)
  }
  return undefined
}

const MAX_ABOVE = 10

/** The cells of the first line, as if none of them had quotes. */
function headerCells(text: string, delimiter: string): string[] {
  return (text.split(/[\r\n]/, 1)[0] ?? '').split(delimiter)
}

function readHeader(text: string, delimiter: string): string[] {
  const cells = headerCells(text, delimiter)
  return cells.length > MAX_COLUMNS ? cells.slice(0, MAX_COLUMNS) : (firstRow(text, delimiter, 1) ?? [])
}

/** The cells of the first row; undefined if the text is not a table. */
function firstRow(text: string, delimiter: string, count?: number): string[] | undefined {
  return attempt(() => csvRows(text, delimiter, count)[0] ?? [])
}

const MAX_HEADER = 10_000

/** Whether a header names colours or type styles; undefined if it names neither. */
export function tableKind(header: readonly string[]): 'colors' | 'types' | undefined {
  const colors = header.map(cell => columnKey(cell, 'colors'))
  const isNamed = colors.includes('name') || colors.includes('id')
  if (isNamed && header.some((cell, at) => COLOR_VALUES.includes(colors[at] ?? '') || USUAL_INKS.test(cell)))
    return 'colors'
  const types = header.map(cell => columnKey(cell, 'types'))
  return isNamed && types.some(key => key !== undefined && TYPE_VALUES.includes(key)) ? 'types' : undefined
}

const COLOR_VALUES = ['hex', 'rgb', 'cmyk', 'pms', 'ral', 'r', 'c']
const TYPE_VALUES = ['family', 'size', 'weight', 'leading']

/** The columns of ink systems by place: those in the place of `inks` in an export of a guide, else usual systems. */
function inkColumns(header: readonly string[]): ReadonlyMap<number, string> {
  const columns = colorColumns(key => header.includes(key))
  const start = columns.indexOf('inks') + 1
  const end = header.length - columns.length + start
  const isOwn = ['id', ...columns].toSpliced(start, 1).join() === header.toSpliced(start, end - start).join()
  const isInk = (name: string, at: number) => (isOwn ? at >= start && at < end : USUAL_INKS.test(name))
  return new Map(header.flatMap((cell, at) => (isInk(cell, at) ? [[at, removeGuards(cell)] as const] : [])))
}

export const USUAL_INKS =
  /^(?:HKS|NCS|DIC|TOYO|FOCOLTONE|TRUMATCH|MUNSELL|RAL[ -]?(?:DESIGN|EFFECT|PLASTICS))(?![a-z])/i

/** The key of a column, in any case and spelling; `r`, `g`, `b` and `c`, `m`, `y`, `k` are parts of one. */
export function columnKey(cell: string, kind: 'colors' | 'types'): string | undefined {
  const word = plainWord(cell)
  const keys: readonly string[] = kind === 'colors' ? COLUMN_KEYS : keysOf(TYPE_FIELDS)
  const words = kind === 'colors' ? COLOR_WORDS : TYPE_WORDS
  const find = (name: string) => keys.find(key => key.toLowerCase() === name) ?? words.get(name)
  return find(word) ?? find(word.slice(0, MAX_WORD).replace(QUALIFIERS, ''))
}

/** Letters of a column's name; the longest that means a key has fewer. */
const MAX_WORD = 100

/** Words around the name of a column that add nothing: `RGB values`, `Druck (CMYK)`, `RAL colour`. */
const QUALIFIERS =
  /^(?:valores|wartosci|codigo|kolor|screen|bildschirm|print|druck|process|lack)+|(?:values?|codes?|numbers?|no|nr|werte?|print|druck|screen|colou?r|farbe|ton|k7|fogra\d*|coated)+$/g

const COLUMN_KEYS = keysOf(COLOR_FIELDS).filter(key => key !== 'inks')

const COLOR_WORDS = keysByWord({
  name: 'title label style stylename color colour colorname colourname swatch swatchname farbe farbname bezeichnung nom couleur nomdelacouleur nombre nombredelcolor nome colore nomecolore cor nomedacor naam kleur kleurnaam nazwa kolor nazwakoloru namn farg fargnamn navn farve farvenavn farge fargenavn nazev barva nimi vari назва колір название цвет 名称 색상 이름 色名',
  hex: 'hexadecimal html web hexcolor hexcolour',
  rgb: 'srgb rvb',
  cmyk: 'cmjn cmykc print druck 4c euroskala quadrichromie quadricromia cuatricromia',
  pms: 'pantone pms1 pantone1 pmsc pantonec pantonesolid pantonepms pmspantone pantonematchingsystem spot sonderfarbe',
  pms2: 'pantone2 pmsu pantoneu pmsuncoated pantoneuncoated pantonesoliduncoated',
  ral: 'ralclassic',
  group: 'category section palette',
  use: 'usage description purpose notes note',
  r: 'r red',
  g: 'g green',
  b: 'b blue',
  c: 'c cyan',
  m: 'm magenta',
  y: 'y yellow j',
  k: 'k black key n',
})

const TYPE_WORDS = keysByWord({
  name: 'title label stylename',
  family: 'font fontfamily',
  size: 'fontsize',
  leading: 'lineheight',
  tracking: 'letterspacing',
  weight: 'fontweight',
  style: 'fontstyle',
})

function keysByWord(words: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(words).flatMap(([key, list]) => list.split(' ').map(word => [plainWord(word), key])))
}

/** The key of each column; undefined for those that are left out or have inks. */
type Keys = readonly (string | undefined)[]

function styleOf(keys: Keys, cells: readonly string[], row: Subject, notes: Notes): FoundStyle[] {
  const texts = new Map<string, string>()
  for (const [at, key] of keys.entries()) {
    const text = removeGuards(cells[at] ?? '')
    if (key === undefined || text.trim() === '' || texts.get(key) === text) continue
    const before = texts.get(key)
    if (before === undefined || isPlaceholder(before)) texts.set(key, text)
    else if (!isPlaceholder(text)) addNote(notes, text, 'secondValue', key)
  }
  if (cells.length > keys.length) addNote(notes, row, 'moreCells')
  for (const [key, parts] of PARTS) {
    const values = parts.map(part => texts.get(part)?.replace(/(?<!\s)\s*%$/, ''))
    const written = values.filter(value => value !== undefined)
    if (!texts.has(key) && written.length === parts.length) texts.set(key, written.join(','))
    else if (written.length > 0 && written.length < parts.length)
      addNote(notes, row, 'someOfValues', `${written.length} of the ${parts.length} values of ${quote(key)}`)
    for (const part of parts) texts.delete(part)
  }
  const { id, name = id, ...rest } = Object.fromEntries(texts)
  if (name !== undefined) return [withoutUndefined({ id, name, fields: fieldsOf(new Map(Object.entries(rest))) })]
  if (Object.keys(rest).length > 0) addNote(notes, row, 'nameless')
  return []
}

/** Numbers with decimal points instead of commas: a comma in a cell does not separate cells. */
function withPoints(keys: Keys, cells: readonly string[]): string[] {
  return cells.map((cell, at) => {
    const count = cell.split(/,\s+|[^\d,.%]+/).filter(part => /\d/.test(part)).length
    const isNumber = count === (keys[at] === 'cmyk' ? 4 : NUMBERS.has(keys[at] ?? '') ? 1 : 0)
    return isNumber ? cell.replace(/(?<=\d),(?=\d)/g, '.') : cell
  })
}

const NUMBERS: ReadonlySet<string> = new Set('r g b c m y k proportion size leading tracking spacing weight'.split(' '))

const PARTS = [
  ['rgb', ['r', 'g', 'b']],
  ['cmyk', ['c', 'm', 'y', 'k']],
] as const

/** A cell contains lists, features and axes as a table row: `a, "b, c"`; a setting is a tag, `=` and a value. */
function fieldsOf(texts: ReadonlyMap<string, string>): Map<string, Json> {
  const fields = new Map<string, Json>(texts)
  for (const key of ['on', 'fallback', 'features', 'axes']) {
    const text = texts.get(key)
    if (text === undefined) continue
    const items = firstRow(text, ',') ?? [text] // An invalid row is a single item.
    const settings = items.map(item => /^(.{4})(?=[=:\s])\s*(?:[=:]\s*)?(-?[\d.]+)$/.exec(item)?.slice(1) ?? [item, ''])
    const isSettings = key === 'features' || key === 'axes'
    fields.set(key, isSettings ? new Map(settings.map(([tag = '', value = '']) => [tag, value])) : items)
  }
  return fields
}

/** A cell without the apostrophes that keep spreadsheets from running it, or a part of it, as a formula. */
function removeGuards(cell: string): string {
  const isGuarded = /^'['\s\p{C}]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u.test(cell)
  return (isGuarded ? cell.slice(1) : cell).replace(INNER_GUARD, '')
}

const INNER_GUARD = /(?<=[;\t\r\n])'(?=['"\s\p{C}]{0,1000}[=+\-@\uff1d\uff0b\uff0d\uff20])/gu
