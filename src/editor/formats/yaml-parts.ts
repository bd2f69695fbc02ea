import { isMap, isScalar, isSeq } from 'yaml'
import { commentColumn, lineStart, lineStop, nextLine } from './lines.ts'
import { type Collection, isBlockScalar, isFilled, keyText, type Node } from './yaml-source.ts'

/**
 * An entry of a mapping or of a sequence, as offsets. It begins with the comments above it, if it has any; its `head`
 * ends after the colon or the dash; in blocks it ends with its last line.
 */
export type Part = {
  key: string
  keyStart: number
  keyEnd: number
  start: number
  head: number
  valueStart: number
  valueEnd: number
  end: number
  node: Node
  /** Whether a pair in braces has no colon: `{tnum}`. */
  lacksColon: boolean
}

/**
 * The entries of a collection that is not empty. Comment lines that are indented deeper than the entries belong to the
 * entry above.
 *
 * @param withComments whether comments directly above an entry belong to it, except above the first one
 */
export function partsOf(text: string, collection: Collection, withComments = false): Part[] {
  const parts = isMap(collection) ? pairParts(text, collection) : itemParts(text, collection)
  if (collection.flow === true) return parts
  const column = columnOf(text, parts)
  for (const [index, part] of parts.entries()) {
    part.end = endOfComments(text, lineStop(text, part.end), column)
    const before = parts[index - 1]
    if (withComments && before) part.start = startOfComments(text, part.start, before.end, column)
  }
  return parts
}

/** The column of the entries of a collection in block style. */
export function columnOf(text: string, [first]: readonly Part[]): number {
  return first ? first.keyStart - lineStart(text, first.keyStart) : 0
}

function pairParts(text: string, collection: Collection & { items: readonly unknown[] }): Part[] {
  if (!isMap(collection)) return []
  return collection.items.map(({ key, value, srcToken }) => {
    const [from, keyEnd] = key.range
    const mark = srcToken?.start.find(({ type }) => type === 'explicit-key-ind')
    const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
    const start = mark?.offset ?? from
    const head = colon ? colon.offset + 1 : keyEnd
    const [valueStart] = value?.range ?? [head]
    const valueEnd = value ? endOf(text, value) : head
    const end = Math.max(head, valueEnd)
    const keys = { key: keyText(key), keyStart: from, keyEnd }
    return { ...keys, start, head, valueStart, valueEnd, end, node: value, lacksColon: !colon }
  })
}

function itemParts(text: string, collection: Collection): Part[] {
  if (!isSeq(collection)) return []
  const token = collection.srcToken
  const dashes =
    token?.type === 'block-seq'
      ? token.items.flatMap(({ start }) => start.filter(({ type }) => type === 'seq-item-ind').slice(0, 1))
      : []
  return collection.items.map((node, index) => {
    const [valueStart] = node.range
    const dash = dashes[index]?.offset
    const start = dash ?? valueStart
    const head = dash === undefined ? start : dash + 1
    const valueEnd = endOf(text, node)
    const end = Math.max(head, valueEnd)
    return { key: '', keyStart: start, keyEnd: head, start, head, valueStart, valueEnd, end, node, lacksColon: false }
  })
}

/** The end of a node: of a scalar without its comment, of a collection in block style with its last line. */
export function endOf(text: string, node: NonNullable<Node>): number {
  const [start, end] = node.range
  if (isFilled(node) && node.flow !== true) return partsOf(text, node).at(-1)?.end ?? end
  return isScalar(node) && isBlockScalar(node) ? lineStop(text, start + text.slice(start, end).trimEnd().length) : end
}

function endOfComments(text: string, stop: number, column: number): number {
  let end = stop
  while (end < text.length) {
    const next = nextLine(text, end)
    if ((commentColumn(text, next) ?? -1) <= column) break
    end = lineStop(text, next)
  }
  return end
}

function startOfComments(text: string, start: number, limit: number, column: number): number {
  let first = start
  for (;;) {
    const stop = lineStart(text, first) - 1
    const above = lineStart(text, text.startsWith('\r\n', stop - 1) ? stop - 1 : stop)
    if (above <= limit || commentColumn(text, above) !== column) return first
    first = above + column
  }
}
