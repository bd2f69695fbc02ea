import { COLOR_FIELDS } from '#brand/color.ts'
import { keysIn, keysOf } from '#brand/fields.ts'
import type { Problem } from '#brand/finding.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { parseRal, RAL_PATTERN } from '#brand/styles/ral.ts'
import { parseHex, parseRgb, rgbText } from '#brand/styles/screen-color.ts'
import {
  hasNumbers,
  isDecimal,
  quoteNumbers,
  shortestDecimal,
  splitChannels,
  type WrittenNumbers,
} from '#brand/written-numbers.ts'
import { hexText } from '#formats/css/hex.ts'
import type { YamlNode } from '#formats/yaml/parse-yaml.ts'
import { pick } from '#platform/base/object.ts'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { quote } from '#platform/base/text.ts'
import { type Fields, intendedEntry, lineOf, readFields, readOptional } from '../yaml/fields.ts'
import { invalid, orPlaceholder, readAnd, refuse, textOf, withSubject } from '../yaml/reader.ts'
import { readNumber, readNumbers, readParsed, readShortText } from '../yaml/scalars.ts'
import { COMMON_KINDS, schemasOf } from './kinds.ts'
import { magnitude, number, numbers, upTo } from './numbers.ts'
import { mapping, type Schema } from './schema.ts'
import { HEX, SHORT_TEXT } from './values.ts'

const readPercent = readNumber('a number of per cent, 0 to 100, as in 54', number => number >= 0 && number <= 100)

/** The most ink systems of a colour: limits the size of a tile on the website, and the columns of tables. */
const MAX_INKS = 50

/** The ink systems that got a key after the API was fixed: colours without the key may have their name in `inks`, as before. */
const LATER_SYSTEMS: ReadonlySet<string> = new Set(keysIn(COLOR_FIELDS, 'print').filter(key => key !== 'inks'))

const RGB = numbers(
  'rgb',
  { max: 255, isWhole: true },
  upTo(255),
  'Write three whole numbers, 0 to 255, as in "29,112,184".',
)

const HEX_OR_RGB = [{ required: ['hex'] }, { required: ['rgb'] }]

const readInkShares = readNumbers(parseCmyk, 'four numbers, 0 to 100, as in "84,39,0,28"')

const readCmyk = readAnd(readInkShares, (cmyk, node) => {
  if (!areFractions(cmyk.split(',').map(Number), node)) return ok(cmyk)
  const message = `is ${quote(cmyk)}, which looks like shares of 1, and is left out; write per cent, 0 to 100, as in "84,39,0,28"`
  return failed({ rule: 'cmyk-fraction', line: node.line, message })
})

const readRal = readAnd(readShortText, (text, node) => {
  const number = parseRal(text)
  return number.ok ? number : failed({ ...number.problem, line: node.line })
})

/** The kinds of values of colours. `hex` and `rgb`, which have no reader here, are read together (`readScreenColor`). */
export const COLOR_KINDS = {
  ...COMMON_KINDS,
  rgb: { schema: RGB },
  hex: { schema: HEX },
  'screen value': {
    schema: {
      ...HEX,
      type: ['string', 'number', 'object'],
      ...pick(mapping({ hex: HEX, rgb: RGB }), ['properties', 'additionalProperties']),
      anyOf: HEX_OR_RGB,
    },
    read: orPlaceholder(readScreenValue),
  },
  cmyk: {
    schema: numbers('cmyk', { max: 100 }, `\\+?${magnitude(100)}`, 'Write four numbers, 0 to 100, as in "84,39,0,28".'),
    read: readCmyk,
  },
  ral: { schema: ralNumber(), read: orPlaceholder(readRal) },
  ink: { schema: SHORT_TEXT, read: orPlaceholder(readShortText) },
  inks: { schema: inkReferences() },
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
    anyOf: HEX_OR_RGB,
  },
}

/**
 * Reads `hex` and `rgb`, and computes either value from the other. If both are written, they must be the same colour.
 * Undefined, with problems, if there is neither.
 */
export function readScreenColor(fields: Fields<string>): { rgb: string; hex: string } | undefined {
  const hex = readOptional(fields, 'hex', orPlaceholder(readParsed(parseHex)))
  const rgb = readOptional(fields, 'rgb', readNumbers(parseRgb, 'three whole numbers, 0 to 255, as in "29,112,184"'))
  const isMissing = (key: string) => {
    const value = intendedEntry(fields, key)?.value
    return value === undefined || isPlaceholder(textOf(value))
  }
  if (['hex', 'rgb'].every(isMissing)) {
    const message = `${fields.what} has neither "hex" nor "rgb"; write one of them, such as "#1d70b8" for "hex"`
    fields.problems.push({ rule: 'value-missing', line: fields.line, message })
  }
  if (hex && rgb && hexText(hex) !== hexText(rgb)) {
    const message = `"hex" is ${hexText(hex)}, which is ${rgbText(hex)}, but "rgb" is ${rgbText(rgb)}; keep one of them, or correct the wrong one`
    fields.problems.push({ rule: 'color-disagreement', line: lineOf(fields, 'rgb'), message })
  }
  const color = hex ?? rgb
  return color && { rgb: rgbText(color), hex: hexText(color) }
}

