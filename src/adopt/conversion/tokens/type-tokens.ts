import { keysOf } from '#brand/fields.ts'
import { addNote, type FoundStyle, type NoteKind, type Notes } from '#brand/tokens/found-styles.ts'
import { type Authored, authoredValues, tokenName } from '#brand/tokens/token-tree.ts'
import { CASINGS } from '#brand/type-style.ts'
import { cssFamilies } from '#formats/css/values.ts'
import { weightOfName, withoutSlope } from '#formats/font/font-weight.ts'
import { isObject, type Json, jsonText, textMember } from '#formats/json/json.ts'
import { listIn, withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, lettersOf, quote, wordSet, wordTable } from '#platform/base/text.ts'
import { nameTypes } from './token-names.ts'
import type { ResolvedToken } from './token-references.ts'

type Values = ReadonlyMap<TypeProperty, Json>

/** The tokens of one type style: a typography token, or several tokens for single properties. */
type Written = { token: ResolvedToken; values: Values; authored?: Authored }

/** Makes type styles from whole tokens and from parts such as `fontSize.body`. `left` are those without a style. */
export function typeStyles(
  wholes: readonly ResolvedToken[],
  parts: readonly ResolvedToken[],
  notes: Notes,
): { types: FoundStyle[]; left: ResolvedToken[] } {
  const gathered = gatherParts(parts)
  const gatheredStyles = [...wholes.flatMap(token => wholeStyle(token, notes)), ...gathered.styles]
  const names = nameTypes(gatheredStyles.map(({ token }) => token))
  const types = gatheredStyles.map(({ token, values, authored }, at) => {
    const subject = tokenName(token.path)
    const fields = typeFieldsOf(values, (...problem) => addNote(notes, subject, ...problem))
    const name = token.name ?? names[at] ?? subject
    if (authored) return { name, ...authored, fields: mergeAuthored(fields, authored.fields, values) }
    if (token.description !== undefined) addNote(notes, subject, 'noDescription')
    return { name, fields }
  })
  return { types, left: gathered.left }
}

/** Token values win over authored ones if another tool changed them. They are rounded, and 0 for an absent tracking. */
function mergeAuthored(
  fields: ReadonlyMap<string, Json>,
  authored: ReadonlyMap<string, Json>,
  values: Values,
): Map<string, Json> {
  const before = new Map<string, Json>([['tracking', 0], ...authored])
  const [family] = [values.get('fontFamily')].flat()
  const kept = authored.get('family') === family ? FAMILY_KEYS : NO_KEYS
  const changed = [...fields].filter(([key, value]) => !kept.has(key) && !isNear(before.get(key), value))
  return new Map([...authored, ...changed])
}

const FAMILY_KEYS = wordSet('family fallback')
const NO_KEYS: ReadonlySet<string> = new Set()

function isNear(before: Json | undefined, value: Json): boolean {
  if (typeof before !== 'number' || typeof value !== 'number') return before === value
  return Math.abs(before - value) <= ROUNDING * Math.max(1, Math.abs(before))
}

const ROUNDING = 0.001

/** The property that a token sets, and the path of its style, which has no name of the property. */
export function partOf({ type = '', path }: ResolvedToken): { property: TypeProperty; style: string[] } | undefined {
  const words = PLAIN_TYPES.has(type) ? [...path.slice(0, 1), ...path.slice(-1)] : [type]
  const property = words.map(propertyOf).find(each => each !== undefined)
  return property && { property, style: path.filter(name => propertyOf(name) !== property) }
}

