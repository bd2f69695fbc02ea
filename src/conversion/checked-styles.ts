import { quote } from '../base/text.ts'
import { COLOR_FIELDS, type Color } from '../brand/color.ts'
import { keysOf } from '../brand/fields.ts'
import type { Problem } from '../brand/finding.ts'
import type { TypeStyle } from '../brand/type-style.ts'
import { TYPE_FIELDS } from '../brand/type-style.ts'
import type { Relations } from '../intake/styles/color-relations.ts'
import { readColorFields } from '../intake/styles/colors.ts'
import { readTypeFields } from '../intake/styles/types.ts'
import type { Fields } from '../intake/yaml/fields.ts'
import type { YamlEntry, YamlNode } from '../intake/yaml/yaml.ts'
import { addNote, type FoundStyle, type Notes } from './found-styles.ts'
import { isObject, type Json, plainNumber } from './json.ts'

/** A colour with values that a guide can use; without `hex` if it has no screen value. */
export type CheckedColor = Partial<Omit<Color, 'id' | 'name' | 'rgb' | 'on' | 'tintOf'>> & Relations

export type CheckedType = Omit<TypeStyle, 'id' | 'name'>

/**
 * Checks the fields of a colour against the rules of `styles/colors.yaml`. Notes and omits invalid ones.
 *
 * @param place replaces the line number in problems with relations between colours
 */
export function checkColor({ name, fields }: FoundStyle, place: number, notes: Notes): CheckedColor {
  const problems: Problem[] = []
  const read = readColorFields(fieldsOf(name, fields, place, keysOf(COLOR_FIELDS), problems, notes))
  if (read) {
    noteAll(name, problems, notes)
    const { rgb: _, ...values } = read
    return values
  }
  // Keep the other values: another file may have the screen value.
  const others = new Map<string, Json>([...fields].filter(([key]) => key !== 'rgb').concat([['hex', '#000000']]))
  const rest = readColorFields(fieldsOf(name, others, place, keysOf(COLOR_FIELDS), [], new Map()))
  noteAll(
    name,
    problems.filter(({ rule }) => rule !== 'value-missing'),
    notes,
  )
  if (rest === undefined) return {}
  const { rgb: _, hex: __, ...values } = rest
  return values
}

/** Checks the fields of a type style against the rules of `styles/types.yaml` in the same way. */
export function checkType({ name, fields }: FoundStyle, notes: Notes): CheckedType {
  const problems: Problem[] = []
  const read = readTypeFields(fieldsOf(name, fields, 0, keysOf(TYPE_FIELDS), problems, notes))
  noteAll(name, problems, notes)
  return read
}

function noteAll(name: string, problems: readonly Problem[], notes: Notes): void {
  for (const { message } of problems) addNote(notes, name, `${message}; left out`)
}

function fieldsOf<Key extends string>(
  name: string,
  fields: ReadonlyMap<string, Json>,
  line: number,
  keys: readonly Key[],
  problems: Problem[],
  notes: Notes,
): Fields<Key> {
  const entries = new Map<string, YamlEntry>()
  for (const [key, json] of fields) {
    if (!keys.some(each => each === key)) addNote(notes, name, `has the unknown key ${quote(key)}; left out`)
    const value = nodeOf(json, line, LONG_TEXTS.has(key) ? MAX_NAME : MAX_TEXT, () => addNote(notes, name, CLEANED))
    if (value !== undefined) entries.set(key, { key, line, value })
  }
  return { line, entries, misspelt: new Map(), what: 'a style', keys, problems }
}

const CLEANED = 'has text that is too long or has control characters; shortened or cleaned'
const LONG_TEXTS: ReadonlySet<string> = new Set(['use', 'sample', 'on', 'tintOf'])
const MAX_TEXT = 200
/** Characters. */
export const MAX_NAME = 1000

/** Converts JSON to a YAML node; undefined if it has no value. */
function nodeOf(json: Json, line: number, maximum: number, onChanged: () => void): YamlNode | undefined {
  if (json === null) return undefined
  if (Array.isArray(json)) {
    const items = json.flatMap(item => nodeOf(item, line, maximum, onChanged) ?? [])
    return items.length === 0 ? undefined : { kind: 'list', line, items }
  }
  if (isObject(json)) {
    const entries = [...json].flatMap(([key, inner]) => {
      const value = nodeOf(inner, line, maximum, onChanged)
      return value === undefined ? [] : [{ key, line, value }]
    })
    return { kind: 'mapping', line, entries }
  }
  const scalar = typeof json === 'number' ? plainNumber(json) : String(json)
  const text = cleanLine(scalar, maximum)
  if (text !== scalar && scalar.trim() !== '') onChanged()
  return text.trim() === '' ? undefined : { kind: 'text', line, text }
}

/** Turns text into one valid line: without control characters and lone surrogates, cut at `maximum` characters. */
export function cleanLine(text: string, maximum: number): string {
  const line = text.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return line.length <= maximum ? line : [...line].slice(0, maximum).join('').trimEnd()
}
