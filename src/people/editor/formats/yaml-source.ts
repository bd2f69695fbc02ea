import { Document, isCollection, isMap, isNode, isPair, isScalar, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { applyEdits, type Edit } from '#platform/base/text.ts'

export type Collection = YAMLMap | YAMLSeq

/** YAML with LF line ends and another root. Everything that did not change keeps its source text. */
export function render(text: string, before: unknown, after: Collection): string {
  const isEmptied = isCollection(before) && !before.flow && after.items.length === 0
  const edits = isEmptied ? itemEdits(text, before, after) : editsOf(text, before, after)
  if (edits) return applyEdits(text, edits)
  const written = write(text, after)
  const [start = 0, end = 0] = (isNode(before) && before.range) || []
  if (start < end) return applyEdits(text, [{ start, end, text: written }])
  return text === '' || text.endsWith('\n') ? `${text}${written}\n` : `${text}\n${written}`
}

/** The edits that turn a node or a pair into another; undefined if the library has to write it. */
function editsOf(text: string, before: unknown, after: unknown, isFlow = false): Edit[] | undefined {
  if (before === after || (isScalar(before) && isScalar(after) && before.value === after.value)) return []
  if (startOf(before) === undefined || startOf(before) !== startOf(after)) return undefined
  if (isScalar(before) && isScalar(after)) {
    const [start = 0, end = 0] = before.range ?? []
    if (start === end || before.type?.startsWith('BLOCK') || `${after.value}`.includes('\n')) return undefined
    const bare = Object.assign(new Scalar(after.value), after.type && { type: after.type })
    return [{ start, end, text: writeItem(text, bare, isFlow) }]
  }
  if (isCollection(before) && !before.flow && isCollection(after) && after.items[0])
    return itemEdits(text, before, after)
  const [olds = [], news = []] = [before, after].map(node =>
    isPair(node) ? [node.key, node.value] : isCollection(node) ? node.items : [],
  )
  const edits = olds.map((old, at) => editsOf(text, old, news[at], isFlow || isCollection(before)))
  return olds.length === news.length && !edits.includes(undefined) ? edits.flatMap(each => each ?? []) : undefined
}

/**
 * The edits of the items of a block. If items are added, removed or moved, they are one edit: the gaps between them stay at
 * their places; a removed item takes a gap with it, but no comments in gaps; a new item gets the shortest gap.
 */
function itemEdits(text: string, before: Collection, after: Collection): Edit[] {
  const offset = startOf(before) ?? 0
  const lineEnd = `\n${' '.repeat(offset - text.lastIndexOf('\n', offset - 1) - 1)}`
  const places = placesOf(text, before, lineEnd)
  const written = (item: unknown) =>
    (isPair(item) ? '' : '- ') + writeItem(text, item, false).replace(/\n(?=[^\n])/g, lineEnd)
  const indexes = new Map(before.items.map((item, index) => [startOf(item), index]))
  const slots = after.items.map(item => {
    const index = indexes.get(startOf(item)) ?? -1
    const place = places[index]
    if (!place) return { index, edits: [], text: written(item) }
    const { start, offset, stop, end } = place
    const edits = editsOf(text, before.items[index], item) ?? [{ start: offset, end: stop, text: written(item) }]
    return { index, edits, text: applyEdits(text.slice(0, end), edits).slice(start) }
  })
  if (slots.length === places.length && slots.every(({ index }, at) => index === at))
    return slots.flatMap(({ edits }) => edits)
  if (slots.length === 0) slots.push({ index: 0, edits: [], text: isMap(before) ? '{}' : '[]' })
  const gaps = places.slice(1).map(({ start }, at) => text.slice(places[at]?.end, start))
  const isCommented = (gap: string) => gap.includes('#')
  const commentsIn = (from: number, to?: number) => gaps.slice(from, to).filter(isCommented).join('')
  const kept = slots.flatMap(({ index }) => (index < 0 ? [] : [index])).sort((a, b) => a - b)
  const [fresh = lineEnd] = gaps.filter(gap => !isCommented(gap)).toSorted((a, b) => a.length - b.length)
  const longest = (from: number, to: number) => gaps.slice(from, to).toSorted((a, b) => b.length - a.length)[0]
  const between = kept.slice(1).map((to, at) => commentsIn(kept[at] ?? 0, to) || longest(kept[at] ?? 0, to))
  const rest = [fresh, ...between]
  const items = slots.flatMap(({ index, text: item }) => [index < 0 ? fresh : rest.shift(), item]).slice(1)
  const [lead, trail] = [commentsIn(0, kept[0]).trimStart(), commentsIn(kept.at(-1) ?? gaps.length).trimEnd()]
  return [{ start: offset, end: places.at(-1)?.end ?? offset, text: lead + items.join('') + trail }]
}

/** Writes an item of a collection without its dash and the comments above it. */
function writeItem(text: string, item: unknown, isFlow: boolean): string {
  const node = isPair(item) ? item.key : item
  if (isNode(node)) Object.assign(node, { commentBefore: null, spaceBefore: false })
  const collection = Object.assign(isPair(item) ? new YAMLMap() : new YAMLSeq(), { items: [item], flow: isFlow })
  const written = write(text, collection)
  return isFlow ? written.slice(1, -1).trim() : isPair(item) ? written : written.slice(2)
}

/** The style of the last text: it is the same for all entries of a list, and a long text takes long to search. */
let style = { text: '', indent: 2 }

function indentIn(text: string): number {
  const [, , dash = '', spaces = ''] = /^( *)(- +)?[^\s#-].*:\n\1( +)(?=[^\s#-])/m.exec(text) ?? []
  return spaces.length - dash.length || 2
}

/** Writes a collection, indented like the first mapping below a key of a file. */
function write(text: string, node: Collection): string {
  const document = new Document<Collection>(null, { schema: 'failsafe', customTags: ['null', 'bool'] })
  document.contents = Object.assign(node, { comment: null, commentBefore: null })
  if (style.text !== text) style = { text, indent: indentIn(text) }
  const { indent } = style
  const options = {
    indent,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Infinity,
    flowCollectionPadding: /\{ /.test(text),
  }
  return document.toString(options).trim()
}

/**
 * The offsets of the items of a block: from the dash or key at `offset` to `stop`. From `start` to `end` are also comments
 * directly above, except above the first item, and those below that are indented deeper.
 */
function placesOf(text: string, node: Collection, lineEnd: string) {
  const next = new RegExp(`${lineEnd}(?=[^\\s#])`, 'g')
  const above = new RegExp(`(?:(?<=${lineEnd})#[^\\n]*${lineEnd})*$`)
  const below = new RegExp(`[^\\n]*(?:${lineEnd} +#[^\\n]*)*`, 'y')
  let before: number | undefined
  return node.items.map(item => {
    next.lastIndex = before ?? 0
    const offset = before !== undefined && next.test(text) ? next.lastIndex : (startOf(node) ?? 0)
    const lead = before === undefined ? '' : (above.exec(text.slice(before, offset))?.[0] ?? '')
    below.lastIndex = endOf(text, item)
    below.test(text)
    before = below.lastIndex
    const stop = Math.min(before, endOf(text, item, 2))
    return { start: offset - lead.length, offset, stop, end: before }
  })
}

/** The end of the last value of a node or pair in block style, or of that with its comment. */
function endOf(text: string, item: unknown, edge: 1 | 2 = 1): number {
  const node = isPair(item) ? (item.value ?? item.key) : item
  if (isCollection(node) && node.items.length > 0 && !node.flow) return endOf(text, node.items.at(-1), edge)
  const [start, ...ends] = (isNode(node) && node.range) || [0, 0, 0]
  return Math.max(start, text.slice(0, ends[edge - 1]).trimEnd().length)
}

/** The offset of a node, or of the key of a pair; undefined for a new one. */
function startOf(item: unknown): number | undefined {
  const node = isPair(item) ? item.key : item
  return isNode(node) ? node.range?.[0] : undefined
}
