import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isPair, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { groupsOf } from '#platform/base/text.ts'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { ENTRIES, type Field, fieldsOfFile, PATH } from '../fields.ts'
import { addItem, removeItem, setValue, withText } from '../source/yaml-nodes.ts'
import {
  canonicalColor,
  entriesOf,
  hasParts,
  NEW,
  nameIn,
  pairsIn,
  REMOVE,
  type Sent,
  type SentForm,
  shownTexts,
  textOf,
  wordsOf,
} from './form-parts.ts'

type Collection = YAMLMap | YAMLSeq

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
  const root = document.contents
  const contents = isMap(root) || isSeq(root) ? root : isList ? new YAMLSeq() : new YAMLMap()
  for (const field of fields)
    if (field.name === ENTRIES) fillEntries(form, field, contents, nameIn('', ENTRIES))
    else if (isMap(contents)) fillMap(form, [field], contents, '')
  if (contents.items.length > 0) document.contents = contents
  return form
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
  if (!hasParts(field, node)) return filledControl(form, field, isNode(node) ? node : undefined, name)
  const isNew = !isMap(node) && !isSeq(node)
  const collection = isNew ? (field.kind === 'list' ? new YAMLSeq() : new YAMLMap()) : node
  const size = collection.items.length
  if (field.kind === 'object' && isMap(collection)) fillMap(form, field.fields, collection, name)
  else fillEntries(form, field, collection, name)
  if (collection.items.length > 0) return collection
  return size === 0 && isNode(node) ? node : undefined
}

function filledControl(form: AppliedForm, field: Field, node: Node | undefined, name: string): Node | undefined {
  const { emptied, pairs } = form.words.edit
  const shown = shownTexts(field, node)
  const texts = typedTexts(field, form.sent.get(name)) ?? shown
  const isChanged = shown && texts && !isDeepStrictEqual(texts, shown)
  const isEmptied = isChanged && !/[^\s,]/.test(texts.join('')) && shown.some(text => text !== '')
  const value = isEmptied ? emptied : isChanged ? changedValue(field, node, texts, pairs) : node
  if (isChanged) form.touched.add(name)
  const isProblem = value !== undefined && !isNode(value)
  if (isProblem) form.problems.set(name, value)
  form.names.set(isProblem ? node : value, name)
  return isProblem ? node : value
}

function fillEntries(form: AppliedForm, field: Field, list: Collection, name: string): void {
  for (const { at, item } of entriesOf(field, list)) {
    const own = nameIn(name, at)
    if (form.removed.has(own)) removeItem(list, item)
    else fillEntry(form, field, item, own)
  }
  const added = field.kind === 'keyed' ? new Pair<unknown, unknown>(new Scalar('')) : new YAMLMap()
  fillEntry(form, field, added, nameIn(name, NEW))
  if (isPair(added) ? textOf(added.key) !== '' || added.value : added.items.length > 0) addItem(list, added)
}

/** The value of a file may be only its description; that of a folder stays as it is. */
function fillEntry(form: AppliedForm, { name: list, fields = [] }: Field, item: unknown, name: string): void {
  if (isMap(item)) fillMap(form, fields, item, name)
  if (!isPair(item)) return
  const { value: old } = item
  const map = isMap(old) ? old : new YAMLMap()
  if (isScalar(old) && textOf(old) !== '') addItem(map, new Pair(new Scalar('description'), old))
  for (const field of fields)
    if (field.name === PATH) item.key = filled(form, field, item.key, nameIn(name, PATH))
    else fillMap(form, [field], map, name)
  const [first, ...others] = map.items
  const mayBeText = list === ENTRIES || isScalar(old)
  const isDescribed = mayBeText && others.length === 0 && textOf(first?.key) === 'description' && isScalar(first?.value)
  if (!isMap(old) && first) item.value = isDescribed ? first.value : map
}

/** The texts of a control: of a colour in one form, of boxes and choices as they are shown. */
function typedTexts({ kind }: Field, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (kind === 'choices') return texts?.filter(text => text !== '')
  if (kind === 'flag') return texts && (texts.includes('true') ? ['false', 'true'] : ['false'])
  return kind === 'color' ? texts?.map(text => canonicalColor(text.trim()) || text.trim()) : texts
}

/** The value of a control with these texts; none of a box that is not checked, and `wrong` of lines that are no pairs. */
function changedValue({ kind }: Field, node: Node | undefined, texts: readonly string[], wrong: Word) {
  const [text = ''] = texts
  if (kind === 'flag')
    return texts.includes('true') ? Object.assign(isScalar(node) ? node : new Scalar(true), { value: true }) : undefined
  if (kind === 'pairs') return pairsOf(node, wordsOf(text, '\n')) ?? wrong
  if (kind === 'choices') return listOf(node, texts)
  if (kind === 'words' || isSeq(node)) return listOf(node, wordsOf(text, kind === 'words' ? '\n' : ',').map(unquoted))
  return text.trim() === '' ? node : withText(node, unquoted(text.trim()))
}

/** A number or an id without quotes, which it has in messages. */
function unquoted(text: string): string {
  return text.replace(/^"([\d.,# ]+|[a-z\d/-]+)"$/, '$1')
}

/** Words, of which those that are in the list already stay as they are. */
function listOf(node: Node | undefined, words: readonly string[]): Node | undefined {
  if (words.length === 0) return node
  if (!isSeq(node) && textOf(node) !== '' && !words.some(word => word.includes(',')))
    return withText(node, words.join(', '))
  const list = isSeq(node) ? node : Object.assign(new YAMLSeq(), { flow: true })
  const old = [...list.items]
  list.items = words.map((word, at) => {
    const isReplaced = old.length === words.length && !words.includes(textOf(old[at]))
    return old.find(item => textOf(item) === word) ?? withText(isReplaced ? old[at] : undefined, word)
  })
  return list
}

/** A mapping of lines such as `HKS: 13 K`, of which equal ones stay as they are; undefined if a line is no pair. */
function pairsOf(node: Node | undefined, lines: readonly string[]): Node | undefined {
  const old = pairsIn(node)
  const items = lines.flatMap(line => {
    const [, key = '', value = ''] = groupsOf(/^([^:]*[^:\s])\s*:\s*(.+)$/, line)
    const isSame = old.find(([own]) => own === line)
    const [, pair] = isSame ?? old.find(([, each]) => key !== '' && textOf(each.key) === key) ?? []
    if (!isSame && pair) pair.value = withText(pair.value, value)
    return pair ?? (key === '' ? [] : new Pair<unknown, unknown>(new Scalar(key), new Scalar(value)))
  })
  return items.length === lines.length ? Object.assign(isMap(node) ? node : new YAMLMap(), { items }) : undefined
}