/** The types of tokens whose names say what they set. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['', 'dimension', 'number', 'string', 'other'])

function wholeStyle(token: ResolvedToken, notes: Notes): Written[] {
  if (!isObject(token.value)) {
    addNote(notes, tokenName(token.path), 'noParts')
    return []
  }
  const values = new Map<TypeProperty, Json>()
  for (const [key, value] of token.value) {
    // `size` is `font-size`.
    const property = propertyOf(key) ?? propertyOf(`font-${key}`)
    if (property === undefined) addNote(notes, tokenName(token.path), 'unsupportedKey', key)
    else values.set(property, value)
  }
  return [writtenStyle(token, values, [token])]
}

function gatherParts(parts: readonly ResolvedToken[]): { styles: Written[]; left: ResolvedToken[] } {
  const typeParts = parts.flatMap(token => {
    const part = partOf(token)
    return part ? [{ token, ...part }] : []
  })
  const styles: Written[] = []
  const left: ResolvedToken[] = []
  for (const group of Map.groupBy(typeParts, ({ token, style }) => JSON.stringify([token.set, style])).values()) {
    const values = new Map(group.map(({ property, token }) => [property, token.value]))
    const tokens = group.map(({ token }) => token)
    const whole = group.slice(0, 1).map(({ token, style }) => writtenStyle({ ...token, path: style }, values, tokens))
    const isStyle = values.size > 1 && (values.has('fontFamily') || values.has('fontSize'))
    if (isStyle || whole.some(({ authored }) => authored)) styles.push(...whole)
    else left.push(...tokens)
  }
  return { styles, left }
}

function writtenStyle(token: ResolvedToken, values: Values, tokens: readonly ResolvedToken[]): Written {
  const [authored, ...more] = tokens.flatMap(each => authoredValues(each) ?? [])
  for (const { fields } of more) for (const [key, value] of fields) authored?.fields.set(key, value)
  return withoutUndefined({ token, values, authored })
}

/**
 * A type style from the cells of a table, with measures for `styles/types.yaml`, such as those of `24px (1.5rem)` and
 * `24/32`. Bare tracking and spacing are em. A family loses words that repeat the weight, as in *Inter Bold*.
 */
export function typeStyleOf({ fields, ...style }: FoundStyle, notes: Notes): FoundStyle {
  const cell = (key: string) => plainMinus(jsonText(fields.get(key) ?? '').trim())
  const parts = cell('size').split('/')
  const isPair = parts.length === 2 && parts.every(part => PIXELS.has(measureOf(part).unit))
  const [size = '', leading = ''] = isPair ? parts : [cell('size')]
  const weight = weightIn(cell('weight'))
  const firstMeasure = (key: string, text = cell(key)) => {
    const [measure = text, ...others] = measuresIn(text)
    for (const other of others) addNote(notes, other.trim(), 'secondValue', key)
    return measure.trim()
  }
  const cells: readonly (readonly [TypeProperty, string])[] = [
    ['fontFamily', withoutWeight(cell('family'), weight)],
    ['fontSize', firstMeasure('size', size)],
    ['lineHeight', firstMeasure('leading', cell('leading') || leading)],
    ['letterSpacing', inEm(firstMeasure('tracking'))],
    ['paragraphSpacing', inEm(firstMeasure('spacing'))],
    ['fontWeight', weight],
  ]
  const values = new Map(cells.filter(([, text]) => text !== ''))
  const measures = typeFieldsOf(values, (...problem) => addNote(notes, style.name, ...problem))
  const others = [...fields].filter(([key]) => !MEASURED.has(key))
  return { ...style, fields: new Map([...measures, ...others]) }
}

const MEASURED = wordSet('family size leading tracking spacing weight')

/** A number with the hyphen that programs read for a minus sign or a dash. */
function plainMinus(text: string): string {
  return text.replace('\u2212', '-').replace('\u2013', '-')
}

function inEm(text: string): string {
  return measureOf(text).unit === '' ? `${text}em` : text
}

/** A weight without the name that repeats its number, but with a slope: `700 italic` of `700 (Bold Italic)`. */
function weightIn(text: string): string {
  const words = text.split(SEPARATORS).flatMap(part => part.trim().split(' '))
  const number = words.find(word => Number(word) >= 100)
  const { upright, isSlanted } = withoutSlope(words.filter(word => word !== number).join(' '))
  if (number === undefined || weightOfName(upright) === undefined) return text
  return isSlanted ? `${number} italic` : number
}

