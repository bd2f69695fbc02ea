import { isDeepStrictEqual } from 'node:util'
import { isCollection, isPair, isSeq } from 'yaml'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import { ENTRIES, type Field, fieldsOfFile, PATH } from '../fields.ts'
import { type Change, newValue } from '../source/edit-yaml.ts'
import type { Value } from '../source/yaml-writer.ts'
import {
  canonicalColor,
  entriesOf,
  NEW,
  nameIn,
  pairsIn,
  partOf,
  REMOVE,
  type SentForm,
  shownTexts,
  textOf,
  wordsOf,
} from './form-parts.ts'

type Path = Change['path']

/**
 * The changes that a form asks for: where a control was sent with another text than it showed. A field that was emptied
 * without its box *Remove value* is a problem, because a typo must remove nothing.
 */
export function formChanges(words: Words, { kind, opened, sent }: SentForm) {
  const removed = new Set(sent.get(REMOVE))
  const touched = new Set<string>()
  const problems = new Map<string, Word>()
  const { edit } = words
  const readAll = (all: readonly Field[] = [], item: unknown, path: Path, parent: string): Change[] =>
    all.flatMap(field => {
      const own = field.name === ENTRIES ? path : [...path, field.name]
      return read(field, partOf(field, item), own, nameIn(parent, field.name))
    })
  const read = (field: Field, node: unknown, path: Path, name: string): Change[] => {
    if (removed.has(name)) return node === undefined ? [] : [{ path, removed: true }]
    if (field.kind === 'object') return whole(node, path, readAll(field.fields, node, path, name))
    if (field.kind === 'list' || field.kind === 'keyed') return whole(node, path, readEntries(field, node, path, name))
    const shown = shownTexts(field, node)
    const texts = typedTexts(field, sent.get(name)) ?? shown
    if (!shown || !texts || isDeepStrictEqual(texts, shown)) return []
    touched.add(name)
    const changes = changesOf(field, node, path, texts)
    const isEmptied = !/[^\s,]/.test(texts.join('')) && shown.some(text => text !== '')
    if (!changes || isEmptied) problems.set(name, changes ? edit.emptied : edit.pairs)
    return changes ?? []
  }
  const readEntries = (field: Field, node: unknown, path: Path, name: string): Change[] => {
    const changes = entriesOf(field, node).flatMap(({ at, step, item }): Change[] => {
      const [own, place] = [nameIn(name, at), [...path, step]]
      if (removed.has(own)) return [{ path: place, removed: true }]
      const inner = readAll(field.fields, item, place, own)
      return field.kind === 'keyed' ? keyedChanges(item, place, inner) : inner
    })
    const inner = readAll(field.fields, undefined, [], nameIn(name, NEW))
    if (inner.length === 0) return changes
    const isKey = ({ path: [step] }: Change) => field.kind === 'keyed' && step === PATH
    const [key = ''] = inner.filter(isKey).flatMap(change => ('value' in change ? [`${change.value}`] : []))
    const inserted = { path, inserted: newValue(inner.filter(change => !isKey(change))), at: Number.MAX_SAFE_INTEGER }
    return [...changes, field.kind === 'keyed' ? { ...inserted, at: key } : inserted]
  }
  const fields = opened.yaml ? fieldsOfFile(kind, words) : []
  return { changes: readAll(fields, opened.yaml?.root, [], ''), touched, problems }
}

/** The texts of a control: of a colour in one form, of boxes and choices as they are shown. */
function typedTexts({ kind }: Field, texts: readonly string[] | undefined): readonly string[] | undefined {
  if (kind === 'choices') return texts?.filter(text => text !== '')
  if (kind === 'flag') return texts && (texts.includes('true') ? ['false', 'true'] : ['false'])
  return kind === 'color' ? texts?.map(text => canonicalColor(text.trim()) || text.trim()) : texts
}

