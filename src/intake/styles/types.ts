import { withoutUndefined } from '../../base/object.ts'
import { failed, ok } from '../../base/result.ts'
import { quote } from '../../base/text.ts'
import type { Problem } from '../../brand/finding.ts'
import { weightOfName } from '../../brand/styles/font-weight.ts'
import { CASINGS, FONT_STYLES, type TypeStyle } from '../../brand/type-style.ts'
import { keysOf } from '../schema/schema.ts'
import { TYPE_KEYS } from '../schema/types.ts'
import { type Fields, lineOf, readOptional } from '../yaml/fields.ts'
import { readNumber } from '../yaml/numbers.ts'
import { type Reader, refuse, withSubject } from '../yaml/reader.ts'
import { readReferences } from '../yaml/references.ts'
import { readFlag, readName, readOneOf, readParsed, readShortText } from '../yaml/texts.ts'
import type { YamlNode } from '../yaml/yaml.ts'
import { readStyleList } from './style-list.ts'

const KEYS = keysOf(TYPE_KEYS)

/**
 * A type style, the line of its family, and the line of its weight or style. A missing key has the line of the first
 * key.
 */
export type WrittenTypeStyle = { style: TypeStyle; line: number; faceLine: number }

/** Reads `styles/types.yaml`: the valid type styles in file order, and all problems. */
export function readTypes(text: string): { types: WrittenTypeStyle[]; problems: Problem[] } {
  const { entries, problems } = readStyleList(text, 'styles/types.yaml', 'a type style', KEYS, readTypeFields)
  const types = entries.map(({ style, fields }) => ({
    style,
    line: lineOf(fields, 'family'),
    faceLine: lineOf(fields, fields.entries.has('weight') ? 'weight' : 'style'),
  }))
  return { types, problems }
}

const readSize = readNumber('a number of px above 0, as in 16', number => number > 0)
const readLeading = readNumber('a multiple of the size above 0, as in 1.5', number => number > 0)
const readTracking = readNumber('a number of em, as in -0.02', () => true)
const readSpacing = readNumber('a number of em, 0 or more, as in 0.5', number => number >= 0)

/** Reads the fields of a type style except id and name. Omits invalid fields. */
export function readTypeFields(fields: Fields<(typeof KEYS)[number]>): Omit<TypeStyle, 'id' | 'name'> {
  const features = fields.entries.get('features')?.value
  return {
    ...withoutUndefined({
      family: readOptional(fields, 'family', readShortText),
      size: readOptional(fields, 'size', readSize),
      leading: readOptional(fields, 'leading', readLeading),
      tracking: readOptional(fields, 'tracking', readTracking),
    }),
    casing: readOptional(fields, 'casing', readOneOf(CASINGS)) ?? 'none',
    ...withoutUndefined({ spacing: readOptional(fields, 'spacing', readSpacing) }),
    responsive: readOptional(fields, 'responsive', readFlag) ?? false,
    features: features === undefined ? {} : readFeatures(features, fields.problems),
    ...withoutUndefined({
      weight: readOptional(fields, 'weight', readWeight),
      style: readOptional(fields, 'style', readOneOf(FONT_STYLES)),
      fallback: readOptional(fields, 'fallback', readFamilies),
      sample: readOptional(fields, 'sample', readName),
    }),
  }
}

const WEIGHT_FORM = 'write a whole number from 1 to 1000, or a name such as SemiBold'

/** A weight as in CSS Fonts 4 §2.2, or an OpenType name. */
const readWeight = readParsed(text => {
  const weight = /^\d{1,4}$/.test(text.trim()) ? Number(text) : weightOfName(text)
  return weight !== undefined && weight >= 1 && weight <= 1000
    ? ok(weight)
    : failed(`is ${quote(text)}; ${WEIGHT_FORM}`)
})

const readFamilies: Reader<string[]> = node => {
  const families = readReferences(node)
  if (!families.ok) return families
  const long = families.value.find(({ text }) => [...text].length > MAX_FAMILY)
  if (long)
    return failed({
      rule: 'value-too-long',
      line: long.line,
      message: `has a family of more than ${MAX_FAMILY} characters; shorten it`,
    })
  return ok(families.value.map(({ text }) => text))
}

const MAX_FAMILY = 200

/** More than OpenType defines. Limits the time to show and serve one style, which delays other requests. */
const MAX_FEATURES = 1000
const FEATURES_FORM = 'write OpenType tags with whole numbers, as in { tnum: 1, liga: 0 }'
const readSetting = readNumber(
  'a whole number from 0 to 65535, 1 for on and 0 for off',
  number => Number.isInteger(number) && number >= 0 && number <= 65535,
)

/**
 * Reads the OpenType features of a type style: a mapping of tags (four printable ASCII characters, OpenType 1.9
 * "Feature tags") to whole numbers.
 */
function readFeatures(node: YamlNode, problems: Problem[]): Record<string, number> {
  if (node.kind !== 'mapping') {
    problems.push(withSubject('"features"', refuse(node, FEATURES_FORM)))
    return {}
  }
  if (node.entries.length > MAX_FEATURES) {
    const message = `"features" has ${node.entries.length} tags; write at most ${MAX_FEATURES}`
    problems.push({ rule: 'value-invalid', line: node.line, message })
    return {}
  }
  const features = node.entries.flatMap(({ key, line, value }) => {
    const isTag = /^[ -~]{4}$/.test(key)
    if (!isTag) {
      const message = `"features" has the tag ${quote(key)}; write one of four letters and digits, as in tnum`
      problems.push({ rule: 'value-invalid', line, message })
    }
    const setting = readSetting(value)
    if (!setting.ok) problems.push(withSubject(`the feature ${quote(key)}`, setting))
    return isTag && setting.ok ? [[key, setting.value] as const] : []
  })
  return Object.fromEntries(features)
}
