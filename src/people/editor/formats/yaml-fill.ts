import { isMap, isNode, isPair, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { AT, DESCRIPTION, type EditorField, ENTRIES, type FormValues, kindOf, PATH } from './field.ts'
import { entriesOf, fieldValue, formText, isEntry, pairsOf, readField, recordOf, wordsOf } from './values.ts'
import type { Collection } from './yaml-source.ts'

/** The collection of a field with the values of a form: the one before, or a new one, in block style if it was empty. */
export function fillCollection(node: unknown, field: EditorField, value: unknown): Collection {
  const kind = kindOf(field)
  const collection = kind === 'list' ? (isSeq(node) ? node : new YAMLSeq()) : isMap(node) ? node : new YAMLMap()
  if (collection.items.length === 0) delete collection.flow
  if (!isMap(collection) || kind === 'keyed') return fillEntries(collection, field, value)
  const pairs = pairsOf(value)
  const names = kind === 'pairs' ? Object.keys({ ...recordOf(readField(field, node)), ...pairs }) : []
  const fields = [...(field.fields ?? []), ...names.map(name => ({ name, widget: 'string' }))]
  return fillMap(collection, fields, kind === 'pairs' ? pairs : recordOf(value))
}

/** Keys without a field, and equal values, keep their nodes. A new node keeps the comment of the one before. */
function fillMap(map: YAMLMap, fields: readonly EditorField[], values: FormValues): YAMLMap {
  for (const field of fields) {
    const { name } = field
    const before: unknown = name === ENTRIES ? map : map.get(name, true)
    const node = fillField(before, field, values[name])
    if (before === map) continue
    if (isNode(node) && isNode(before)) node.comment ??= before.comment ?? null
    if (node !== undefined) map.set(name, node)
    else if (before !== undefined) map.delete(name)
  }
  return map
}

/** The node of a field with the value of a form: the one before, changed, or another one; undefined if it is absent. */
function fillField(node: unknown, field: EditorField, value: unknown): unknown {
  const [before, after] = [readField(field, node), value].map(each => JSON.stringify(fieldValue(field, each)))
  if (before === after) return node
  const kind = kindOf(field)
  if (kind === 'flag') return formText(value) === '' ? undefined : scalarLike(node, formText(value) === 'true')
  if (kind === 'list' || kind === 'keyed' || kind === 'object' || kind === 'pairs') {
    const collection = fillCollection(node, field, value)
    return collection.items.length === 0 ? undefined : collection
  }
  if (after === undefined) return undefined
  const words = wordsOf(value)
  if (isSeq(node)) return fillWords(node, words)
  if (kind !== 'words') return scalarLike(node, formText(value))
  if (isScalar(node) && !words.some(word => word.includes(','))) return scalarLike(node, words.join(', '))
  return Object.assign(fillWords(new YAMLSeq(), words), { flow: true })
}

/** A word that stays keeps its node, and another one takes the node at its place. */
function fillWords(list: YAMLSeq, words: readonly string[]): YAMLSeq {
  const before = list.items
  const freeAt = (at: number) => (words.includes(formText(before[at])) ? undefined : before[at])
  const items = words.map((word, at) => before.find(item => formText(item) === word) ?? scalarLike(freeAt(at), word))
  return Object.assign(list, { items })
}

/** Entries are recognised by their index in the file. Items that the form does not show stay at their place. */
function fillEntries(collection: Collection, field: EditorField, value: unknown): Collection {
  const before: readonly unknown[] = collection.items
  const shown = new Set(before.filter(item => isEntry(field, item)))
  const removed = new Set(shown)
  const entries = entriesOf(field, value).map(entry => {
    const item = before[Number.parseInt(formText(entry[AT]), 10)]
    return fillEntry(removed.delete(item) ? item : undefined, field, entry)
  })
  const kept = entries.filter(item => shown.has(item))
  const items = before.filter(item => !removed.has(item)).map(item => (shown.has(item) ? kept.shift() : item))
  for (const [at, item] of entries.entries())
    if (!shown.has(item)) items.splice(items.indexOf(entries[at - 1]) + 1, 0, item)
  return Object.assign(collection, { items })
}

/** The item of an entry. The value of a keyed one may be only its description. */
function fillEntry(item: unknown, field: EditorField, entry: FormValues): unknown {
  const isKeyed = kindOf(field) === 'keyed'
  const fields = (field.fields ?? []).filter(({ name }) => name !== AT && !(isKeyed && name === PATH))
  const object = { name: '', widget: 'object', fields }
  if (!isKeyed) return fillCollection(item, object, entry)
  const path = formText(entry[PATH])
  if (path === '')
    throw new Error(`cannot save the entry ${Number(entry[AT]) + 1 || 'that is new'}: it has no path; write one`)
  const pair = isPair(item) ? item : new Pair<unknown, unknown>(new Scalar(path), new YAMLMap())
  if (formText(pair.key) !== path) pair.key = scalarLike(pair.key, path)
  const { value } = pair
  const map = isMap(value) ? value : new YAMLMap()
  if (formText(value) !== '') map.set(DESCRIPTION, value)
  fillCollection(map, object, entry)
  const text = map.get(DESCRIPTION, true)
  if (isScalar(value) && !text) map.comment = value.comment ?? null
  if (!isScalar(value) || map.items.length > (text ? 1 : 0)) pair.value = map
  else if (text || formText(value) !== '') pair.value = text ?? map
  return pair
}

/** A scalar with another value, in the style of the one before. */
function scalarLike(node: unknown, value: string | boolean): Scalar {
  const scalar = isScalar(node) ? node : new Scalar<unknown>('')
  const { type = 'PLAIN' } = scalar
  const [end = ''] = (type.startsWith('BLOCK') && /\n*$/.exec(`${scalar.value}`)) || []
  scalar.value = end === '' ? value : value + end
  if (/PLAIN|SINGLE/.test(type) && `${value}`.includes('\n')) scalar.type = 'BLOCK_LITERAL'
  return scalar
}
