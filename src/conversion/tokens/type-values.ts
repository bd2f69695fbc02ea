import { quote } from '../../base/text.ts'
import { isObject, type Json } from '../json.ts'
import { pixels, readDimension, round } from './dimension.ts'

/** The parts of a type style that tokens have, each in the spelling of the Design Tokens format. */
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

/** The property that a word means: `fontSizes`, `font-size`. Undefined if it is none. */
export function propertyOf(word: string): TypeProperty | undefined {
  const plain = word.toLowerCase().replace(/[-_ ]/g, '')
  const singular = plain.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
  if (plain === 'texttransform') return 'textCase'
  return TYPE_PROPERTIES.find(property => [plain, singular].includes(property.toLowerCase()))
}

/**
 * The fields of a type style, as `styles/types.yaml` has them, from the values of its tokens. What cannot be said is told,
 * as the end of a sentence.
 */
export function typeFieldsOf(
  values: ReadonlyMap<TypeProperty, Json>,
  tell: (problem: string) => void,
): Map<string, Json> {
  const size = sizeOf(values.get('fontSize'), tell)
  const fields = new Map<string, Json | undefined>([
    ...familiesOf(values.get('fontFamily'), tell),
    ['size', size],
    ['leading', leadingOf(values.get('lineHeight'), size, tell)],
    ['tracking', inEm('letterSpacing', values.get('letterSpacing'), size, tell)],
    ['casing', casingOf(values.get('textCase'), tell)],
    ['spacing', inEm('paragraphSpacing', values.get('paragraphSpacing'), size, tell)],
    ...faceOf(values.get('fontWeight'), values.get('fontStyle')),
  ])
  for (const property of ['textDecoration', 'paragraphIndent'] as const) {
    const value = values.get(property)
    const isNothing = value === undefined || value === 'none' || value === 'NONE' || readDimension(value)?.number === 0
    if (!isNothing) tell(`"${property}" is ${shown(value)}, which no type style of a guide has; left out`)
  }
  return new Map([...fields].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}

function familiesOf(value: Json | undefined, tell: (problem: string) => void): [string, Json][] {
  if (value === undefined) return []
  const list = Array.isArray(value) ? value : typeof value === 'string' ? splitFamilies(value) : undefined
  const families = list?.filter(family => typeof family === 'string').map(family => family.trim())
  const [family, ...fallback] = families?.filter(each => each !== '') ?? []
  if (family === undefined) {
    tell(`"fontFamily" is ${shown(value)}, which is no family; left out`)
    return []
  }
  const rest: [string, Json][] = fallback.length > 0 ? [['fallback', fallback]] : []
  return [['family', family], ...rest]
}

/** Older files have lists of CSS in one text: `"Inter", Arial, sans-serif`. */
function splitFamilies(text: string): string[] {
  const parts = text.matchAll(/\s*(?:"([^"]*)"|'([^']*)'|([^,]*))\s*(?:,|$)/g)
  const families = Array.from(parts, ([, double, single, bare = '']) => double ?? single ?? bare)
  return families.some(family => family.trim() !== '') ? families : [text]
}

function sizeOf(value: Json | undefined, tell: (problem: string) => void): number | undefined {
  if (value === undefined) return undefined
  const dimension = readDimension(value)
  const size = dimension && pixels(dimension)
  if (dimension?.unit === 'rem') tell('"fontSize" is in rem; written in px, 16 to 1rem')
  if (size === undefined) tell(`"fontSize" is ${shown(value)}, which is no length in px or rem; left out`)
  return size === undefined ? undefined : round(size)
}

/** Bare numbers are multiples of the size; past 4 they are the px of drawing programs. */
function leadingOf(value: Json | undefined, size: number | undefined, tell: (problem: string) => void) {
  if (value === undefined || (typeof value === 'string' && AUTO.test(value))) return undefined
  const dimension = readDimension(value)
  if (dimension?.unit === '%') return round(dimension.number / 100)
  if (dimension && (dimension.unit === 'em' || (dimension.unit === '' && dimension.number <= MAX_MULTIPLE)))
    return round(dimension.number)
  if (dimension?.unit === '') tell(`"lineHeight" is more than ${MAX_MULTIPLE} without a unit; read as px`)
  const height = dimension && pixels(dimension)
  if (height !== undefined && size !== undefined && size > 0) return round(height / size)
  tell(`"lineHeight" is ${shown(value)}, which is no multiple of a size that is known; left out`)
  return undefined
}

const AUTO = /^(?:auto|normal)$/i
const MAX_MULTIPLE = 4

/** A length as a multiple of the size. */
function inEm(
  property: TypeProperty,
  value: Json | undefined,
  size: number | undefined,
  tell: (problem: string) => void,
): number | undefined {
  if (value === undefined || (typeof value === 'string' && AUTO.test(value))) return undefined
  const dimension = readDimension(value)
  if (dimension?.number === 0) return 0
  if (dimension?.unit === '%') return round(dimension.number / 100)
  if (dimension?.unit === 'em') return round(dimension.number)
  const length = dimension && pixels(dimension)
  if (length !== undefined && size !== undefined && size > 0) return round(length / size)
  tell(`"${property}" is ${shown(value)}, which is no part of a size that is known; left out`)
  return undefined
}

function casingOf(value: Json | undefined, tell: (problem: string) => void): string | undefined {
  if (value === undefined) return undefined
  const word = typeof value === 'string' ? value.toLowerCase().replace(/[_ ]/g, '-') : ''
  const casing = CASING_WORDS.get(word)
  if (casing === undefined) tell(`"textCase" is ${shown(value)}, which no type style of a guide has; left out`)
  return casing
}

/** The casings of CSS, and what drawing programs call them. */
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

/** The weight, and the style, which drawing programs write after it: `Bold Italic`. */
function faceOf(weight: Json | undefined, style: Json | undefined): [string, Json | undefined][] {
  const [, face = '', slant] = typeof weight === 'string' ? (/^(.*?)[ -]?(italic)?$/i.exec(weight.trim()) ?? []) : []
  const isItalic = slant !== undefined || (typeof style === 'string' && /^italic$/i.test(style))
  const isUpright = typeof style === 'string' && /^normal$/i.test(style)
  return [
    ['weight', typeof weight === 'string' ? (slant !== undefined && face === '' ? undefined : face) : weight],
    ['style', isItalic ? 'italic' : isUpright ? undefined : style],
  ]
}

function shown(value: Json | undefined): string {
  if (isObject(value)) {
    const dimension = readDimension(value)
    return dimension === undefined ? 'an object' : quote(`${dimension.number}${dimension.unit}`)
  }
  return Array.isArray(value) ? 'a list' : quote(String(value))
}
