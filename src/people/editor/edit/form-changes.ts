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
import { pantonesIn, usualPantones } from '#brand/styles/pantone.ts'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { ENTRIES, type Field, fieldsOfFile, PATH } from '../fields.ts'
import { addItem, removeItem, setValue } from '../source/yaml-nodes.ts'
import { CONTROLS } from './controls.ts'
import { entriesOf, NEW, nameIn, REMOVE, type SentForm, textOf } from './form-parts.ts'

/** A form and the document of YAML into which it is put. */
export type AppliedForm = {
  words: Words
  sent: Map<string, readonly string[]>
  /** The names of the fields and entries whose boxes *Remove* were checked. */
  removed: Set<string>
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
  { kind, sent: texts }: Pick<SentForm, 'kind' | 'sent'>,
  document: Document,
): AppliedForm {
  const sent = new Map(texts)
  const removed = new Set(sent.get(REMOVE))
  const form = { words, sent, removed, document, names: new Map(), touched: new Set<string>(), problems: new Map() }
  const fields = fieldsOfFile(kind, words)
  const isList = fields.some(field => field.name === ENTRIES && field.kind === 'list')
  const contents = collectionIn(document.contents, isList)
  // A field of the whole file, `items`, is about its entries; all others are keys of a mapping.
  for (const field of fields)
    if (field.name === ENTRIES) fillEntries(form, field, contents, nameIn('', ENTRIES))
    else if (isMap(contents)) fillMap(form, [field], contents, '')
  // A file that was empty and stays so gets no `{}`.
  if (contents.items.length > 0) document.contents = contents
  return form
}

/** The collection of a value, or an empty one of the kind that it would be. */
function collectionIn(node: unknown, isList: boolean): YAMLMap | YAMLSeq {
  if (isCollection(node)) return node
  return isList ? new YAMLSeq() : new YAMLMap()
}

/** Puts fields into a mapping, whose name in the form is `parent`. */
function fillMap(form: AppliedForm, fields: readonly Field[] = [], map: YAMLMap, parent: string): void {
  dividePantones(form, fields, map, parent)
  for (const field of fields) {
    const name = nameIn(parent, field.name)
    const oldValue: unknown = map.get(field.name, true)
    const value = form.removed.has(name) ? undefined : filled(form, field, oldValue, name)
    if (value !== oldValue) setValue(map, field.name, value)
  }
}

/**
 * Divides several Pantone references that were typed into one field of a colour among its fields, as `init` does. If there
 * are more references than fields, this is a problem, because a colour must lose none.
 */
function dividePantones(form: AppliedForm, fields: readonly Field[], map: YAMLMap, parent: string): void {
  const pantones = fields.filter(({ kind }) => kind === 'pantone').map(field => pantoneIn(form, field, map, parent))
  const typed = pantones.find(({ isTyped, text }) => isTyped && pantonesIn(text).length > 1)
  if (!typed) return
  const { usual, rest } = usualPantones(Object.fromEntries(pantones.map(({ key, text }) => [key, text])))
  if (rest.length > 0) form.problems.set(typed.name, form.words.edit.noField({ names: rest.join(', ') }))
  for (const [key, text] of Object.entries(usual)) {
    form.sent.set(nameIn(parent, key), [text])
    form.removed.delete(nameIn(parent, key))
  }
}

/** The text of a field with Pantone references, and whether the person typed it; empty if it is removed. */
function pantoneIn({ sent, removed }: AppliedForm, field: Field, map: YAMLMap, parent: string) {
  const name = nameIn(parent, field.name)
  const node = map.get(field.name, true)
  const [text = textOf(node)] = removed.has(name) ? [''] : (sent.get(name) ?? [])
  return { key: field.name, name, text: text.trim(), isTyped: changedTexts(field, node, [text]) !== undefined }
}

/** The value of a field as it was sent; undefined if there is none, or none any more. */
function filled(form: AppliedForm, field: Field, node: unknown, name: string): Node | undefined {
  const oldNode = isNode(node) ? node : undefined
  if (!CONTROLS[field.kind].hasParts(node)) return filledControl(form, field, oldNode, name)
  const collection = collectionIn(node, field.kind === 'list')
  const wasEmpty = collection.items.length === 0
  if (field.kind === 'object' && isMap(collection)) fillMap(form, field.fields, collection, name)
  else fillEntries(form, field, collection, name)
  if (collection.items.length > 0) return collection
  // An empty collection that somebody wrote stays; one whose entries were all removed goes.
  return wasEmpty ? oldNode : undefined
}

/** The value of a control as it was sent, which is the old one if nothing was changed, or if the texts have a problem. */
function filledControl(form: AppliedForm, field: Field, node: Node | undefined, name: string): Node | undefined {
  const texts = changedTexts(field, node, form.sent.get(name))
  const problem = texts && problemOf(form.words, field, node, texts)
  const value = texts && problem === undefined ? CONTROLS[field.kind].changed(node, texts) : node
  if (texts) form.touched.add(name)
  if (problem !== undefined) form.problems.set(name, problem)
  form.names.set(value, name)
  return value
}

/** The texts that were sent for a control, if they differ from what it showed; undefined also if none were sent. */
function changedTexts(field: Field, node: Node | undefined, sent: readonly string[] | undefined) {
  const { shown, typed } = CONTROLS[field.kind]
  const shownTexts = shown(node, field)
  const typedTexts = sent && typed(sent)
  return shownTexts && typedTexts && !isDeepStrictEqual(typedTexts, shownTexts) ? typedTexts : undefined
}

/** Why no value can be made of texts: they are empty, which does not remove the value, or of another form. */
function problemOf({ edit }: Words, field: Field, node: Node | undefined, texts: readonly string[]): Word | undefined {
  const { shown, isValid } = CONTROLS[field.kind]
  const isEmpty = !/[^\s,]/.test(texts.join(''))
  if (isEmpty && shown(node, field)?.some(text => text !== '')) return edit.emptied
  return isValid(texts, node) ? undefined : edit.pairs
}

/** Puts fields into the entries of a list, and adds the entry that was typed into the empty one at its end (`new`). */
function fillEntries(form: AppliedForm, field: Field, list: YAMLMap | YAMLSeq, name: string): void {
  for (const { at, item } of entriesOf(field, list)) {
    const entryName = nameIn(name, at)
    if (form.removed.has(entryName)) removeItem(list, item)
    else fillEntry(form, field, item, entryName)
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

/**
 * Puts fields into an entry of `files.yaml`, a pair of a path and its values. Instead of a mapping, the value may be only the
 * description: `logo.svg: Our logo`. That form stays while the description is the only value; new entries for files get it,
 * and those for folders do not.
 */
function fillPair(form: AppliedForm, { name: list, fields = [] }: Field, pair: Pair, name: string): void {
  const { value: oldValue } = pair
  const map = isMap(oldValue) ? oldValue : new YAMLMap()
  if (textOf(oldValue) !== '') addItem(map, new Pair(new Scalar('description'), oldValue))
  for (const field of fields)
    if (field.name === PATH) pair.key = filled(form, field, pair.key, nameIn(name, PATH))
    else fillMap(form, [field], map, name)
  const [firstItem, ...otherItems] = map.items
  if (isMap(oldValue) || !firstItem) return
  const mayBeText = list === ENTRIES || isScalar(oldValue)
  const isOnlyText = otherItems.length === 0 && textOf(firstItem.key) === 'description' && isScalar(firstItem.value)
  pair.value = mayBeText && isOnlyText ? firstItem.value : map
}
