import { keysOf } from '#brand/fields.ts'
import type { Problem } from '#brand/finding.ts'
import { TYPE_FIELDS, type TypeStyle } from '#brand/type-style.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { quote } from '#platform/base/text.ts'
import { readValues } from '../schema/kinds.ts'
import { TYPE_KINDS } from '../schema/types.ts'
import { type Fields, lineOf } from '../yaml/fields.ts'
import { type Reader, refuse, withSubject } from '../yaml/reader.ts'
import { readNumber } from '../yaml/scalars.ts'
import { readStyleList } from './style-list.ts'

const KEYS = keysOf(TYPE_FIELDS)

/** A type style, and the lines of its family, face and axes; a missing key has the line of the first key. */
export type WrittenTypeStyle = { style: TypeStyle; line: number; faceLine: number; axesLine: number }

/** Reads `styles/types.yaml`: the valid type styles in file order, and all problems. */
export function readTypes(text: string): { types: WrittenTypeStyle[]; problems: Problem[] } {
  const { entries, problems } = readStyleList(text, 'styles/types.yaml', 'a type style', KEYS, readTypeFields)
  const types = entries.map(({ style, fields }) => ({
    style,
    line: lineOf(fields, 'family'),
    faceLine: lineOf(fields, fields.entries.has('weight') ? 'weight' : 'style'),
    axesLine: lineOf(fields, 'axes'),
  }))
  return { types, problems }
}

/** Reads the fields of a type style except id and name. Omits invalid fields. */
export function readTypeFields(fields: Fields<(typeof KEYS)[number]>): Omit<TypeStyle, 'id' | 'name'> {
  return {
    casing: 'none',
    responsive: false,
    features: readSettings(fields, FEATURES),
    ...withoutUndefined({ axes: unlessEmpty(readSettings(fields, AXES)) }),
    ...readValues(fields, TYPE_FIELDS, TYPE_KINDS),
  }
}

/** The form of a mapping from OpenType tags to numbers. */
type Settings = {
  key: 'features' | 'axes'
  /** The name of an entry in messages. */
  entry: string
  form: string
  tagForm: string
  maximum: number
  read: Reader<number>
}

const FEATURES: Settings = {
  key: 'features',
  entry: 'feature',
  form: 'write OpenType tags with whole numbers, as in { tnum: 1, liga: 0 }',
  tagForm: 'write one of four letters and digits, as in tnum',
  // More than OpenType defines. Limits the time to show and serve one style, which delays other requests.
  maximum: 1000,
  read: readNumber(
    'a whole number from 0 to 65535, 1 for on and 0 for off',
    number => Number.isInteger(number) && number >= 0 && number <= 65535,
  ),
}

const AXES: Settings = {
  key: 'axes',
  entry: 'axis',
  form: 'write the tags of axes with numbers, as in { SOFT: 100, WONK: 1 }',
  tagForm: 'write one of four letters and digits, as in SOFT',
  maximum: 100,
  read: readNumber('a number, as in 100', () => true),
}

/** Reads a mapping of tags (four printable ASCII characters, OpenType 1.9 "Data types") to numbers. */
function readSettings({ entries, problems }: Fields<string>, settings: Settings): Record<string, number> {
  const { key: name, entry, form, tagForm, maximum, read } = settings
  const node = entries.get(name)?.value
  if (node === undefined) return {}
  if (node.kind !== 'mapping') {
    problems.push(withSubject(`"${name}"`, refuse(node, form)))
    return {}
  }
  if (node.entries.length > maximum) {
    const message = `"${name}" has ${node.entries.length} tags; write at most ${maximum}`
    problems.push({ rule: 'value-invalid', line: node.line, message })
    return {}
  }
  const numbers = node.entries.flatMap(({ key, line, value }) => {
    const isTag = /^[ -~]{4}$/.test(key)
    if (!isTag) {
      const message = `"${name}" has the tag ${quote(key)}; ${tagForm}`
      problems.push({ rule: 'value-invalid', line, message })
    }
    const number = read(value)
    if (!number.ok) problems.push(withSubject(`the ${entry} ${quote(key)}`, number))
    return isTag && number.ok ? [[key, number.value] as const] : []
  })
  return Object.fromEntries(numbers)
}
