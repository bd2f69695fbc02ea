import { compareStrings } from '../../base/text.ts'
import { AT, type EditorField, type FormValues, kindOf, PATH, pairField, subfields } from './field.ts'

/** Whether two values of a field are the same for the people who edit. */
export function isSame(field: EditorField, before: unknown, after: unknown): boolean {
  return JSON.stringify(canonical(field, before)) === JSON.stringify(canonical(field, after))
}

/**
 * Whether two forms have the same values. The index of an entry does not matter, and neither do spaces at commas, which
 * a list under a text field does not keep.
 */
export function isSameForm(fields: readonly EditorField[], a: FormValues, b: FormValues): boolean {
  return JSON.stringify(canonicalFields(fields, a, true)) === JSON.stringify(canonicalFields(fields, b, true))
}

export function isAbsent(field: EditorField, value: unknown): boolean {
  return canonical(field, value) === undefined
}

/**
 * The value of a field in a form that can be compared as JSON; undefined if it is absent. An empty string, list or
 * object is absent, and so is a flag that is off.
 */
function canonical(field: EditorField, value: unknown, isLoose = false): unknown {
  switch (kindOf(field)) {
    case 'text':
      return (isLoose ? wordsOf(textOf(value)).join(', ') : textOf(value)) || undefined
    case 'color':
      return canonicalColor(textOf(value)) || textOf(value) || undefined
    case 'flag':
      return flagOf(value) || undefined
    case 'words':
      return nonEmpty(wordsOf(value))
    case 'pairs':
      return nonEmpty(Object.entries(pairsOf(value)).sort(([a], [b]) => compareStrings(a, b)))
    case 'object':
      return nonEmpty(canonicalFields(subfields(field), recordOf(value), isLoose))
    case 'list':
    case 'keyed':
      return nonEmpty(entriesOf(field, value).map(entry => canonicalEntry(field, entry, isLoose)))
  }
}

function canonicalFields(fields: readonly EditorField[], values: FormValues, isLoose: boolean): unknown[] {
  return fields.flatMap(field => {
    const value = canonical(field, values[field.name], isLoose)
    return value === undefined ? [] : [[field.name, value]]
  })
}

function canonicalEntry(field: EditorField, entry: FormValues, isLoose: boolean): unknown[] {
  const names = [...(isLoose ? [] : [AT]), ...(kindOf(field) === 'keyed' ? [PATH] : [])]
  return [...names.map(name => textOf(entry[name])), canonicalFields(subfields(field), entry, isLoose)]
}

function nonEmpty(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length === 0 ? undefined : list
}

/** A string of a form: trimmed, with LF line ends; empty if absent. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : ''
}

/** `#rrggbb` in lower case; empty if the text is not a colour. */
export function canonicalColor(text: string): string {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim()) ?? []
  if (digits === undefined) return ''
  return `#${(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()}`
}

export function flagOf(value: unknown): boolean {
  return textOf(value) === 'true'
}

/** Strings from a list, or from one string with commas. */
export function wordsOf(value: unknown): string[] {
  const words = typeof value === 'string' ? value.split(',') : Object.values(recordOf(value))
  return words.map(textOf).filter(word => word !== '')
}

/** The fields of an object; of a list, keyed by index. */
function recordOf(value: unknown): FormValues {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/**
 * Strings by any key. The editor keeps a form as one level of keys with dots, so that it makes a list of the keys
 * `0` and `1`, and an object of `a.b`.
 */
function pairsOf(value: unknown): Record<string, string> {
  const pairs = Object.entries(recordOf(value)).flatMap(([key, inner]): (readonly [string, string])[] => {
    if (typeof inner !== 'object') return [[key, textOf(inner)]]
    return Object.entries(pairsOf(inner)).map(([rest, text]) => [`${key}.${rest}`, text])
  })
  return Object.fromEntries(pairs.filter(([, text]) => text !== ''))
}

/** The entries of a list, without new ones that are empty. */
export function entriesOf(field: EditorField, value: unknown): FormValues[] {
  const entries = Object.values(recordOf(value)).map(recordOf)
  const own = kindOf(field) === 'keyed' ? [AT, PATH] : [AT]
  return entries.filter(entry => own.some(name => textOf(entry[name]) !== '') || hasValue(subfields(field), entry))
}

/** Whether a form gives any of the fields a value. */
export function hasValue(fields: readonly EditorField[], values: FormValues): boolean {
  return fields.some(field => !isAbsent(field, values[field.name]))
}

/** The values of an object or of pairs by the name of their field. */
export function valuesIn(field: EditorField, value: unknown): FormValues {
  return kindOf(field) === 'pairs' ? pairsOf(value) : recordOf(value)
}

/** The fields of an object, or of pairs with the keys of these values. */
export function fieldsIn(field: EditorField, values: readonly unknown[]): readonly EditorField[] {
  if (kindOf(field) !== 'pairs') return subfields(field)
  return [...new Set(values.flatMap(value => Object.keys(pairsOf(value))))].map(pairField)
}
