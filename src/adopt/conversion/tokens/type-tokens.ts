import { addNote, type FoundStyle, type NoteKind, type Notes } from '#brand/tokens/found-styles.ts'
import { type Authored, authoredValues, tokenName } from '#brand/tokens/token-tree.ts'
import { CASINGS } from '#brand/type-style.ts'
import { cssFamilies } from '#formats/css/values.ts'
import { weightOfName, withoutSlope } from '#formats/font/font-weight.ts'
import { isObject, type Json, jsonText, textMember } from '#formats/json/json.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, quote, wordSet } from '#platform/base/text.ts'
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
  const both = new Map(authored)
  const families = values.get('fontFamily')
  const isFamilyKept = authored.get('family') === (Array.isArray(families) ? families[0] : families)
  for (const [key, value] of fields) {
    const before = authored.get(key)
    if (key === 'tracking' && value === 0 && before === undefined) continue
    if (isFamilyKept && (key === 'family' || key === 'fallback')) continue
    if (!isNear(before, value)) both.set(key, value)
  }
  return both
}

function isNear(before: Json | undefined, value: Json): boolean {
  if (typeof before !== 'number' || typeof value !== 'number') return before === value
  return Math.abs(before - value) <= ROUNDING * Math.max(1, Math.abs(before))
}

const ROUNDING = 0.001

/** The property that a token sets, and the path of its style. */
export function partOf({ type = '', path }: ResolvedToken): { property: TypeProperty; style: string[] } | undefined {
  const [first = '', ...inner] = path
  const [byFirst, byLast] = [first, ...inner.slice(-1)].map(propertyOf)
  const property = PLAIN_TYPES.has(type) ? (byFirst ?? byLast) : propertyOf(type)
  if (property === undefined) return undefined
  if (byFirst === property && inner.length > 0) return { property, style: inner }
  return { property, style: byLast === property ? path.slice(0, -1) : [...path] }
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
    const property = propertyOf(key)
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
    const [first] = group
    const style = first && writtenStyle({ ...first.token, path: first.style }, values, tokens)
    const isStyle = values.size > 1 && (values.has('fontFamily') || values.has('fontSize'))
    if (style && (isStyle || style.authored)) styles.push(style)
    else left.push(...tokens)
  }
  return { styles, left }
}

function writtenStyle(token: ResolvedToken, values: Values, tokens: readonly ResolvedToken[]): Written {
  const [authored, ...more] = tokens.flatMap(each => authoredValues(each) ?? [])
  for (const { fields } of more) for (const [key, value] of fields) authored?.fields.set(key, value)
  return withoutUndefined({ token, values, authored })
}

/** The properties of type styles in tokens, as the Design Tokens format spells them. */
const TYPE_PROPERTIES = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'lineHeight',
  'letterSpacing',
  'fontStyle',
  'textCase',
  'textDecoration',
  'paragraphSpacing',
  'paragraphIndent',
] as const

type TypeProperty = (typeof TYPE_PROPERTIES)[number]

/** The property for a word such as `fontSizes` or `font-size`; undefined if it is unknown. */
function propertyOf(word: string): TypeProperty | undefined {
  const plain = word.toLowerCase().replace(/[-_ ]/g, '')
  const singular = plain.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  if (plain === 'texttransform') return 'textCase'
  return TYPE_PROPERTIES.find(property => [plain, singular].includes(property.toLowerCase()))
}

/**
 * A type style from the cells of a table, with measures for `styles/types.yaml`, such as those of `24px (1.5rem)` and
 * `24/32`. Bare tracking and spacing are em. A family loses words that repeat the weight, as in *Inter Bold*.
 */
export function typeStyleOf({ fields, ...style }: FoundStyle, notes: Notes): FoundStyle {
  const cell = (key: string) =>
    jsonText(fields.get(key) ?? '')
      .trim()
      .replace(/^[\u2212\u2013]/, '-')
  const [, size = cell('size'), leading = ''] = groupsOf(SIZE_AND_LEADING, cell('size'))
  const weight = weightIn(cell('weight'))
  const inEm = (key: string) => measureIn(cell(key)).replace(/^[-+]?[\d.]+$/, '$&em')
  const cells: readonly (readonly [TypeProperty, string])[] = [
    ['fontFamily', withoutWeight(cell('family'), weight)],
    ['fontSize', measureIn(size)],
    ['lineHeight', measureIn(cell('leading') || leading)],
    ['letterSpacing', inEm('tracking')],
    ['paragraphSpacing', inEm('spacing')],
  ]
  const values = new Map(cells.filter(([, text]) => text !== ''))
  const measures = typeFieldsOf(values, (...problem) => addNote(notes, style.name, ...problem))
  const others = [...fields].filter(([key]) => !MEASURED.has(key))
  return {
    ...style,
    fields: new Map([...measures, ...others, ...(weight === '' ? [] : [['weight', weight] as const])]),
  }
}

const MEASURED = wordSet('family size leading tracking spacing')
const SIZE_AND_LEADING = /^([\d.]+)(?:px)?\s{0,3}\/\s{0,3}([\d.]+(?:px)?)$/i

/** A weight without the name that repeats its number, but with a slope: `700 italic` of `700 (Bold Italic)`. */
function weightIn(text: string): string {
  const [number = ''] = groupsOf(/(?<![\d.])[1-9]\d{2}(?![\d.\p{L}])/u, text)
  const { upright, isSlanted } = withoutSlope(text.replace(number, '').replace(/[\s/(),]+/g, ' '))
  if (number === '' || weightOfName(upright) === undefined) return text
  return isSlanted ? `${number} italic` : number
}

