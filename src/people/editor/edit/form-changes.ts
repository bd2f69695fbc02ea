import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { ENTRIES, type Field, fieldsOfFile, PATH } from '../fields.ts'
import { addItem, removeItem, setValue } from '../source/yaml-nodes.ts'
import { CONTROLS } from './controls.ts'
import { entriesOf, NEW, nameIn, REMOVE, type Sent, type SentForm, textOf } from './form-parts.ts'

/** A form and the document into which it is put. */
export type AppliedForm = {
  words: Words
  sent: Sent
  removed: ReadonlySet<string>
  document: Document
  /** The names of the controls by the nodes of their values. */
  names: Map<unknown, string>
  /** The names of the controls that were changed. */
  touched: Set<string>
  problems: Map<string, Word>
}

/**
 * Changes the document of a file where a control of its form was sent with another text than it showed. A field that was
 * emptied without its box *Remove value* is a problem, because a typo must remove nothing.
 */
export function applyForm(
  words: Words,
  { kind, sent }: Pick<SentForm, 'kind' | 'sent'>,
  document: Document,
): AppliedForm {
  const removed = new Set(sent.get(REMOVE))
  const form = { words, sent, removed, document, names: new Map(), touched: new Set<string>(), problems: new Map() }
  const fields = fieldsOfFile(kind, words)
  const isList = fields.some(field => field.name === ENTRIES && field.kind === 'list')
  const contents = collectionIn(document.contents, isList)
  for (const field of fields)
    if (field.name === ENTRIES) fillEntries(form, field, contents, nameIn('', ENTRIES))
    else if (isMap(contents)) fillMap(form, [field], contents, '')
  if (contents.items.length > 0) document.contents = contents
  return form
}

/** The collection of a value, or an empty one of the kind that it would be. */
function collectionIn(node: unknown, isList: boolean): YAMLMap | YAMLSeq {
  if (isCollection(node)) return node
  return isList ? new YAMLSeq() : new YAMLMap()
}

function fillMap(form: AppliedForm, fields: readonly Field[] = [], map: YAMLMap, parent: string): void {
  for (const field of fields) {
    const name = nameIn(parent, field.name)
    const old: unknown = map.get(field.name, true)
    const value = form.removed.has(name) ? undefined : filled(form, field, old, name)
    if (value !== old) setValue(map, field.name, value)
  }
}

/** The value of a field as it was sent; undefined if there is none, or none any more. */
function filled(form: AppliedForm, field: Field, node: unknown, name: string): Node | undefined {
  const old = isNode(node) ? node : undefined
  if (!CONTROLS[field.kind].hasParts(node)) return filledControl(form, field, old, name)
  const collection = collectionIn(node, field.kind === 'list')
  const wasEmpty = collection.items.length === 0
  if (field.kind === 'object' && isMap(collection)) fillMap(form, field.fields, collection, name)
  else fillEntries(form, field, collection, name)
  if (collection.items.length > 0) return collection
  return wasEmpty ? old : undefined
}

function filledControl(form: AppliedForm, field: Field, node: Node | undefined, name: string): Node | undefined {
  const texts = changedTexts(field, node, form.sent.get(name))
  const problem = texts && problemOf(form.words, field, node, texts)
  const value = texts && problem === undefined ? CONTROLS[field.kind].changed(node, texts) : node
  if (texts) form.touched.add(name)
  if (problem !== undefined) form.problems.set(name, problem)
  form.names.set(value, name)
  return value
}

/** The texts of a control if they differ from what it showed. */
function changedTexts(field: Field, node: Node | undefined, sent: readonly string[] | undefined) {
  const { shown, typed } = CONTROLS[field.kind]
  const [before, after] = [shown(node, field), sent && typed(sent)]
  return before && after && !isDeepStrictEqual(after, before) ? after : undefined
}

/** Why no value can be made of texts: they are empty, which does not remove the value, or of another form. */
function problemOf({ edit }: Words, field: Field, node: Node | undefined, texts: readonly string[]): Word | undefined {
  const { shown, isValid } = CONTROLS[field.kind]
  const isEmpty = !/[^\s,]/.test(texts.join(''))
  if (isEmpty && shown(node, field)?.some(text => text !== '')) return edit.emptied
  return isValid(texts, node) ? undefined : edit.pairs
}

function fillEntries(form: AppliedForm, field: Field, list: YAMLMap | YAMLSeq, name: string): void {
  for (const { at, item } of entriesOf(field, list)) {
    const own = nameIn(name, at)
    if (form.removed.has(own)) removeItem(list, item)
    else fillEntry(form, field, item, own)
  }
  const added = field.kind === 'keyed' ? new Pair<unknown, unknown>(new Scalar('')) : new YAMLMap()
  fillEntry(form, field, added, nameIn(name, NEW))
  if (hasContent(added)) addItem(list, added)
}

function hasContent(entry: Pair | YAMLMap): boolean {
  return isPair(entry) ? textOf(entry.key) !== '' || Boolean(entry.value) : entry.items.length > 0
}

function fillEntry(form: AppliedForm, list: Field, item: unknown, name: string): void {
  if (isPair(item)) fillPair(form, list, item, name)
  else if (isMap(item)) fillMap(form, list.fields, item, name)
}

/** The value of a file may be only its description; that of a folder stays as it is. */
function fillPair(form: AppliedForm, { name: list, fields = [] }: Field, pair: Pair, name: string): void {
  const { value: old } = pair
  const map = isMap(old) ? old : new YAMLMap()
  if (textOf(old) !== '') addItem(map, new Pair(new Scalar('description'), old))
  for (const field of fields)
    if (field.name === PATH) pair.key = filled(form, field, pair.key, nameIn(name, PATH))
    else fillMap(form, [field], map, name)
  const [first, ...others] = map.items
  if (isMap(old) || !first) return
  const mayBeText = list === ENTRIES || isScalar(old)
  const isOnlyText = others.length === 0 && textOf(first.key) === 'description' && isScalar(first.value)
  pair.value = mayBeText && isOnlyText ? first.value : map
}
