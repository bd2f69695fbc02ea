import { isDeepStrictEqual } from 'node:util'
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type ParseOptions,
  parseDocument,
} from 'yaml'
import { failed, ok, type Result } from '#platform/base/result.ts'
import { applyEdits, type Edit } from '#platform/base/text.ts'
import { type Collection, type Place, placesOf } from './yaml-places.ts'
import { type Style, type Value, yamlWriter } from './yaml-writer.ts'

/**
 * A change of YAML, by the keys and indexes before all changes. A missing key is added at the end of its mapping. An entry
 * is inserted into the collection at the path: into a list before the entry `at` an index, into a mapping with a key.
 */
export type Change = { path: readonly (string | number)[] } & (
  | { value: Value }
  | { removed: true }
  | { renamed: string }
  | { inserted: Value; at: number | string }
)

/** The root of YAML, whose scalars are strings as written, or null. */
export function parseYaml(text: string, lineCounter?: LineCounter): unknown {
  const options: ParseOptions = { uniqueKeys: false, ...(lineCounter && { lineCounter }) }
  return parseDocument(text, { schema: 'failsafe', customTags: ['null'], ...options }).contents
}

/** The edits that make these changes in YAML with LF line ends. Every other character stays. */
export function editYaml(text: string, changes: readonly Change[]): Result<Edit[], string> {
  const root = parseYaml(text)
  const tree = treeOf(changes)
  const context = { text, write: yamlWriter(text) }
  const edits = isFilled(root) ? collectionEdits(context, root, tree) : rootEdits(context, root, tree)
  const isExpected = isDeepStrictEqual(plain(root, tree), plain(parseYaml(applyEdits(text, edits))))
  return isExpected ? ok(edits) : failed(UNSURE)
}

const UNSURE =
  'a change would touch an alias, a nested list or another form of YAML that this page does not keep; edit the file with git'

/** The changes of a value and of its parts. */
type Tree = {
  value?: Value
  isRemoved?: true
  name?: string
  added: { at: number | string; value: Value }[]
  parts: Map<string | number, Tree>
}

function treeOf(changes: readonly Change[]): Tree {
  const root: Tree = { added: [], parts: new Map() }
  for (const change of changes) {
    let tree = root
    for (const step of change.path) {
      const part = tree.parts.get(step) ?? { added: [], parts: new Map() }
      tree.parts.set(step, part)
      tree = part
    }
    if ('value' in change) tree.value = change.value
    else if ('removed' in change) tree.isRemoved = true
    else if ('renamed' in change) tree.name = change.renamed
    else tree.added.push({ at: change.at, value: change.inserted })
  }
  return root
}

const UNCHANGED: Tree = { added: [], parts: new Map() }

/** The entries of a collection with their changes, and among them the new ones, at their places. */
function entriesOf(node: unknown, { added, parts }: Tree) {
  const items: readonly unknown[] = isCollection(node) ? node.items : []
  const missing = new Map(parts)
  const inserted = Map.groupBy(added, ({ at }) => (typeof at === 'number' && at < items.length ? at : items.length))
  const newAt = (at: number) => (inserted.get(at) ?? []).map(each => ({ key: each.at, value: each.value }))
  const all = items.flatMap((item, at) => {
    const key = isPair(item) ? keyOf(item) : at
    const tree = missing.get(key) ?? UNCHANGED
    missing.delete(key)
    return [...newAt(at), { key, at, item, tree }]
  })
  const keys = [...missing].filter(([, tree]) => !tree.isRemoved)
  return [...all, ...newAt(items.length), ...keys.map(([key, tree]) => ({ key, value: built(tree) }))]
}

function keyOf({ key }: { key: unknown }): string {
  return isScalar(key) ? `${key.value}` : ''
}

/** The value of changes that replace nothing. */
export function newValue(changes: readonly Change[]): Value {
  return built(treeOf(changes))
}

/** The value that replaces nothing, or something without parts. */
function built(tree: Tree): Value {
  if (tree.value !== undefined) return tree.value
  const entries = entriesOf(null, tree).flatMap(({ key, ...each }) =>
    'value' in each ? [[key, each.value] as const] : [],
  )
  return entries.some(([key]) => typeof key === 'string')
    ? Object.fromEntries(entries)
    : entries.map(([, value]) => value)
}

/** A value with its changes, for a comparison as JSON. Blank space at its ends does not count. */
function plain(node: unknown, tree = UNCHANGED): unknown {
  const isChanged = tree.value !== undefined || tree.parts.size > 0 || tree.added.length > 0
  if (isChanged && (!isFilled(node) || tree.value !== undefined)) return plainValue(built(tree))
  if (!isCollection(node)) return isScalar(node) && node.value !== null ? `${node.value}`.trim() : null
  const entries = entriesOf(node, tree).flatMap(({ key, ...each }) => {
    if ('value' in each) return [[key, plainValue(each.value)]]
    if (each.tree.isRemoved) return []
    return [[each.tree.name ?? key, plain(isPair(each.item) ? each.item.value : each.item, each.tree)]]
  })
  return isSeq(node) ? entries.map(([, value]) => value) : { entries }
}

function plainValue(value: Value): unknown {
  if (typeof value !== 'object') return `${value}`.trim()
  return Array.isArray(value)
    ? value.map(plainValue)
    : { entries: Object.entries(value).map(([key, part]) => [key, plainValue(part)]) }
}

function isFilled(node: unknown): node is Collection {
  return isCollection(node) && node.items.length > 0
}

type Splicing = { text: string; write: ReturnType<typeof yamlWriter> }

