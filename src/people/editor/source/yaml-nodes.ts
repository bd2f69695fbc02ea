import { isCollection, isNode, isPair, isScalar, type Node, Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { groupsOf } from '#platform/base/text.ts'

/** A scalar with another text, which keeps its style and its comment; else a new one. Several lines are a block. */
export function withText(node: unknown, text: string): Scalar {
  const scalar = isScalar(node) ? node : new Scalar('')
  const isBlock = scalar.type?.startsWith('BLOCK') === true
  const [newlines = ''] = (isBlock && /(?<!\n)\n*$/.exec(`${scalar.value}`)) || []
  if (text.includes('\n') && !isBlock && scalar.type !== 'QUOTE_DOUBLE') scalar.type = 'BLOCK_LITERAL'
  scalar.value = text + newlines
  return scalar
}

/** Sets the value of a key, which comes last if it is new; undefined removes the key. */
export function setValue(map: YAMLMap, key: string, value: Node | undefined): void {
  const pair = map.items.find(item => isScalar(item.key) && `${item.key.value}` === key)
  if (pair && value) {
    // The comment of a word that becomes a mapping.
    if (isScalar(pair.value) && isCollection(value)) value.commentBefore = pair.value.comment ?? null
    pair.value = value
  } else if (pair) removeItem(map, pair)
  else if (value) addItem(map, new Pair(new Scalar(key), value))
}

/** Adds an entry at the end, in brackets and behind a blank line if the others are. */
export function addItem(collection: YAMLMap | YAMLSeq, item: Node | Pair): void {
  const items: unknown[] = collection.items
  const [first, ...others] = items
  const last = valueIn(items.at(-1))
  if (first === undefined) collection.flow = false
  const value = valueIn(item)
  if (isCollection(value) && isCollection(last) && last.flow) value.flow = true
  const isSpaced = others.length > 0 && others.every(other => startOf(other)?.spaceBefore)
  const start = startOf(item)
  if (start && isSpaced) start.spaceBefore = true
  items.push(item)
}

/** Removes an entry with the comment directly above it. Comments above a blank line, and above the first entry, stay. */
export function removeItem(collection: YAMLMap | YAMLSeq, item: unknown): void {
  const items: unknown[] = collection.items
  const at = items.indexOf(item)
  const [own, next, value] = [startOf(item), startOf(items[at + 1]), valueIn(item)]
  const above = own?.commentBefore ?? ''
  const [, below = ''] = groupsOf(/\n(\n.*)/s, lastComment(value))
  const kept = (at === 0 ? above : above.slice(0, Math.max(0, `${above}\n`.lastIndexOf('\n\n')))) + below
  items.splice(at, 1)
  if (kept === '') return
  if (!next) {
    const place = items.length > 0 ? 'comment' : 'commentBefore'
    collection[place] = [kept.trimEnd(), collection[place] ?? []].flat().join('\n')
  } else {
    const isSpaced = at > 0 || next.spaceBefore
    next.commentBefore = [kept.trimEnd(), ...(isSpaced ? [''] : []), next.commentBefore ?? []].flat().join('\n')
    next.spaceBefore = own?.spaceBefore === true
  }
}

/** The comment below the last part of a value, which may be about what follows. */
function lastComment(value: unknown): string {
  if (!isCollection(value)) return ''
  return value.comment ?? lastComment(valueIn(value.items.at(-1)))
}

function valueIn(item: unknown): unknown {
  return isPair(item) ? item.value : item
}

/** The node that has the comments above an entry. */
export function startOf(item: unknown): Node | undefined {
  const node = isPair(item) ? item.key : item
  return isNode(node) ? node : undefined
}
