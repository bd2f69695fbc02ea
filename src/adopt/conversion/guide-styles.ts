import { COLOR_FIELDS, type Color, printValuesOf } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import type { Problem, RuleId } from '#brand/finding.ts'
import { isStyleId, type StyleId, slug } from '#brand/ids.ts'
import { PANTONE_KEYS, usualPantones } from '#brand/styles/pantone.ts'
import { addNote, type FoundStyle, type FoundStyles, type Notes } from '#brand/tokens/found-styles.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { withoutSlope } from '#formats/font/font-weight.ts'
import { isObject, type Json, jsonText, plainNumber } from '#formats/json/json.ts'
import type { YamlEntry, YamlNode } from '#formats/yaml/parse-yaml.ts'
import { type Relations, readColorFields, resolveColorRelations } from '#intake/styles/colors.ts'
import { readTypeFields } from '#intake/styles/types.ts'
import type { Fields } from '#intake/yaml/fields.ts'
import { perObject } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { countWords } from '#platform/base/text.ts'
import { compareRanks } from '../pages/color-name.ts'
import { isHex } from './palettes/value-table.ts'

export type GuideStyles = { colors: Color[]; types: TypeStyle[] }

/** Merges the styles of files. Those with the same id and conflicting values are numbered and noted. */
export function guideStyles(sources: readonly FoundStyles[]): Result<GuideStyles, string> {
  for (const [kind, noun] of NOUNS) {
    const count = sources.reduce((sum, source) => sum + source[kind].length, 0)
    if (count > MAX_STYLES)
      return failed(`there are ${count} ${noun}, but a guide may have at most ${MAX_STYLES}; split the file`)
  }
  return ok({ colors: colorsOf(sources), types: typesOf(sources) })
}

const NOUNS = [
  ['colors', 'colours'],
  ['types', 'type styles'],
] as const
/** The default limit of a project. */
const MAX_STYLES = 10_000

const COLOR_KEYS = keysOf(COLOR_FIELDS)
const TYPE_KEYS = keysOf(TYPE_FIELDS)

type Entry<Values> = { id: StyleId; name: string; values: Values }

function colorsOf(sources: readonly FoundStyles[]): Color[] {
  const taken = nothingTaken<CheckedColor>()
  const checked = checkColors(sources)
  const wholes = checked.filter(({ values }) => values.hex !== undefined)
  const names = commonNames(wholes)
  for (const { style, values, notes, name = style } of wholes.map(color => ({ ...color, name: names.get(color) }))) {
    const use = name !== style && style.token === undefined && saysUse(style.name) ? { use: style.name } : {}
    add(taken, name, { ...use, ...values }, notes)
  }
  for (const { style, values, notes } of checked)
    if (values.hex === undefined) addPrintValues(taken, style, values, notes)
  const problems: Problem[] = []
  const whole = Array.from(taken.entries.values(), ({ values, ...own }) => ({ rgb: '', hex: '', ...values, ...own }))
  const colors = resolveColorRelations(whole, problems)
  for (const { line, message } of problems) {
    const origin = checked[line ?? -1]
    if (origin) addNote(origin.notes, origin.style.name, 'unusable', message)
  }
  return colors
}

/** A colour of a source with its checked values. */
type SourceColor = { style: FoundStyle; values: CheckedColor; notes: Notes; source: FoundStyles }

function checkColors(sources: readonly FoundStyles[]): SourceColor[] {
  let place = 0
  return sources.flatMap(source => {
    const { colors, notes } = source
    return colors.map(style => {
      const values = checkFields(withPantones(style, notes), place++, COLOR_KEYS, readColorFields, notes)
      return { style, values, notes, source }
    })
  })
}

/**
 * The names of colours that become one with another, because several places have the same value: that of the one whose
 * name counts most.
 */
function commonNames(colors: readonly SourceColor[]): ReadonlyMap<SourceColor, FoundStyle> {
  const names = new Map<SourceColor, FoundStyle>()
  for (const same of Map.groupBy(colors, ({ values }) => values.hex).values()) {
    const groups: [SourceColor, ...SourceColor[]][] = []
    const lists = new Set(same.map(({ source }) => source))
    for (const color of lists.size > 1 ? same.toSorted(compareNames) : []) {
      const group = groups.find(([first]) => isSameColor(first, color))
      if (group === undefined) groups.push([color])
      else if (slug(group[0].style.name) !== slug(color.style.name)) {
        names.set(color, group[0].style)
        addNote(color.notes, { name: color.style.name, value: group[0].style.name }, 'sameValue')
      }
      group?.push(color)
    }
  }
  return names
}

function compareNames(one: SourceColor, other: SourceColor): number {
  return compareRanks(ranksOf(one), ranksOf(other))
}

/**
 * The ranks of the name of a colour; lower is better. A list comes before a sheet, whose variables may be those of a
 * theme; a name without letters is only a number. A list comes before tokens, and words that say a use last; then a list
 * in which most colours differ, a name without a step, a colour in a group, a colour with more values for print, and a
 * list of more colours.
 */