const SEPARATORS = /[/(),;|≈=]/

/** The measures in a text, such as those for several devices; only those in px if it has some. */
function measuresIn(text: string): string[] {
  const measures = Map.groupBy(text.split(SEPARATORS).flatMap(endsOf), part => measureOf(part).unit)
  measures.delete(NO_MEASURE)
  return measures.get('px') ?? [...measures.values()].flat()
}

/** The ends of a range, the larger one first, which is that of wide screens: `40px` and `32px` of `32-40px`. */
function endsOf(text: string): string[] {
  const [, from, to, unit] = groupsOf(RANGE, text)
  return from === undefined ? [text] : [`${to}${unit}`, `${from}${unit}`]
}

const RANGE = /^\s{0,9}(\d[\d.]{0,5})\s?(?:px|rem)?\s?-\s?(\d[\d.]{0,5})\s?(px|rem)\s{0,9}$/

/** A family without the words at its end that are the name of a weight. */
function withoutWeight(family: string, weight: string): string {
  const words = family.split(' ')
  const number = weightOfName(weight) ?? Number(weight)
  const repeated = [2, 1].find(count => weightOfName(words.slice(-count).join(' ')) === number) ?? 0
  return repeated < words.length ? words.slice(0, words.length - repeated).join(' ') : family
}

/** Reports a value that is left out or changed. */
type Report = (kind: NoteKind, detail?: string) => void

/** Converts token values to values of `styles/types.yaml`. */
function typeFieldsOf(values: Values, report: Report): Map<string, Json> {
  const size = sizeOf(values.get('fontSize'), report)
  const fields = keysOf(READERS).flatMap(property => {
    const value = values.get(property)
    return value === undefined ? [] : Object.entries(READERS[property](value, { property, size, report }))
  })
  return new Map(fields.flatMap(([key, value]) => (value === undefined || Number.isNaN(value) ? [] : [[key, value]])))
}

/** Gives the values of a style, which are undefined or not a number if a property has none. `size` is that of the style in px. */
type Reader = (value: Json, place: Place) => Readonly<Record<string, Json | undefined>>
type Place = { property: string; size: number; report: Report }

/** The readers of the properties of type styles in tokens, as the Design Tokens format spells them. */
const READERS = {
  fontFamily: readFamilies,
  fontSize: (_, { size }) => ({ size: round(size) }),
  lineHeight: (value, place) => ({ leading: readLeading(value, place) }),
  letterSpacing: (value, place) => ({ tracking: readLength(value, place) }),
  textCase: readCasing,
  paragraphSpacing: (value, place) => ({ spacing: readLength(value, place) }),
  fontWeight: weight => ({ weight }),
  fontStyle: style => ({ style: isUnset(style) ? undefined : style }),
  textDecoration: readUnsupported,
  paragraphIndent: readUnsupported,
} as const satisfies Record<string, Reader>

type TypeProperty = keyof typeof READERS

/** The property for a word such as `fontSizes` or `font-size`; undefined if it is unknown. */
function propertyOf(word: string): TypeProperty | undefined {
  return PROPERTIES.get(lettersOf(word))
}

const PROPERTIES = wordTable<TypeProperty>([
  ...keysOf(READERS).map(property => [property, `${property} ${property}s`.toLowerCase()] as const),
  ['fontFamily', 'fontfamilies'],
  ['textCase', 'texttransform'],
])

function readFamilies(
  value: Json,
  { report }: Place,
): { family?: string | undefined; fallback?: string[] | undefined } {
  const list = listIn(typeof value === 'string' ? cssFamilies(value) : value)
  const families = list.filter(family => typeof family === 'string').map(family => family.trim())
  const [family, ...fallback] = families.filter(Boolean)
  if (family === undefined) report('noFamily', describe(value))
  else if (families.length < list.length) report('familyNoText')
  return { family, fallback: fallback.length > 0 ? fallback : undefined }
}

