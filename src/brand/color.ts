import { pick } from '#platform/base/object.ts'
import { type CommonValues, type FieldsOf, fieldIn, type KeysIn, keysIn, keysOf } from './fields.ts'

const api = fieldIn('API')
const print = fieldIn('print')
const website = fieldIn('website')

/** The keys of a colour. Print values come from the author and are never computed. */
export const COLOR_FIELDS = {
  id: api('style id', 'The id in addresses and links. Default: made from the name.', 'ink'),
  name: api('name', 'The name that people see.', 'Ink'),
  rgb: api('rgb', 'Red, green and blue, 0 to 255. Default: computed from hex.', '29, 112, 184', [29, 112, 184]),
  cmyk: api(
    'cmyk',
    'Cyan, magenta, yellow and black, 0 to 100. Never computed, so present only if written.',
    '84, 39, 0, 28',
    [84, 39, 0, 28],
  ),
  hex: api('hex', 'Three or six hex digits.', '#1d70b8', '1d70b8'),
  pms: api('ink', 'The Pantone reference, as printed.', '285 C'),
  pms2: api('ink', 'A second Pantone reference, such as one for uncoated paper.', '285 U'),
  ral: api('ral', 'The RAL Classic number.', 5015, 'RAL 5015'),
  inks: print(
    'inks',
    'References of other ink systems, as printed: the name of each system with the reference of the colour.',
    { HKS: '13 K', TOYO: '0123' },
  ),
  group: website('short line', 'The heading above the colour on the website.', 'Core'),
  use: website('line', 'The use of the colour, in one line.', 'Text and headings'),
  on: website('styles', 'The ids of the background colours that it may be used on.', 'paper', ['paper', 'sand']),
  proportion: website('per cent', 'Its share of the area of brand layouts, in per cent.', 54, '54 %'),
  tintOf: website('style', 'The id of the colour that it is a tint or shade of.', 'ink'),
  dark: website(
    'screen value',
    'Its value on dark grounds: hex digits, or a mapping with hex or rgb. Default: the same as on light ones.',
    '#8ab8ee',
    { rgb: '138, 184, 238' },
  ),
} as const

type ColorFields = typeof COLOR_FIELDS

export type Color = FieldsOf<ColorFields, ColorKinds, 'id' | 'name' | 'rgb' | 'hex'>

type ColorKinds = CommonValues & {
  /** `29,112,184` */
  rgb: string
  /** `84,39,0,28` */
  cmyk: string
  /** `#` and six hex digits in lower case. */
  hex: string
  /** Like `hex`. */
  'screen value': string
  ral: number
  ink: string
  /** References, keyed by the name of their system, in the author's order. */
  inks: Readonly<Record<string, string>>
  'per cent': number
}

/** The label of a value on a tile, and the colour system that sentences name. */
export type ValueName = { label: string; system: string }

/** The names of values; a print value without a row has its key in capitals. */
const VALUE_NAMES: Partial<Record<string, ValueName>> = {
  pms: { label: 'PMS', system: 'Pantone' },
  pms2: { label: 'PMS 2', system: 'Pantone' },
  inks: { label: 'Inks', system: 'other inks' },
}

export function valueName(key: keyof ColorFields): ValueName {
  return VALUE_NAMES[key] ?? { label: key.toUpperCase(), system: key.toUpperCase() }
}

export type PrintValue = ValueName & { key: PrintKey; value: string | number }

const PRINT_KINDS = ['cmyk', 'ink', 'ral', 'inks'] as const satisfies (keyof ColorKinds)[]

/** The key of a print value. */
export type PrintKey = {
  [Key in keyof ColorFields]: ColorFields[Key]['kind'] extends (typeof PRINT_KINDS)[number] ? Key : never
}[keyof ColorFields]

/** The print values of a colour, in the order of its fields. */
export const PRINT_KEYS = keysOf(COLOR_FIELDS).filter((key): key is PrintKey =>
  PRINT_KINDS.some(kind => kind === COLOR_FIELDS[key].kind),
)

export const PRINT_SYSTEMS: readonly string[] = [...new Set(PRINT_KEYS.map(key => valueName(key).system))]

function isScreenValue(key: keyof ColorFields): key is ScreenValue {
  return COLOR_FIELDS[key].kind === 'screen value'
}

type ScreenValue = {
  [Key in keyof ColorFields]: ColorFields[Key]['kind'] extends 'screen value' ? Key : never
}[keyof ColorFields]

/** The columns of a table of colours: the keys of a colour except its id, without those of unused screen values. */
export function colorColumns(hasValue: (key: ScreenValue) => boolean): (typeof COLOR_COLUMNS)[number][] {
  return COLOR_COLUMNS.filter(key => !isScreenValue(key) || hasValue(key))
}

/** The keys of a colour except its id, in the order of tables. */
export const COLOR_COLUMNS = [
  'name',
  'hex',
  ...keysOf(COLOR_FIELDS).filter(key => key !== 'id' && key !== 'name' && key !== 'hex'),
] as const

/** The print values of a colour, as its author wrote them. */
export type PrintReferences = Pick<Color, PrintKey>

export function printValuesOf(color: PrintReferences): PrintValue[] {
  return PRINT_KEYS.flatMap((key): PrintValue[] => {
    const value = color[key]
    if (typeof value === 'object')
      return Object.entries(value).map(([system, ink]) => ({ key, value: ink, label: system, system }))
    return value === undefined ? [] : [{ key, value, ...valueName(key) }]
  })
}

/** A colour as in API replies. */
export type ColorValues = Pick<Color, KeysIn<ColorFields, 'API'>>

const API_KEYS = keysIn(COLOR_FIELDS, 'API')

/** Removes the fields that API replies omit. */
export function colorValues(color: Color): ColorValues {
  return pick(color, API_KEYS)
}