/** Removes a mapping or a list of which nothing is left. */
function whole(node: unknown, path: Path, changes: Change[]): Change[] {
  const isEmptied = changes.every(change => 'removed' in change && change.path.length === path.length + 1)
  const isWhole = path.length > 0 && isCollection(node) && changes.length > 0 && node.items.length === changes.length
  return isEmptied && isWhole ? [{ path, removed: true }] : changes
}

/** The changes of an entry with a key, whose value may be only its description. */
function keyedChanges(item: unknown, path: Path, inner: readonly Change[]): Change[] {
  const [keys, others] = [true, false].map(isKey => inner.filter(change => (change.path.at(-1) === PATH) === isKey))
  const renamed = (keys ?? []).flatMap(change => ('value' in change ? [{ path, renamed: `${change.value}` }] : []))
  const description = isPair(item) ? textOf(item.value) : ''
  if (!others?.[0] || description === '') return [...renamed, ...(others ?? [])]
  const values = new Map<string, Value>([['description', description]])
  for (const change of others)
    if ('value' in change) values.set(`${change.path.at(-1)}`, change.value)
    else values.delete(`${change.path.at(-1)}`)
  const only = values.size === 1 ? values.get('description') : undefined
  return [...renamed, { path, value: only ?? Object.fromEntries(values) }]
}

/** The changes of the value of a control with these texts; none if it is empty, undefined if a text is no pair. */
function changesOf({ kind }: Field, node: unknown, path: Path, texts: readonly string[]): Change[] | undefined {
  const [text = ''] = texts
  if (kind === 'flag') return [texts.includes('true') ? { path, value: true } : { path, removed: true }]
  if (kind === 'pairs') return pairChanges(node, path, wordsOf(text, '\n'))
  if (kind === 'choices') return wordChanges(node, path, texts)
  if (kind === 'words' || isSeq(node)) return wordChanges(node, path, wordsOf(text, kind === 'words' ? '\n' : ','))
  return text.trim() === '' ? [] : [{ path, value: text.trim() }]
}

/** Words at their places: those at the beginning and at the end that are alike stay. */
function wordChanges(node: unknown, path: Path, words: readonly string[]): Change[] {
  if (words.length === 0) return []
  if (!isSeq(node)) {
    const isText = textOf(node) !== '' && !words.some(word => word.includes(','))
    return [{ path, value: isText ? words.join(', ') : words }]
  }
  const old = node.items.map(textOf)
  const least = Math.min(old.length, words.length)
  let [start, end] = [0, 0]
  while (start < least && old[start] === words[start]) start++
  while (end < least - start && old.at(-1 - end) === words.at(-1 - end)) end++
  const middle = words.slice(start, words.length - end)
  return Array.from({ length: Math.max(middle.length, old.length - start - end) }, (_, index): Change[] => {
    const at = start + index
    const word = middle[index]
    if (word === undefined) return [{ path: [...path, at], removed: true }]
    if (at >= old.length - end) return [{ path, inserted: word, at: old.length - end }]
    return word === old[at] ? [] : [{ path: [...path, at], value: word }]
  }).flat()
}

/** The changes of pairs such as `HKS: 13 K`, of which equal lines stay. */
function pairChanges(node: unknown, path: Path, lines: readonly string[]): Change[] | undefined {
  const old = pairsIn(node)
  const [before, after] = [new Set(old.map(([line]) => line)), new Set(lines)]
  const values = new Map<string, string>()
  for (const line of lines) {
    const [key = '', ...rest] = line.split(':')
    const value = rest.join(':').trim()
    if (before.has(line)) continue
    if (key.trim() === '' || value === '') return undefined
    values.set(key.trim(), value)
  }
  const removed = old.filter(([line, key]) => !after.has(line) && !values.has(key))
  if (lines.length === 0) return []
  return [
    ...Array.from(values, ([key, value]): Change => ({ path: [...path, key], value })),
    ...removed.map(([, key]): Change => ({ path: [...path, key], removed: true })),
  ]
}