/** A size in px; not a number without one. */
function sizeOf(value: Json | undefined, report: Report): number {
  if (value === undefined) return Number.NaN
  const measure = measureOf(value)
  const size = pixels(measure)
  if (measure.unit === 'rem') report('inRem')
  if (Number.isNaN(size)) report('noLength', describe(value))
  return size
}

/** A bare line height is a multiple of the size, or above 4 px, as drawing programs write it. */
function readLeading(value: Json, place: Place): number {
  const { number, unit } = measureOf(value)
  const isMultiple = unit === '' && number <= MAX_MULTIPLE
  if (unit === '' && !isMultiple) place.report('readAsPx')
  return isMultiple ? round(number) : readLength(value, place)
}

const MAX_MULTIPLE = 4

/** A length as a multiple of the size. Zero of any unit is 0 em. */
function readLength(value: Json, { property, size, report }: Place): number {
  const measure = measureOf(value)
  const sizes = measure.number * (SHARES.get(measure.unit) ?? pixels({ ...measure, number: 1 }) / size)
  if (measure.number === 0) return 0
  if (Number.isNaN(sizes) && !isUnset(value)) report('notConverted', `"${property}" is ${describe(value)}`)
  return round(sizes)
}

/** The units of a length as a share of the size. */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['%', 0.01],
  ['em', 1],
])

function readCasing(value: Json, place: Place): { casing: string | undefined } {
  const casing = CASING_WORDS.get(lettersOf(jsonText(value)))
  if (casing === undefined) readUnsupported(value, place)
  return { casing }
}

/** The casings by the words of CSS and of drawing programs. */
const CASING_WORDS = wordTable<string>([
  ...CASINGS.map(casing => [casing, lettersOf(casing)] as const),
  ['none', 'original'],
  ['uppercase', 'upper'],
  ['lowercase', 'lower'],
  ['capitalize', 'title'],
  ['small-caps', 'smallcapsforced'],
])

function readUnsupported(value: Json, { property, report }: Place): Record<string, undefined> {
  const isNothing = isUnset(value) || measureOf(value).number === 0
  if (!isNothing) report('unsupportedValue', `"${property}" is ${describe(value)}`)
  return {}
}

/** Whether a value is the one that strings without it have. */
function isUnset(value: Json): boolean {
  return UNSET.has(jsonText(value).toLowerCase())
}

const UNSET = wordSet('auto normal none')

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list'
  const isMeasure = measureOf(value).unit !== NO_MEASURE
  return isObject(value) && !isMeasure ? 'an object' : quote(measureText(value))
}

/** A number and its unit, which is empty for a bare number: `{ number: 1.5, unit: 'rem' }`. */
type Measure = { number: number; unit: string }

/** Reads `{ value: 16, unit: "px" }` (Format 2025.10 §8.2), `"16px"`, `"150%"` and `16`. Not a number for other values. */
function measureOf(value: Json): Measure {
  const [, digits = '', unit = NO_MEASURE] = groupsOf(MEASURE, measureText(value))
  return { number: Number.parseFloat(digits), unit: unit.toLowerCase() }
}

/** The unit of a value without a measure. */
const NO_MEASURE = 'none'
const MEASURE = /^\s{0,9}([+-]?[\d.]+(?:e[+-]?\d+)?)\s{0,9}([a-z%]{0,9})\s{0,9}$/i

function measureText(value: Json): string {
  return isObject(value) ? `${value.get('value')}${textMember(value, 'unit') ?? ''}` : jsonText(value)
}

/** A length in px; not a number for relative lengths. */
function pixels({ number, unit }: Measure): number {
  return number * (PIXELS.get(unit) ?? Number.NaN)
}

/** The units in px: a bare number is px, and 1rem is 16px, the size of the root element in browsers. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['rem', 16],
])

/** Rounds to four decimals to remove arithmetic errors. */
function round(number: number): number {
  return Number(number.toFixed(4))
}
