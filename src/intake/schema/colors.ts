import { failed, type Result } from '../../base/result.ts'
import { COLOR_FIELDS } from '../../brand/color.ts'
import type { Problem } from '../../brand/finding.ts'
import { parseCmyk, parseRal } from '../../brand/styles/print-color.ts'
import { readNumber, readNumbers, readShortText } from '../yaml/scalars.ts'
import type { YamlNode } from '../yaml/yaml.ts'
import { COMMON_KINDS, schemasOf } from './kinds.ts'
import { magnitude, number, numbers, upTo } from './numbers.ts'
import { mapping, type Schema } from './schema.ts'
import { anyCase, BLANK, HEX } from './values.ts'

const readPercent = readNumber('a number of per cent, 0 to 100, as in 54', number => number >= 0 && number <= 100)

/** The kinds of values of colours. `hex` and `rgb` are read together. */
export const COLOR_KINDS = {
  ...COMMON_KINDS,
  rgb: {
    schema: numbers(
      3,
      { max: 255, isWhole: true },
      upTo(255),
      'Write three whole numbers, 0 to 255, as in "29,112,184".',
    ),
  },
  hex: { schema: HEX },
  cmyk: {
    schema: numbers(4, { max: 100 }, `\\+?${magnitude(100)}`, 'Write four numbers, 0 to 100, as in "84,39,0,28".'),
    read: readNumbers(parseCmyk, 'four numbers, 0 to 100, as in "84,39,0,28"'),
  },
  ral: { schema: ralNumber(), read: readRal },
  'per cent': {
    schema: number({ min: 'zero', max: 100 }, '\\s*%?'),
    read: readProportion,
  },
} as const

/** `styles/colors.yaml` */
export const COLORS: Schema = {
  title: 'Colours of a brand',
  description: 'A list of colours, in display order.',
  type: ['array', 'null'],
  items: {
    description: 'A colour: a name, and hex or rgb. Print values are present only if written.',
    ...mapping(schemasOf(COLOR_FIELDS, COLOR_KINDS), ['name']),
    anyOf: [{ required: ['hex'] }, { required: ['rgb'] }],
  },
}

/** Also accepts numbers of other RAL systems: they deserve a warning, which a schema cannot express. */
function ralNumber(): Schema {
  const systems = ['Classic', 'Design', 'Effect', 'Plastics'].map(anyCase).join('|')
  const digits = ['[1-9]\\d{3}', '[Hh]?\\d{3}[ -]?[Ll]?\\d{2}[ -]?[Cc]?\\d{2}', '\\d{3}-[1-6Mm]', '[Pp][12][ -]?\\d{4}']
  const pattern = `^${BLANK}(?:${anyCase('RAL')}[ -]?(?:(?:${systems}) ?)?)?(?:${digits.join('|')})${BLANK}$`
  const patternErrorMessage = 'Write the four digits of a RAL Classic number, as in 5015.'
  return {
    anyOf: [
      { type: 'integer', minimum: 1000, maximum: 9999 },
      { type: 'integer', minimum: 1_000_000, maximum: 9_999_999 },
      { type: 'string', maxLength: 200, pattern, patternErrorMessage },
    ],
  }
}

function readRal(node: YamlNode): Result<number, Problem> {
  const text = readShortText(node)
  if (!text.ok) return text
  const number = parseRal(text.value)
  return number.ok ? number : failed({ ...number.problem, line: node.line })
}

/** Reads `54`, or `54 %`. */
function readProportion(node: YamlNode): Result<number, Problem> {
  return readPercent(node.kind === 'text' ? { ...node, text: node.text.replace(/\s*%\s*$/, '') } : node)
}
