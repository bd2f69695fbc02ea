import { COLOR_FIELDS, type Color, printValuesOf } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import type { Problem, RuleId } from '#brand/finding.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/formats/found-styles.ts'
import { isObject, type Json, plainNumber } from '#brand/formats/json.ts'
import { isStyleId, type StyleId, slug } from '#brand/ids.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { type Relations, readColorFields, resolveColorRelations } from '#intake/styles/colors.ts'
import { readTypeFields } from '#intake/styles/types.ts'
import type { Fields } from '#intake/yaml/fields.ts'
import type { YamlEntry, YamlNode } from '#intake/yaml/yaml.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'

export type GuideStyles = { colors: Color[]; types: TypeStyle[] }

/** Merges the styles of files. Those with the same id and conflicting values are numbered and noted. */
export function guideStyles(sources: readonly FoundStyles[]): Result<GuideStyles, string> {
  for (const kind of ['colors', 'types'] as const) {
    const count = sources.reduce((sum, source) => sum + source[kind].length, 0)
    const noun = kind === 'colors' ? 'colours' : 'type styles'
    if (count > MAX_STYLES)
      return failed(`there are ${count} ${noun}, but a guide may have at most ${MAX_STYLES}; split the file`)
  }
  return ok({ colors: colorsOf(sources), types: typesOf(sources) })
}

/** The default limit of a project. */
const MAX_STYLES = 10_000

const COLOR_KEYS = keysOf(COLOR_FIELDS)
const TYPE_KEYS = keysOf(TYPE_FIELDS)

type Entry<Values> = { id: StyleId; name: string; values: Values; notes: Notes }

function colorsOf(sources: readonly FoundStyles[]): Color[] {
  const taken: Taken<CheckedColor> = { entries: new Map(), numbers: new Map() }
  let place = 0
  const checked = sources.flatMap(({ colors, notes }) =>
    colors.map(style => ({ style, values: check(style, place++, COLOR_KEYS, readColorFields, notes), notes })),
  )
  for (const { style, values, notes } of checked) if (values.hex !== undefined) add(taken, style, values, notes)
  for (const { style, values, notes } of checked)
    if (values.hex === undefined) addPrintValues(taken, style, values, notes)
  const problems: Problem[] = []
  const entries = [...taken.entries.values()]
  const colors = resolveColorRelations(entries.map(colorOf), problems)
  for (const { line, message } of problems) {
    const origin = checked[line ?? -1]
    if (origin) addNote(origin.notes, origin.style.name, 'unusable', message)
  }
  return colors
}

function colorOf({ id, name, values }: Entry<CheckedColor>): Omit<Color, 'on' | 'tintOf'> & CheckedColor {
  const { hex = '', rgb = '' } = values
  return { ...values, id, name, hex, rgb }
}

function typesOf(sources: readonly FoundStyles[]): TypeStyle[] {
  const taken: Taken<Omit<TypeStyle, 'id' | 'name'>> = { entries: new Map(), numbers: new Map() }
  for (const { types, notes } of sources)
    for (const style of types) add(taken, style, check(style, 0, TYPE_KEYS, readTypeFields, notes), notes)
  return Array.from(taken.entries.values(), ({ id, name, values }) => ({ ...values, id, name }))
}

/** The styles so far, keyed by id, and the next number for each id. */
type Taken<Values> = { entries: Map<StyleId, Entry<Values>>; numbers: Map<string, number> }

function add<Values extends object>(taken: Taken<Values>, style: FoundStyle, values: Values, notes: Notes): void {
  const name = nameOf(style, notes)
  const wanted = idOf(style, name)
  const entry = taken.entries.get(wanted)
  if (entry && merge(entry, values)) return
  const id = entry ? freeId(wanted, taken) : wanted
  const subject = { name: `${name} (${id})`, value: entry ? differences(entry.values, values) : '' }
  if (entry) addNote(notes, subject, 'sameId')
  taken.entries.set(id, { id, name, values, notes })
}

/** Adds print values to the colour with the same id; without one, there is no colour to write. */
function addPrintValues(taken: Taken<CheckedColor>, style: FoundStyle, values: CheckedColor, notes: Notes): void {
  const name = nameOf(style, notes)
  const entry = taken.entries.get(idOf(style, name))
  if (entry && merge(entry, values)) return
  const texts = printValuesOf(values).map(({ key, label, value }) => `${key === 'inks' ? label : key} ${value}`)
  const print = texts.length === 0 ? '' : ` (${texts.join(', ')})`
  addNote(notes, name, entry ? 'otherPrint' : 'onlyPrint', print)
}

/** Adds values to a style, unless they conflict with its own, which count; ink systems come from both. */
function merge<Values extends object>(entry: Entry<Values>, values: Values): boolean {
  const { values: own } = entry
  if (!isCompatible(own, values)) return false
  const inks = { ...inksOf(own), ...inksOf(values) }
  entry.values = { ...values, ...own, ...(Object.keys(inks).length > 0 && { inks }) }
  return true
}

function inksOf(values: { inks?: object }): object {
  return values.inks ?? {}
}