/** Writes the first values of a file. */
function rootEdits({ text, write }: Splicing, root: unknown, tree: Tree): Edit[] {
  const value = built(tree)
  if (typeof value !== 'object' || Object.keys(value).length === 0) return []
  const written = Object.entries(value)
    .map(([key, part]) => write(Array.isArray(value) ? undefined : key, part, { isFlow: false, column: 0 }))
    .join('\n')
  const [start, end] = isCollection(root) && root.range ? root.range : [text.length, text.length]
  if (start < end) return [{ start, end, text: written }]
  return [{ start, end, text: text === '' || text.endsWith('\n') ? `${written}\n` : `\n${written}` }]
}

function collectionEdits(context: Splicing, node: Collection, tree: Tree): Edit[] {
  const { places, separator, column } = placesOf(context.text, node)
  const style: Style = { isFlow: node.flow === true, column }
  const last: unknown = node.items.at(-1)
  const model = isPair(last) ? last.value : last
  const isFlowItem = isCollection(model) && model.flow === true
  // New entries by the number of old ones above them.
  const added: string[][] = [[], ...places.map(() => [])]
  const removed = new Set<Place>()
  const edits: Edit[][] = []
  let above = 0
  for (const entry of entriesOf(node, tree)) {
    if ('value' in entry) {
      const key = isMap(node) ? `${entry.key}` : undefined
      added[above]?.push(context.write(key, entry.value, { ...style, isFlowItem }))
      continue
    }
    const place = places[above++]
    if (place && entry.tree.isRemoved) removed.add(place)
    else if (place && entry.tree !== UNCHANGED) edits.push(entryEdits(context, entry.item, place, entry.tree, style))
  }
  const empty = node.flow ? '' : isMap(node) ? '{}' : '[]'
  return [...edits.flat(), ...placeEdits(places, removed, added, { separator, empty })]
}

type Signs = { separator: string; empty: string }

/** The edits that remove entries and insert others. Insertions come first where both begin at one offset. */
function placeEdits(
  places: readonly Place[],
  removed: ReadonlySet<Place>,
  added: readonly string[][],
  { separator, empty }: Signs,
): Edit[] {
  const [first] = places
  const cuts: Edit[] = []
  const insertions: Edit[] = []
  const isEmptied = removed.size === places.length
  if (first && isEmptied) cuts.push({ start: first.start, end: first.end, text: added.flat().join(separator) || empty })
  let last = isEmptied ? first : undefined
  for (const [at, place] of places.entries()) {
    if (isEmptied && at === 0) continue
    const isFirst = last === undefined
    if (removed.has(place)) cuts.push({ ...(isFirst ? place.cutFirst : place.cut), text: '' })
    else last = place
    if (!last || isEmptied) continue
    const { lead, end } = last
    if (isFirst)
      for (const text of added.slice(0, at + 1).flat())
        insertions.push({ start: lead, end: lead, text: text + separator })
    for (const text of added[at + 1] ?? []) insertions.push({ start: end, end, text: separator + text })
  }
  return [...insertions, ...cuts]
}

/** The edits of an entry that stays: of its key, of its value or in it. */
function entryEdits(context: Splicing, item: unknown, place: Place, tree: Tree, style: Style): Edit[] {
  const { name, ...rest } = tree
  const [key, node] = isPair(item) ? [item.key, item.value] : [undefined, item]
  const named = name !== undefined && isScalar(key) ? valueEdits(context, key, name, { ...style, key: 'k' }) : []
  if (rest.value === undefined && rest.parts.size === 0 && rest.added.length === 0) return named
  if (isFilled(node)) return rest.value === undefined ? [...named, ...collectionEdits(context, node, rest)] : []
  if (isAlias(node)) return []
  const end = isScalar(key) ? (key.range?.[1] ?? 0) : place.start
  const sign = /\s*:|-?/y
  sign.lastIndex = end
  sign.test(context.text)
  const own = { ...style, offset: sign.lastIndex, ...((isPair(item) || style.isFlow) && { key: 'k' }) }
  return [...named, ...valueEdits(context, node, built(rest), own)]
}

type ValuePlace = { key?: string; offset?: number }

/** The edits that replace a scalar or an empty collection, or write a value after an offset. Comments of its line stay. */
function valueEdits({ text, write }: Splicing, node: unknown, value: Value, style: Style & ValuePlace): Edit[] {
  const { key, offset = 0 } = style
  const scalar = isScalar(node) ? node : undefined
  const isBlock = scalar?.type?.startsWith('BLOCK') === true
  const [newlines = ''] = (isBlock && /\n*$/.exec(`${scalar?.value}`)) || []
  const whole = write(key, typeof value === 'string' ? value + newlines : value, { ...style, type: scalar?.type })
  const written = whole.slice(key === undefined ? 1 : 2).replace(/^ +/, '')
  const [head = ''] = written.split('\n', 1)
  const [first, last] = (isNode(node) && node.range) || [offset, offset]
  const isAbsent = first === last
  const [start, stop] = isAbsent ? [offset, offset] : [first, last]
  const end = isBlock ? start + (/^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0].length ?? 0) : stop
  const line = text.indexOf('\n', end)
  const bodyStart = line < 0 ? text.length : line
  const bodyEnd = isBlock ? Math.max(bodyStart, text.slice(0, stop).trimEnd().length) : bodyStart
  const from = head === '' ? text.slice(0, start).trimEnd().length : start
  return [
    { start: from, end, text: isAbsent && head !== '' ? ` ${head}` : head },
    { start: bodyStart, end: bodyEnd, text: written.slice(head.length) },
  ]
}