function ranksOf({ style: { name, token, fields }, values, source }: SourceColor): number[] {
  const isOnlyNumber = countWords(name) === 0 || isHex(name)
  const { size } = distinctValues(source.colors)
  const isOfUses = size * 2 <= source.colors.length
  const isSheet = source.sheet !== undefined
  const kinds = [
    isSheet,
    isOnlyNumber,
    saysUse(name),
    token !== undefined,
    isOfUses,
    /\d\d/.test(name),
    !fields.has('group'),
  ]
  return [...kinds.map(Number), -printValuesOf(values).length, -size]
}

/** The different values of a list, which its colours are compared by. */
const distinctValues = perObject(
  (colors: FoundStyles['colors']) =>
    new Set(colors.map(({ fields }) => jsonText(fields.get('hex') ?? fields.get('rgb') ?? ''))),
)

/** Whether a name says a use: it has more than four words, or a comma, a dash or a colon between them. */
function saysUse(words: string): boolean {
  return PHRASES.test(words) || words.split(' ').length > 4
}

const PHRASES = /[,;:–—-]\s/

/** Whether a colour is another name for one that comes first. A list, and tokens or sheets, may name a value twice. */
function isSameColor(first: SourceColor, { style, values, source }: SourceColor): boolean {
  const isOther = first.source !== source && (first.style.token === undefined || style.token === undefined)
  // A variable for dark pages is a role.
  const isRole = source.sheet !== undefined && first.values.dark !== values.dark
  return isOther && !isRole && conflicts(first.values, values).length === 0
}

/** A colour with its Pantone references in their usual spelling; the second one of a pair becomes `pms2`. */
function withPantones(style: FoundStyle, notes: Notes): FoundStyle {
  const texts = PANTONE_KEYS.flatMap(key => {
    const value = style.fields.get(key)
    return typeof value === 'string' || typeof value === 'number' ? [[key, `${value}`] as const] : []
  })
  const { usual, rest } = usualPantones(Object.fromEntries(texts))
  for (const name of rest) addNote(notes, name, 'secondValue', 'pms2')
  return { ...style, fields: new Map([...style.fields, ...Object.entries(usual)]) }
}

function typesOf(sources: readonly FoundStyles[]): TypeStyle[] {
  const taken = nothingTaken<Omit<TypeStyle, 'id' | 'name'>>()
  for (const { types, notes } of sources)
    for (const style of types.map(withSlope))
      add(taken, style, checkFields(style, 0, TYPE_KEYS, readTypeFields, notes), notes)
  return Array.from(taken.entries.values(), ({ id, name, values }) => ({ ...values, id, name }))
}

/** A type style whose slope, which is often a part of its weight, is its style: `Medium Oblique` is an italic of 500. */
function withSlope({ fields, ...style }: FoundStyle): FoundStyle {
  const slopes = ['weight', 'style'].flatMap(key => {
    const slope = withoutSlope(jsonText(fields.get(key) ?? ''))
    return slope.isSlanted ? [[key, slope.upright] as const] : []
  })
  const italic = slopes.length > 0 ? [['style', 'italic'] as const] : []
  return { ...style, fields: new Map([...fields, ...slopes, ...italic]) }
}

/** The styles so far, keyed by id, the next number for each id, and the ids and values of the styles with a number. */
type Taken<Values> = { entries: Map<StyleId, Entry<Values>>; numbers: Map<string, number>; numbered: Set<string> }

function nothingTaken<Values>(): Taken<Values> {
  return { entries: new Map(), numbers: new Map(), numbered: new Set() }
}

function add<Values extends object>(taken: Taken<Values>, style: FoundStyle, values: Values, notes: Notes): void {
  const name = styleName(style, notes)
  const wanted = idOf(style, name)
  const entry = taken.entries.get(wanted)
  if (entry === undefined) {
    taken.entries.set(wanted, { id: wanted, name, values })
    return
  }
  const differences = merge(entry, values)
  const own = `${wanted} ${JSON.stringify(values)}`
  if (differences.length === 0 || taken.numbered.has(own)) return
  taken.numbered.add(own)
  const id = freeId(wanted, taken)
  addNote(notes, { name: `${name} (${id})`, value: differences.join('; ') }, 'sameId')
  taken.entries.set(id, { id, name, values })
}

/** Adds print values to the colour with the same id; without one, there is no colour to write. */
function addPrintValues(taken: Taken<CheckedColor>, style: FoundStyle, values: CheckedColor, notes: Notes): void {
  const name = styleName(style, notes)
  const entry = taken.entries.get(idOf(style, name))
  if (entry && merge(entry, values).length === 0) return
  const texts = printValuesOf(values).map(({ key, label, value }) => `${key === 'inks' ? label : key} ${value}`)
  addNote(notes, name, entry ? 'otherPrint' : 'onlyPrint', texts.join(', '))
}

/**
 * Adds values to a style, unless some conflict with its own, which count; ink systems come from both. Returns the
 * conflicts.
 */
