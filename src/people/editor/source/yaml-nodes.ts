import { isCollection, isNode, isPair, isScalar, type Node, Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { groupsOf } from '#platform/base/text.ts'

/** A scalar with another text, which keeps its style and its comment; else a new one. Several lines are a block. */
export function withText(node: unknown, text: string): Scalar {
  const scalar = isScalar(node) ? node : new Scalar('')
  const isBlock = BLOCK_STYLES.has(scalar.type)
  // A block keeps the line breaks at its end.
  const [newlines = ''] = isBlock ? groupsOf(/(?<!\n)\n*$/, `${scalar.value}`) : []
  if (text.includes('\n') && !isBlock && scalar.type !== 'QUOTE_DOUBLE') scalar.type = 'BLOCK_LITERAL'
  scalar.value = text + newlines
  return scalar
}

const BLOCK_STYLES: ReadonlySet<unknown> = new Set(['BLOCK_FOLDED', 'BLOCK_LITERAL'])

/** Sets the value of a key, which comes last if it is new; undefined removes the key. */
export function setValue(map: YAMLMap, key: string, value: Node | undefined): void {
  const pair = map.items.find(item => isScalar(item.key) && `${item.key.value}` === key)
  if (!value) removeItem(map, pair)
  else if (pair) replaceValue(pair, value)
  else addItem(map, new Pair(new Scalar(key), value))
}

function replaceValue(pair: Pair, value: Node): void {
  // The comment of a word that becomes a mapping.
  if (isScalar(pair.value) && isCollection(value)) value.commentBefore = pair.value.comment ?? null
  pair.value = value
}

/** Adds an entry at the end, in brackets and behind a blank line if the others are. */
export function addItem(collection: YAMLMap | YAMLSeq, item: Node | Pair): void {
  const items: unknown[] = collection.items
  const value = valueIn(item)
  const lastValue = valueIn(items.at(-1))
  const isInBrackets = isCollection(lastValue) && lastValue.flow === true
  // The first entry never has a blank line before it.
  const laterItems = items.slice(1)
  const areSpaced = laterItems.length > 0 && laterItems.every(laterItem => startOf(laterItem)?.spaceBefore)
  const start = startOf(item)
  // An empty collection can only be written in brackets; with an entry, it need not be.
  if (items.length === 0) collection.flow = false
  if (isCollection(value) && isInBrackets) value.flow = true
  if (start && areSpaced) start.spaceBefore = true
  items.push(item)
}

/**
 * Removes an entry, if it is in the collection, with the comment directly above it. Comments above a blank line, and
 * above the first entry, stay.
 */
export function removeItem(collection: YAMLMap | YAMLSeq, item: unknown): void {
  const items: unknown[] = collection.items
  const at = items.indexOf(item)
  if (at === -1) return
  const next = startOf(items[at + 1])
  const keptComment = commentAbove(item, at === 0) + commentBelow(item)
  items.splice(at, 1)
  if (keptComment === '') return
  // The comments that stay go above the next entry, or below all others if it was the last.
  if (next) {
    const isSpaced = at > 0 || next.spaceBefore === true
    next.commentBefore = joinComments(keptComment.trimEnd(), isSpaced ? '' : undefined, next.commentBefore)
    next.spaceBefore = startOf(item)?.spaceBefore === true
  } else {
    const place = items.length > 0 ? 'comment' : 'commentBefore'
    collection[place] = joinComments(keptComment.trimEnd(), collection[place])
  }
}

/** Comments one below the other, of which some may be missing. */
function joinComments(...comments: readonly (string | null | undefined)[]): string {
  return comments.filter(comment => typeof comment === 'string').join('\n')
}

/** The comment above an entry that stays without it. */
function commentAbove(item: unknown, isFirst: boolean): string {
  const above = startOf(item)?.commentBefore ?? ''
  const blankLine = `${above}\n`.lastIndexOf('\n\n')
  return isFirst ? above : above.slice(0, Math.max(0, blankLine))
}

/** The comment below an entry, behind a blank line, which stays without it. */
function commentBelow(item: unknown): string {
  const [, below = ''] = groupsOf(/\n(\n.*)/s, lastComment(valueIn(item)))
  return below
}

/** The comment below the last part of a value, which may be about what follows. */
function lastComment(value: unknown): string {
  if (!isCollection(value)) return ''
  return value.comment ?? lastComment(valueIn(value.items.at(-1)))
}

/** The value of an entry of a mapping, or the item of a list itself. */
function valueIn(item: unknown): unknown {
  return isPair(item) ? item.value : item
}

/** The node that has the comments above an entry. */
export function startOf(item: unknown): Node | undefined {
  const node = isPair(item) ? item.key : item
  return isNode(node) ? node : undefined
}
