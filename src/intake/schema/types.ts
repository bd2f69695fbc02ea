import { WEIGHT_NAMES } from '../../brand/styles/font-weight.ts'
import { CASINGS, FONT_STYLES } from '../../brand/type-style.ts'
import { number } from './numbers.ts'
import { mapping, type Schema, withDescription } from './schema.ts'
import { anyCase, BLANK, FLAG, NAME, oneOf, oneOrMore, SHORT_TEXT, STYLE_ID } from './values.ts'

const MAX_VALUE = 1_000_000

/** The keys of a type style. */
export const TYPE_KEYS = {
  id: withDescription(STYLE_ID, 'The id in addresses and links. Default: made from the name.', 'heading'),
  name: withDescription(NAME, 'The name that people see.', 'Heading'),
  family: withDescription(SHORT_TEXT, 'The family of a font under files/.', 'Acme Sans'),
  size: withDescription(number({ min: 'above zero', max: MAX_VALUE }), 'The size in px, without a unit.', 16),
  leading: withDescription(
    number({ min: 'above zero', max: MAX_VALUE }),
    'The line height, as a multiple of the size.',
    1.5,
  ),
  tracking: withDescription(number({ max: MAX_VALUE }), 'The letter spacing in em, without a unit.', -0.02),
  casing: withDescription(oneOf(CASINGS, 'none'), 'The change of case when text is set.'),
  spacing: withDescription(
    number({ min: 'zero', max: MAX_VALUE }),
    'The space after a paragraph in em, without a unit.',
    0.5,
  ),
  responsive: withDescription({ ...FLAG, default: false }, 'Whether the size follows the width of the screen.'),
  features: withDescription(featureSettings(), 'OpenType features: tags of four characters, 1 for on and 0 for off.', {
    tnum: 1,
    liga: 0,
  }),
  weight: withDescription(weight(), 'The weight, 1 to 1000, or a name.', 600, 'SemiBold'),
  style: withDescription(oneOf(FONT_STYLES), 'Whether letters are upright or slanted.'),
  fallback: withDescription(families(), 'Fallback families, in order.', ['Georgia', 'serif']),
  axes: withDescription(axisValues(), 'Axes of a variable font: tags of four characters with numbers.', {
    SOFT: 100,
    WONK: 1,
  }),
  sample: withDescription(NAME, 'A sample of brand text that shows the style, in one line.', 'Open until six'),
}

/** `styles/types.yaml` */
export const TYPES: Schema = {
  title: 'Type styles of a brand',
  description: 'A list of type styles, in display order.',
  type: ['array', 'null'],
  items: { description: 'A type style. Only the name is required.', ...mapping(TYPE_KEYS, ['name']) },
}

/** Several short family names. */
function families(): Schema {
  const sign = '[^,\\p{Cc}\\p{Cs}]'
  const pattern = `^(?=${BLANK}[^\\p{Z}\\uFEFF\\p{Cc}\\p{Cs}])${sign}{0,200}(?:,${sign}{0,200})*\\n*$`
  return { ...oneOrMore(SHORT_TEXT), pattern, patternErrorMessage: 'Write families of at most 200 characters each.' }
}

/** The schema for the axes of a font: tags are four printable ASCII characters (OpenType 1.9 "Data types"). */
function axisValues(): Schema {
  return {
    type: 'object',
    propertyNames: { pattern: '^[ -~]{4}$' },
    additionalProperties: number({ max: MAX_VALUE }),
    maxProperties: 100,
  }
}

/** The schema for features: tags are four printable ASCII characters (OpenType 1.9 "Feature tags"). */
function featureSettings(): Schema {
  return {
    type: 'object',
    propertyNames: { pattern: '^[ -~]{4}$' },
    additionalProperties: number({ min: 'zero', max: 65535, isWhole: true }),
    maxProperties: 1000,
  }
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