/** The measure in a text that gives one in several units; px come first. */
function measureIn(text: string): string {
  const measures = text.split(/[/(),;|≈=]/).filter(part => readDimension(part) !== undefined)
  const pixelMeasures = measures.filter(part => readDimension(part)?.unit === 'px')
  const [measure = text, ...others] = pixelMeasures.length > 0 ? pixelMeasures : measures
  return others.length === 0 ? measure.trim() : text
}

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
  const fields: Readonly<Record<string, Json>> = withoutUndefined({
    ...familiesOf(values.get('fontFamily'), report),
    size,
    leading: inSizes('lineHeight', values.get('lineHeight'), size, report),
    tracking: inSizes('letterSpacing', values.get('letterSpacing'), size, report),
    casing: casingOf(values.get('textCase'), report),
    spacing: inSizes('paragraphSpacing', values.get('paragraphSpacing'), size, report),
    weight: values.get('fontWeight'),
    style: /^normal$/i.test(`${values.get('fontStyle')}`) ? undefined : values.get('fontStyle'),
  })
  for (const property of ['textDecoration', 'paragraphIndent'] as const) {
    const value = values.get(property)
    const isNothing = value === undefined || value === 'none' || value === 'NONE' || readDimension(value)?.number === 0
    if (!isNothing) report('unsupportedValue', `"${property}" is ${describe(value)}`)
  }
  return new Map(Object.entries(fields))
}

function familiesOf(value: Json | undefined, report: Report): { family?: string; fallback?: string[] } {
  if (value === undefined) return {}
  const list = Array.isArray(value) ? value : typeof value === 'string' ? cssFamilies(value) : []
  const families = list.filter(family => typeof family === 'string').map(family => family.trim())
  const [family, ...fallback] = families.filter(each => each !== '')
  if (family === undefined) report('noFamily', describe(value))
  else if (families.length < list.length) report('familyNoText')
  return family === undefined ? {} : { family, ...(fallback.length > 0 && { fallback }) }
}

function sizeOf(value: Json | undefined, report: Report): number | undefined {
  if (value === undefined) return undefined
  const dimension = readDimension(value)
  const size = dimension && pixels(dimension)
  if (dimension?.unit === 'rem') report('inRem')
  if (size === undefined) report('noLength', describe(value))
  return size === undefined ? undefined : round(size)
}

/** A length as a multiple of the size. Zero of any unit is 0 em. A bare line height is a multiple, or above 4 px, as drawing programs write it. */
function inSizes(
  property: TypeProperty,
  value: Json | undefined,
  size: number | undefined,
  report: Report,
): number | undefined {
  if (AUTO.test(jsonText(value ?? 'normal'))) return undefined
  const dimension = readDimension(value) ?? NO_LENGTH
  const { number, unit } = dimension
  const isLeading = property === 'lineHeight'
  const isBare = isLeading && unit === ''
  if (isBare && number <= MAX_MULTIPLE) return round(number)
  if (isBare) report('readAsPx')
  if (number === 0 && !isLeading) return 0
  const share = SHARES.get(unit)
  if (share !== undefined) return round(number * share)
  const sizes = (pixels(dimension) ?? Number.NaN) / (size || Number.NaN)
  if (!Number.isNaN(sizes)) return round(sizes)
  report('notConverted', `"${property}" is ${describe(value)}`)
  return undefined
}

const MAX_MULTIPLE = 4
const NO_LENGTH: Dimension = { number: Number.NaN, unit: 'pt' }
/** The units of a length as a share of the size. */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['%', 0.01],
  ['em', 1],
])
const AUTO = /^(?:auto|normal)$/i

function casingOf(value: Json | undefined, report: Report): string | undefined {
  if (value === undefined) return undefined
  const word = typeof value === 'string' ? value.toLowerCase().replace(/[_ ]/g, '-') : ''
  const casing = CASINGS.find(each => each === word) ?? CASING_WORDS.get(word)
  if (casing === undefined) report('unsupportedValue', `"textCase" is ${describe(value)}`)
  return casing
}

/** The casings of drawing programs by the words of CSS. */
const CASING_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    original: 'none',
    upper: 'uppercase',
    lower: 'lowercase',
    title: 'capitalize',
    'small-caps-forced': 'small-caps',
  }),
)

function describe(value: Json | undefined): string {
  if (isObject(value)) {
    const dimension = readDimension(value)
    return dimension === undefined ? 'an object' : quote(`${dimension.number}${dimension.unit}`)
  }
  return Array.isArray(value) ? 'a list' : quote(String(value))
}

/** A number and its unit, which is empty for a bare number: `{ number: 1.5, unit: 'rem' }`. */
type Dimension = { number: number; unit: '' | 'px' | 'rem' | 'em' | '%' | 'pt' }

/** Reads `{ value: 16, unit: "px" }` (Format 2025.10 §8.2), `"16px"`, `"150%"` and `16`. */
function readDimension(value: Json | undefined): Dimension | undefined {
  const text = isObject(value) ? `${value.get('value')}${textMember(value, 'unit') ?? ''}` : jsonText(value ?? '')
  if (text.length > 100) return undefined
  const [, digits, name = ''] = groupsOf(/^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)\s*$/i, text)
  const unit = UNITS.find(each => each === name.toLowerCase())
  return digits === undefined || unit === undefined ? undefined : { number: Number(digits), unit }
}

const UNITS = ['', 'px', 'rem', 'em', '%', 'pt'] as const

/** A length in px: a bare number is px, and 1rem is 16px. Undefined for relative lengths. */
function pixels({ number, unit }: Dimension): number | undefined {
  if (unit === '' || unit === 'px') return number
  return unit === 'rem' ? number * ROOT_SIZE : undefined
}

/** The default font size of the root element in browsers. */
const ROOT_SIZE = 16

/** Rounds to four decimals to remove arithmetic errors. */
function round(number: number): number {
  return Number(number.toFixed(4))
}
