import { quote } from '../../base/text.ts'
import { isObject, type Json, textMember } from '../json.ts'

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

export type TypeProperty = (typeof TYPE_PROPERTIES)[number]

/** The property for a word such as `fontSizes` or `font-size`; undefined if it is unknown. */
export function propertyOf(word: string): TypeProperty | undefined {
  const plain = word.toLowerCase().replace(/[-_ ]/g, '')
  const singular = plain.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  if (plain === 'texttransform') return 'textCase'
  return TYPE_PROPERTIES.find(property => [plain, singular].includes(property.toLowerCase()))
}

/** Converts token values to those of `styles/types.yaml`. Reports the others with the end of a sentence. */
export function typeFieldsOf(
  values: ReadonlyMap<TypeProperty, Json>,
  report: (problem: string) => void,
): Map<string, Json> {
  const size = sizeOf(values.get('fontSize'), report)
  const fields = new Map<string, Json | undefined>([
    ...familiesOf(values.get('fontFamily'), report),
    ['size', size],
    ['leading', leadingOf(values.get('lineHeight'), size, report)],
    ['tracking', inEm('letterSpacing', values.get('letterSpacing'), size, report)],
    ['casing', casingOf(values.get('textCase'), report)],
    ['spacing', inEm('paragraphSpacing', values.get('paragraphSpacing'), size, report)],
    ...faceOf(values.get('fontWeight'), values.get('fontStyle')),
  ])
  for (const property of ['textDecoration', 'paragraphIndent'] as const) {
    const value = values.get(property)
    const isNothing = value === undefined || value === 'none' || value === 'NONE' || readDimension(value)?.number === 0
    if (!isNothing) report(`"${property}" is ${describe(value)}, which type styles do not support; left out`)
  }
  return new Map([...fields].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function familiesOf(value: Json | undefined, report: (problem: string) => void): [string, Json][] {
  if (value === undefined) return []
  const list = Array.isArray(value) ? value : typeof value === 'string' ? splitFamilies(value) : undefined
  const families = list?.filter(family => typeof family === 'string').map(family => family.trim())
  const [family, ...fallback] = families?.filter(each => each !== '') ?? []
  if (family === undefined) {
    report(`"fontFamily" is ${describe(value)}, which is not a font family; left out`)
    return []
  }
  const rest: [string, Json][] = fallback.length > 0 ? [['fallback', fallback]] : []
  return [['family', family], ...rest]
}

/** Older files have a CSS list in one string: `"Inter", Arial, sans-serif`. */
function splitFamilies(text: string): string[] {
  const parts = text.matchAll(/\s*(?:"([^"]*)"|'([^']*)'|([^,]*))\s*(?:,|$)/g)
  const families = Array.from(parts, ([, double, single, bare = '']) => double ?? single ?? bare)
  return families.some(family => family.trim() !== '') ? families : [text]
}

function sizeOf(value: Json | undefined, report: (problem: string) => void): number | undefined {
  if (value === undefined) return undefined
  const dimension = readDimension(value)
  const size = dimension && pixels(dimension)
  if (dimension?.unit === 'rem') report('"fontSize" is in rem; converted to px at 16 per rem')
  if (size === undefined) report(`"fontSize" is ${describe(value)}, which is not a length in px or rem; left out`)
  return size === undefined ? undefined : round(size)
}

/** Bare numbers are multiples of the size; above 4 they are px, which drawing programs write. */
function leadingOf(value: Json | undefined, size: number | undefined, report: (problem: string) => void) {
  if (value === undefined || (typeof value === 'string' && AUTO.test(value))) return undefined
  const dimension = readDimension(value)
  if (dimension?.unit === '%') return round(dimension.number / 100)
  if (dimension && (dimension.unit === 'em' || (dimension.unit === '' && dimension.number <= MAX_MULTIPLE)))
    return round(dimension.number)
  if (dimension?.unit === '') report(`"lineHeight" is more than ${MAX_MULTIPLE} without a unit; read as px`)
  const height = dimension && pixels(dimension)
  if (height !== undefined && size !== undefined && size > 0) return round(height / size)
  report(`"lineHeight" is ${describe(value)}, which cannot be converted to a multiple of the size; left out`)
  return undefined
}

const AUTO = /^(?:auto|normal)$/i
const MAX_MULTIPLE = 4

function inEm(
  property: TypeProperty,
  value: Json | undefined,
  size: number | undefined,
  report: (problem: string) => void,
): number | undefined {
  if (value === undefined || (typeof value === 'string' && AUTO.test(value))) return undefined
  const dimension = readDimension(value)
  if (dimension?.number === 0) return 0
  if (dimension?.unit === '%') return round(dimension.number / 100)
  if (dimension?.unit === 'em') return round(dimension.number)
  const length = dimension && pixels(dimension)
  if (length !== undefined && size !== undefined && size > 0) return round(length / size)
  report(`"${property}" is ${describe(value)}, which cannot be converted to em; left out`)
  return undefined
}

function casingOf(value: Json | undefined, report: (problem: string) => void): string | undefined {
  if (value === undefined) return undefined
  const word = typeof value === 'string' ? value.toLowerCase().replace(/[_ ]/g, '-') : ''
  const casing = CASING_WORDS.get(word)
  if (casing === undefined) report(`"textCase" is ${describe(value)}, which type styles do not support; left out`)
  return casing
}

/** The casings of CSS, and their names in drawing programs. */
const CASING_WORDS: ReadonlyMap<string, string> = new Map([
  ['none', 'none'],
  ['original', 'none'],
  ['uppercase', 'uppercase'],
  ['upper', 'uppercase'],
  ['lowercase', 'lowercase'],
  ['lower', 'lowercase'],
  ['capitalize', 'capitalize'],
  ['title', 'capitalize'],
  ['small-caps', 'small-caps'],
  ['small-caps-forced', 'small-caps'],
])

/** The weight and the style, which drawing programs join: `Bold Italic`. */
function faceOf(weight: Json | undefined, style: Json | undefined): [string, Json | undefined][] {
  const [, face = '', slant] = typeof weight === 'string' ? (/^(.*?)[ -]?(italic)?$/i.exec(weight.trim()) ?? []) : []
  const isItalic = slant !== undefined || (typeof style === 'string' && /^italic$/i.test(style))
  const isUpright = typeof style === 'string' && /^normal$/i.test(style)
  return [
    ['weight', typeof weight === 'string' ? (slant !== undefined && face === '' ? undefined : face) : weight],
    ['style', isItalic ? 'italic' : isUpright ? undefined : style],
  ]
}

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
  if (typeof value === 'number') return { number: value, unit: '' }
  if (isObject(value)) {
    const number = value.get('value')
    return typeof number === 'number' ? withUnit(number, textMember(value, 'unit') ?? '') : undefined
  }
  if (typeof value !== 'string' || value.length > 100) return undefined
  const [, digits, unit = ''] = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([a-z%]*)\s*$/i.exec(value) ?? []
  return digits === undefined ? undefined : withUnit(Number(digits), unit.toLowerCase())
}

function withUnit(number: number, name: string): Dimension | undefined {
  const unit = UNITS.find(each => each === name)
  return unit === undefined ? undefined : { number, unit }
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