function merge<Values extends { inks?: object }>(entry: Entry<Values>, values: Values): string[] {
  const { values: own } = entry
  const differences = conflicts(own, values)
  const inks = { ...own.inks, ...values.inks }
  if (differences.length === 0) entry.values = { ...values, ...own, ...(Object.keys(inks).length > 0 && { inks }) }
  return differences
}

/** The values that conflict; values for readers may differ, and ink systems are compared one by one. */
function conflicts(one: object, other: object): string[] {
  const values = new Map(Object.entries(one))
  return Object.entries(other).flatMap(([key, value]) => {
    const before = values.get(key)
    if (before === undefined || TEXTS.has(key)) return []
    const isSame =
      key === 'inks' ? conflicts(before, value).length === 0 : comparableText(before) === comparableText(value)
    return isSame ? [] : `${key} ${JSON.stringify(value)} beside ${JSON.stringify(before)}`
  })
}

/** Two spellings of one value, such as `13 K` and `13k`, are equal. */
function comparableText(value: unknown): string {
  return JSON.stringify(value).toLowerCase().replaceAll(' ', '')
}

const TEXTS: ReadonlySet<string> = new Set(['group', 'use', 'sample', 'on', 'tintOf', 'proportion', 'fallback'])

function styleName({ name }: FoundStyle, notes: Notes): string {
  const clean = cleanLine(name, MAX_NAME, () => addNote(notes, name, 'cleaned', 'a name'))
  return clean || 'Unnamed'
}

/** The wanted id of a style: its own, or one from its name, shortened if necessary. */
function idOf({ id: own = '' }: FoundStyle, name: string): StyleId {
  const id = [own, slug(name), slug(slug(name).slice(0, MAX_ID)), 'unnamed'].find(isStyleId)
  if (id === undefined) throw new Error('no id is left')
  return id
}

/** Leaves space for a number within the 200 characters of an id. */
const MAX_ID = 180

function freeId<Values>(wanted: StyleId, { entries, numbers }: Taken<Values>): StyleId {
  const stem = slug(wanted.slice(0, MAX_ID))
  for (let number = numbers.get(stem) ?? 2; ; number++) {
    const id = `${stem}-${number}`
    if (!isStyleId(id) || entries.has(id)) continue
    numbers.set(stem, number + 1)
    return id
  }
}

/** A colour with values that a guide can use; without `hex` if it has no screen value. */
type CheckedColor = Partial<Omit<Color, 'id' | 'name' | 'on' | 'tintOf'>> & Relations

/** Reads the fields of a style as its list does; another file may have a missing screen value. Problems name `line`. */
export function checkFields<Key extends string, Values>(
  { name, fields }: FoundStyle,
  line: number,
  keys: readonly Key[],
  read: (fields: Fields<Key>) => Values,
  notes: Notes,
): Values {
  const problems: Problem[] = []
  const entries = new Map<string, YamlEntry>()
  const onChanged = () => addNote(notes, name, 'cleaned', 'text')
  for (const [key, json] of fields) {
    if (!keys.some(each => each === key)) addNote(notes, name, 'unknownKey', key)
    const maximum = LONG_TEXTS.has(key) ? MAX_NAME : MAX_TEXT
    for (const value of nodesOf(json, line, text => cleanLine(text, maximum, onChanged)))
      entries.set(key, { key, line, value })
  }
  const values = read({ line, entries, misspelt: new Map(), what: 'a style', keys, problems })
  for (const { rule, message } of problems.filter(({ rule }) => rule !== 'value-missing'))
    addNote(notes, name, SAYS_SO.has(rule) ? 'explained' : 'unusable', message)
  return values
}

/** The rules whose messages say that a value is left out. */
const SAYS_SO: ReadonlySet<RuleId> = new Set(['cmyk-fraction', 'ral-design'])
const LONG_TEXTS: ReadonlySet<string> = new Set(['use', 'sample', 'on', 'tintOf'])
const MAX_TEXT = 200
const MAX_NAME = 1000

/** Converts JSON to a YAML node with clean texts; none if it has no value. */
function nodesOf(json: Json, line: number, clean: (text: string) => string): YamlNode[] {
  if (Array.isArray(json)) {
    const items = json.flatMap(item => nodesOf(item, line, clean))
    return items.length > 0 ? [{ kind: 'list', line, items }] : []
  }
  if (isObject(json)) {
    const entries = [...json].flatMap(([key, inner]) =>
      nodesOf(inner, line, clean).map(value => ({ key, line, value })),
    )
    return [{ kind: 'mapping', line, entries }]
  }
  const text = clean(typeof json === 'number' ? plainNumber(json) : String(json ?? ''))
  return text === '' ? [] : [{ kind: 'text', line, text }]
}

/**
 * Turns text into one valid line: without control characters and lone surrogates, cut at `maximum` characters; empty if it
 * is blank. Calls `onChanged` if that changes anything to read.
 */
function cleanLine(text: string, maximum: number, onChanged: () => void): string {
  if (text.trim() === '') return ''
  const line = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  const clean = line.length <= maximum ? line : [...line].slice(0, maximum).join('').trimEnd()
  if (clean !== text) onChanged()
  return clean.trim() === '' ? '' : clean
}
