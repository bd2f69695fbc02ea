import type { Problem } from '#brand/finding.ts'
import { CASINGS, FONT_STYLES, TYPE_FIELDS } from '#brand/type-style.ts'
import { WEIGHT_NAMES, weightOfName } from '#formats/font/font-weight.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { anyCase, quote } from '#platform/base/text.ts'
import { orPlaceholder, readAnd } from '../yaml/reader.ts'
import { readReferences } from '../yaml/references.ts'
import { readFlag, readNumber, readOneOf, readParsed } from '../yaml/scalars.ts'
import { COMMON_KINDS, schemasOf } from './kinds.ts'
import { number } from './numbers.ts'
import { mapping, type Schema } from './schema.ts'
import { BLANK, FLAG, oneOf, oneOrMore, SHORT_TEXT } from './values.ts'

const MAX_VALUE = 1_000_000

const MAX_FAMILY = 200

const readFamilies = readAnd(readReferences, (families): Result<string[], Problem> => {
  const long = families.find(({ text }) => [...text].length > MAX_FAMILY)
  if (!long) return ok(families.map(({ text }) => text))
  const message = `has a family of more than ${MAX_FAMILY} characters; shorten it`
  return failed({ rule: 'value-too-long', line: long.line, message })
})

/** The kinds of values of type styles. `features` and `axes` can have several problems. */
export const TYPE_KINDS = {
  ...COMMON_KINDS,
  size: {
    schema: number({ min: 'above zero', max: MAX_VALUE }),
    read: readNumber('a number of px above 0, as in 16', size => size > 0),
  },
  leading: {
    schema: number({ min: 'above zero', max: MAX_VALUE }),
    read: readNumber('a multiple of the size above 0, as in 1.5', leading => leading > 0),
  },
  tracking: {
    schema: number({ max: MAX_VALUE }),
    read: readNumber('a number of em, as in -0.02', () => true),
  },
  spacing: {
    schema: number({ min: 'zero', max: MAX_VALUE }),
    read: readNumber('a number of em, 0 or more, as in 0.5', spacing => spacing >= 0),
  },
  casing: { schema: oneOf(CASINGS, 'none'), read: readOneOf(CASINGS) },
  'flag, false by default': { schema: { ...FLAG, default: false }, read: readFlag },
  features: { schema: settings(number({ min: 'zero', max: 65535, isWhole: true }), 1000) },
  weight: { schema: weight(), read: orPlaceholder(readParsed(parseWeight)) },
  'font style': { schema: oneOf(FONT_STYLES), read: readOneOf(FONT_STYLES) },
  families: { schema: families(), read: readFamilies },
  axes: { schema: settings(number({ max: MAX_VALUE }), 100) },
} as const

/** `styles/types.yaml` */
export const TYPES: Schema = {
  title: 'Type styles of a brand',
  description: 'A list of type styles, in display order.',
  type: ['array', 'null'],
  items: {
    description: 'A type style. Only the name is required.',
    ...mapping(schemasOf(TYPE_FIELDS, TYPE_KINDS), ['name']),
  },
}

/** Several short family names, in a list or with commas; at least one is not blank. */
function families(): Schema {
  const sign = '[^,\\p{Cc}\\p{Cs}]'
  const pattern = `^(?=${BLANK}[^\\p{Z}\\uFEFF\\p{Cc}\\p{Cs}])${sign}{0,200}(?:,${sign}{0,200})*\\n*$`
  return { ...oneOrMore(SHORT_TEXT), pattern, patternErrorMessage: 'Write families of at most 200 characters each.' }
}

/** The schema for axes or features: tags are four printable ASCII characters (OpenType 1.9 "Data types"). */
function settings(value: Schema, maxProperties: number): Schema {
  return { type: 'object', propertyNames: { pattern: '^[ -~]{4}$' }, additionalProperties: value, maxProperties }
}

/** A weight as in CSS Fonts 4 §2.2, or an OpenType name. Editors suggest the usual names. */
function weight(): Schema {
  const separated = (name: string) => [...name].map(anyCase).join('[ _-]*')
  const digits = '0{0,3}[1-9]|0{0,2}[1-9]\\d|0?[1-9]\\d{2}|1000'
  const names = WEIGHT_NAMES.map(separated).join('|')
  const pattern = `^(?:${BLANK}(?:${digits})${BLANK}|[ _-]*(?:${names})[ _-]*)$`
  const patternErrorMessage = 'Write a whole number from 1 to 1000, or a name such as SemiBold.'
  return {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 1000 },
      { enum: ['Thin', 'Light', 'Regular', 'Medium', 'SemiBold', 'Bold', 'ExtraBold', 'Black'] },
      { type: 'string', maxLength: 200, pattern, patternErrorMessage },
    ],
  }
}

/** A weight as in CSS Fonts 4 §2.2, or an OpenType name. */
function parseWeight(text: string): Result<number, string> {
  const weight = /^\d{1,4}$/.test(text.trim()) ? Number(text) : weightOfName(text)
  if (weight !== undefined && weight >= 1 && weight <= 1000) return ok(weight)
  return failed(`is ${quote(text)}; write a whole number from 1 to 1000, or a name such as SemiBold`)
}