/** Reads another screen value of a colour: hex digits, or a mapping with the same keys as a colour. */
function readScreenValue(node: YamlNode): Result<string, Problem> {
  if (node.kind !== 'mapping') return readHex(node)
  const problems: Problem[] = []
  const color = readScreenColor(readFields(node, 'it', ['hex', 'rgb'], problems))
  const problem = problems.find(({ rule }) => rule !== 'value-placeholder')
  if (problem) return failed({ ...problem, message: `is not one colour: ${problem.message}` })
  return color ? ok(color.hex) : invalid(node, 'has no value; write hex or rgb')
}

const readHex = readAnd(readParsed(parseHex), rgb => ok(hexText(rgb)))

/** Also accepts numbers of other RAL systems: they deserve a warning, which a schema cannot express. */
function ralNumber(): Schema {
  const patternErrorMessage = 'Write the four digits of a RAL Classic number, as in 5015.'
  return {
    anyOf: [
      { type: 'integer', minimum: 1000, maximum: 9999 },
      { type: 'integer', minimum: 1_000_000, maximum: 9_999_999 },
      { type: 'string', maxLength: 200, pattern: RAL_PATTERN, patternErrorMessage },
    ],
  }
}

/**
 * Whether inks are written as fractions of 1, as in `0.84,0.39,0,0.28`. In `device-cmyk()` without `%`, all numbers are
 * (CSS Color 5 §9).
 */
function areFractions(inks: readonly number[], node: YamlNode): boolean {
  const isFunction = /^\s*device-cmyk\s*\([^%]*$/i.test(textOf(node))
  const isFraction = (ink: number) => (isFunction ? ink > 0 : !Number.isInteger(ink))
  return inks.every(ink => ink <= 1) && inks.some(isFraction)
}

/** The names of ink systems with the reference of the colour in each, such as `13 K` for HKS. */
function inkReferences(): Schema {
  const keys = keysOf(COLOR_FIELDS)
    .filter(key => !LATER_SYSTEMS.has(key))
    .join('|')
  return {
    type: 'object',
    propertyNames: { pattern: `^(?!(?:${keys})$)${SHORT_TEXT.pattern?.slice(1)}`, maxLength: 200 },
    additionalProperties: SHORT_TEXT,
    maxProperties: MAX_INKS,
  }
}

/** Reads the ink systems of a colour with their references; `problems` gets those without one, which are left out. */
export function readInks(
  node: YamlNode,
  { entries, problems }: Pick<Fields<string>, 'entries' | 'problems'>,
): Result<Readonly<Record<string, string>>, Problem> {
  if (node.kind !== 'mapping') return refuse(node, 'write ink systems with their references, as in { HKS: 13 K }')
  const count = node.entries.length
  if (count === 0 || count > MAX_INKS) return invalid(node, `has ${count} entries; write 1 to ${MAX_INKS}`)
  const inks: [string, string][] = []
  for (const { key, line, value } of node.entries) {
    const name = readShortText({ kind: 'text', line, text: key })
    if (!name.ok) return failed(withSubject('has a name that', name))
    if (LATER_SYSTEMS.has(key) ? entries.has(key) : Object.hasOwn(COLOR_FIELDS, key))
      return invalid(value, `has ${quote(key)}, which is a key of colours; write it next to "inks"`)
    const reference = COLOR_KINDS.ink.read(value)
    if (reference.ok) inks.push([key, reference.value])
    else if (reference.problem.rule !== 'value-placeholder')
      return failed(withSubject(`has ${quote(key)}, which`, reference))
    else problems.push(withSubject(`${quote(key)} of "inks"`, reference))
  }
  return ok(Object.fromEntries(inks))
}

/** Reads `54`, or `54 %`. */
function readProportion(node: YamlNode): Result<number, Problem> {
  return readPercent(node.kind === 'text' ? { ...node, text: node.text.replace(/(?<!\s)\s*%\s*$/, '') } : node)
}

/** Reads four numbers from 0 to 100 as in API replies: `84,39,0,28`. The problem is the end of a sentence. */
export function parseCmyk(numbers: WrittenNumbers): Result<string, string> {
  const form = 'write four, 0 to 100, as in "84,39,0,28"'
  const parts = splitChannels(numbers, 'cmyk')
  const isInk = (part: string) => isDecimal(part) && !part.startsWith('-') && Number(part) <= 100
  if (!parts.every(isInk)) return failed(`is ${quoteNumbers(numbers)}; ${form.replace('four', 'four numbers')}`)
  if (parts.length !== 4) return failed(`${hasNumbers(parts.length)}; ${form}`)
  return ok(parts.map(shortestDecimal).join(','))
}
