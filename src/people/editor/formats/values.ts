import { isCollection, isMap, isPair, isScalar, isSeq } from 'yaml'
import { compareStrings } from '#platform/base/text.ts'
import { AT, DESCRIPTION, type EditorField, ENTRIES, FOLDERS, type FormValues, kindOf, PATH } from './field.ts'

/** Whether two forms have the same values. Ignores the index of entries, and spaces at commas, which a list under a text field does not keep. */
export function isSameForm(fields: readonly EditorField[], a: FormValues, b: FormValues): boolean {
  const loose = (key: string, value: unknown) =>
    key === AT ? undefined : typeof value === 'string' ? wordsOf(value).join() : value
  return JSON.stringify(fieldValues(fields, a), loose) === JSON.stringify(fieldValues(fields, b), loose)
}

/** The values of a form without absent ones. */
export function fieldValues(fields: readonly EditorField[] = [], form: FormValues): FormValues {
  const values = fields.map(field => [field.name, fieldValue(field, form[field.name])] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** A value for a comparison as JSON; undefined if it is absent: an empty string, list or object, or a flag that is off. */
export function fieldValue(field: EditorField, value: unknown): unknown {
  const kind = kindOf(field)
  const text = formText(value)
  if (kind === 'flag') return text === 'true' || undefined
  if (kind === 'text' || kind === 'color') return (kind === 'color' && canonicalColor(text)) || text || undefined
  const values = {
    words: () => wordsOf(value),
    pairs: () => pairsOf(value),
    object: () => fieldValues(field.fields, recordOf(value)),
    list: () => entriesOf(field, value).map(entry => fieldValues(field.fields, entry)),
  }[kind === 'keyed' ? 'list' : kind]()
  return Object.keys(values).length === 0 ? undefined : values
}

/** A string of a form, or of a scalar: trimmed, with LF line ends; empty if absent. */
export function formText(value: unknown): string {
  if (isScalar(value)) return formText(value.value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : ''
}

/** `#rrggbb` in lower case; empty if the text is not a colour. */
export function canonicalColor(text: string): string {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? []
  return digits && `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`.toLowerCase()
}

/** Strings from a list, or from one string with commas. */
export function wordsOf(value: unknown): string[] {
  const words = typeof value === 'string' ? value.split(',') : Object.values(recordOf(value))
  return words.map(formText).filter(word => word !== '')
}

/** The fields of an object; of a list, keyed by index. */
export function recordOf(value: unknown): FormValues {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** Strings by key, sorted. The editor makes a list of the keys `0` and `1`, and an object of the key `a.b`. */
export function pairsOf(value: unknown): Record<string, string> {
  const pairs = Object.entries(recordOf(value)).flatMap(([key, inner]): (readonly [string, string])[] => {
    if (typeof inner !== 'object') return [[key, formText(inner)]]
    return Object.entries(pairsOf(inner)).map(([rest, text]) => [`${key}.${rest}`, text])
  })
  return Object.fromEntries(pairs.filter(([, text]) => text !== '').sort(([a], [b]) => compareStrings(a, b)))
}

/** The entries of a list, without new ones that are empty. */
export function entriesOf({ fields }: EditorField, value: unknown): FormValues[] {
  const entries = Object.values(recordOf(value)).map(recordOf)
  return entries.filter(entry => Object.keys(fieldValues(fields, entry)).length > 0)
}

/** The form value of a node; absent if the field cannot show it. */
export function readField(field: EditorField, node: unknown): unknown {
  const kind = kindOf(field)
  const items: readonly unknown[] = isCollection(node) ? node.items : []
  if (kind === 'list' || kind === 'keyed')
    return items.flatMap((item, at) =>
      isEntry(field, item) ? [{ ...readFields(field.fields, item), [AT]: String(at) }] : [],
    )
  if (isScalar(node)) return (kind === 'color' && canonicalColor(formText(node))) || formText(node)
  if (isMap(node) && kind === 'object') return readFields(field.fields, node)
  if (isMap(node) && kind === 'pairs')
    return Object.fromEntries(node.items.map(({ key, value }) => [formText(key), formText(value)]))
  const words = items.every(isScalar) ? items.map(formText) : []
  if (kind === 'words') return words
  return words.some(word => word === '' || word.includes(',')) ? undefined : words.join(', ')
}

/** The form values of the keys of a mapping, or of an item of it. A string is a description. */
export function readFields(fields: readonly EditorField[] = [], item: unknown): FormValues {
  const node = isPair(item) ? item.value : item
  const nodeOf = (name: string) => {
    if (name === PATH && isPair(item)) return item.key
    if (name === ENTRIES || (name === DESCRIPTION && !isMap(node))) return node
    return isMap(node) ? node.get(name, true) : undefined
  }
  return Object.fromEntries(fields.map(field => [field.name, readField(field, nodeOf(field.name))]))
}

/** Whether the form shows an item of a sequence or of a mapping as an entry. */
export function isEntry(field: EditorField, item: unknown): boolean {
  if (kindOf(field) === 'list') return isMap(item)
  return isPair(item) && !isSeq(item.value) && (field.name === FOLDERS || formText(item.key) !== FOLDERS)
}