/** Whether the values do not conflict; values for readers may differ, and ink systems are compared one by one. */
function isCompatible(one: object, other: object): boolean {
  const values = new Map(Object.entries(one))
  return Object.entries(other).every(([key, value]) => {
    const before = values.get(key)
    if (before === undefined || TEXTS.has(key)) return true
    return key === 'inks' ? isCompatible(before, value) : comparableText(before) === comparableText(value)
  })
}

/** Two spellings of one reference, such as `285 c` and `PMS 285 C`, are equal. */
function comparableText(value: unknown): string {
  return JSON.stringify(value)
    .toLowerCase()
    .replace(/pantone|pms|[®\s]/g, '')
}

/** The values in which two styles differ. */
function differences(one: object, other: object): string {
  const before = new Map<string, unknown>(Object.entries(one))
  const differing = Object.entries(other).filter(
    ([key, value]) => !isCompatible(before.has(key) ? { [key]: before.get(key) } : {}, { [key]: value }),
  )
  return differing
    .map(([key, value]) => `${key} ${JSON.stringify(value)} beside ${JSON.stringify(before.get(key))}`)
    .join('; ')
}

const TEXTS: ReadonlySet<string> = new Set(['group', 'use', 'sample', 'on', 'tintOf', 'proportion', 'fallback'])

function nameOf({ name }: FoundStyle, notes: Notes): string {
  const clean = cleanLine(name, MAX_NAME)
  if (clean !== name && name.trim() !== '') addNote(notes, name, 'cleaned', 'a name')
  return clean.trim() === '' ? 'Unnamed' : clean
}

/** The wanted id of a style: its own, or one from its name, shortened if necessary. */
function idOf({ id = '' }: FoundStyle, name: string): StyleId {
  const candidates = [id, slug(name), slug(slug(name).slice(0, MAX_ID)), 'unnamed']
  return firstId(candidates, () => true)
}

/** Leaves space for a number within the 200 characters of an id. */
const MAX_ID = 180

function freeId<Values>(wanted: StyleId, { entries, numbers }: Taken<Values>): StyleId {
  const stem = slug(wanted.slice(0, MAX_ID))
  return firstId(numberedIds(stem, numbers), id => !entries.has(id))
}

function* numberedIds(stem: string, numbers: Map<string, number>): Generator<string> {
  for (let number = numbers.get(stem) ?? 2; ; number++) {
    numbers.set(stem, number + 1)
    yield `${stem}-${number}`
  }
}

function firstId(candidates: Iterable<string>, accepts: (id: StyleId) => boolean): StyleId {
  for (const candidate of candidates) if (isStyleId(candidate) && accepts(candidate)) return candidate
  throw new Error('no id is left')
}

/** A colour with values that a guide can use; without `hex` if it has no screen value. */
type CheckedColor = Partial<Omit<Color, 'id' | 'name' | 'on' | 'tintOf'>> & Relations

/** Reads the fields of a style as its list does; another file may have a missing screen value. Problems name `line`. */
function check<Key extends string, Values>(
  { name, fields }: FoundStyle,
  line: number,
  keys: readonly Key[],
  read: (fields: Fields<Key>) => Values,
  notes: Notes,
): Values {
  const problems: Problem[] = []
  const entries = new Map<string, YamlEntry>()
  for (const [key, json] of fields) {
    if (!keys.some(each => each === key)) addNote(notes, name, 'unknownKey', key)
    const value = nodeOf(json, line, LONG_TEXTS.has(key) ? MAX_NAME : MAX_TEXT, () =>
      addNote(notes, name, 'cleaned', 'text'),
    )
    if (value !== undefined) entries.set(key, { key, line, value })
  }
  const values = read({ line, entries, misspelt: new Map(), what: 'a style', keys, problems })
  for (const { rule, message } of problems)
    if (rule !== 'value-missing') addNote(notes, name, SAYS_SO.has(rule) ? 'explained' : 'unusable', message)
  return values
}

/** The rules whose messages say that a value is left out. */
const SAYS_SO: ReadonlySet<RuleId> = new Set(['cmyk-fraction', 'ral-design'])
const LONG_TEXTS: ReadonlySet<string> = new Set(['use', 'sample', 'on', 'tintOf'])
const MAX_TEXT = 200
const MAX_NAME = 1000

/** Converts JSON to a YAML node; undefined if it has no value. */
function nodeOf(json: Json, line: number, maximum: number, onChanged: () => void): YamlNode | undefined {
  if (json === null) return undefined
  if (Array.isArray(json)) {
    const items = json.flatMap(item => nodeOf(item, line, maximum, onChanged) ?? [])
    return items.length === 0 ? undefined : { kind: 'list', line, items }
  }
  if (isObject(json)) {
    const entries = [...json].flatMap(([key, inner]) => {
      const value = nodeOf(inner, line, maximum, onChanged)
      return value === undefined ? [] : [{ key, line, value }]
    })
    return { kind: 'mapping', line, entries }
  }
  const scalar = typeof json === 'number' ? plainNumber(json) : String(json)
  const text = cleanLine(scalar, maximum)
  if (text !== scalar && scalar.trim() !== '') onChanged()
  return text.trim() === '' ? undefined : { kind: 'text', line, text }
}

/** Turns text into one valid line: without control characters and lone surrogates, cut at `maximum` characters. */
function cleanLine(text: string, maximum: number): string {
  const line = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return line.length <= maximum ? line : [...line].slice(0, maximum).join('').trimEnd()
}
