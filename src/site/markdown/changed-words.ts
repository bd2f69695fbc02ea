import { diffArrays } from 'diff'
import type { Element, ElementContent, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { lazy } from '#platform/base/object.ts'
import { element } from '../cards/element.ts'
import { Html } from '../html.ts'
import { wordsFor } from '../words/words.ts'
import type { PageDetails } from './enhance.ts'
import { classesOf, elementsOf, isBlank, isElement, textOf } from './hast.ts'
import { htmlText, pageTree } from './markdown.ts'

/** A page to render: its Markdown with addresses in its links, and the line above it, which only `renderChanges` shows. */
export type PageSource = { text: string; context: PageDetails; lead?: string | undefined }

/** Two versions of a page, at least one, and its address. */
export type ChangedPage = { before: PageSource | undefined; after: PageSource | undefined; address: string }

/**
 * Renders the changes of a page: its content as on the website, in which `<ins>` and `<del>` mark the words that differ.
 * First compares the blocks of both versions, then the words of each block that both have. Long unchanged parts are
 * folded. Blocks for longer than `renderMarkdown`, with the same errors.
 */
export function renderChanges({ before, after, address }: ChangedPage): Html {
  const lang = (after ?? before)?.context.lang ?? 'en'
  const { changes } = wordsFor(lang)
  const [oldBlocks = [], newBlocks = []] = blocksOf([before, after], address)
  const page = { words: new Intl.Segmenter(lang, { granularity: 'word' }), room: MAX_MARKED, depth: 0 }
  const children: ElementContent[] = []
  let unchanged: ElementContent[] = []
  // Shows the unchanged blocks since the last change: the first and the last of them, and those between folded.
  const showUnchanged = () => {
    const inner = unchanged.slice(1, -1)
    if (inner.length >= MIN_FOLDED) {
      const summary = element('summary', {}, changes.same({ count: inner.length }))
      unchanged.splice(1, inner.length, element('details', { className: ['same'] }, summary, inner))
    }
    children.push(...unchanged)
    unchanged = []
  }
  for (const block of mergeLists(oldBlocks, newBlocks, page)) {
    if (hasMark(block)) {
      showUnchanged()
      children.push(block)
    } else unchanged.push(block)
  }
  showUnchanged()
  if (page.room <= 0) children.push(element('p', { className: ['quiet'] }, changes.cut))
  return new Html(htmlText({ type: 'root', children }))
}

/** Fewer unchanged blocks between two others are shown. */
const MIN_FOLDED = 3
/** The characters of changed blocks that are shown; their comparison takes most of the time. */
const MAX_MARKED = 200_000

/** The state of a comparison, which its steps change. */
type Comparison = {
  /** Finds the words of the page's language. */
  words: Intl.Segmenter
  /** The characters of changed blocks that may still be shown. */
  room: number
  /** The number of blocks around the compared one. */
  depth: number
}
type Nodes = readonly ElementContent[]

/** The content of both versions, prepared for a document that may show several pages; the title only if it differs. */
function blocksOf(pages: readonly (PageSource | undefined)[], address: string): ElementContent[][] {
  const versions = pages.map(page => page && { lead: page.lead, ...pageTree(page.text, page.context) })
  const titles = new Set(versions.flatMap(version => (version?.title ? [textOf(version.title)] : [])))
  return versions.map(version => {
    const shown = version?.tree.children.filter(node => node !== version.title || titles.size > 1) ?? []
    const lead = version?.lead === undefined ? [] : [element('p', { className: ['lead'] }, version.lead)]
    return partsOf([...lead, ...shown.flatMap(node => asBlock(node, address))])
  })
}

/** Links within the page open its address. Marks of authors are not changes, and headings are below the page's name. */
function asBlock(node: RootContent, address: string): ElementContent[] {
  if (node.type !== 'element' && node.type !== 'text') return []
  for (const each of elementsOf(node)) {
    const { properties } = each
    for (const name of OF_DOCUMENT) delete properties[name]
    if (each.tagName === 'details') delete properties.name
    if (properties.role === 'region') properties.role = 'group' // Versions of a table have the same label.
    if (`${properties.href}`.startsWith('#')) properties.href = `${address}${properties.href}`
    const isFromAuthor = (child: ElementContent) => !isElement(child, 'a') || !classesOf(child).includes('anchor')
    each.children = each.children.filter(child => child.type !== 'comment' && isFromAuthor(child))
    each.tagName = LOOKALIKES.get(each.tagName) ?? each.tagName
  }
  return [node]
}

/** Properties that refer to other parts of a document, or must be unique there. */
const OF_DOCUMENT = ['id', 'ariaDescribedBy', 'ariaLabelledBy', 'htmlFor', 'headers']
/** Elements that look like others: lower headings, and marks of authors. */
const LOOKALIKES = new Map(Object.entries({ h1: 'h4', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', del: 's', ins: 'u' }))

/** The blocks of a list of nodes; text between blocks is one. */
function partsOf(nodes: Nodes): ElementContent[] {
  const parts: ElementContent[] = []
  let line: Element | undefined
  for (const node of nodes) {
    const isLine = isInLine(node) && !isElement(node, ...ATOMS)
    if (isLine && line) line.children.push(node)
    else if (!isBlank(node)) {
      line = isLine ? element('span', {}, node) : undefined
      parts.push(line ?? node)
    }
  }
  return parts
}

/** Elements that are compared as a whole. */
const ATOMS = ['img', 'picture', 'video', 'audio', 'svg', 'hr', 'br', 'wbr', 'input', 'button', 'ruby']
const INLINE = new Set([
  ...ATOMS,
  ...'a abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var'.split(' '),
])

/** Whether a node is text, an element in a line of text, or a picture. */
function isInLine(node: ElementContent): boolean {
  return node.type !== 'element' || (INLINE.has(node.tagName) && isText(node))
}

function isText({ tagName, children }: Element): boolean {
  return ATOMS.includes(tagName) || children.every(isInLine)
}

/** A common part of two lists, followed by the items that only one of them has: `a b c` and `a x c` are `a b→x`, then `c`. */
type Part<Item> = { same: readonly Item[]; old: readonly Item[]; current: readonly Item[] }

function differences<Item extends { key: string }>(before: readonly Item[], after: readonly Item[]): Part<Item>[] {
  const options = { comparator: (one: Item, other: Item) => one.key === other.key, maxEditLength: MAX_EDITS }
  const changes = diffArrays([...before], [...after], options)
  if (!changes) return [{ same: [], old: before, current: after }]
  let part: Part<Item> = { same: [], old: [], current: [] }
  const parts = [part]
  for (const { added, removed, value } of changes) {
    if (removed) part.old = value
    else if (added) part.current = value
    else {
      part = { same: value, old: [], current: [] }
      parts.push(part)
    }
  }
  return parts
}

/** Finding the shortest edit takes quadratic time. */
const MAX_EDITS = 500

/** The later blocks with their marks, and the earlier ones that they lack. */
function mergeLists(before: Nodes, after: Nodes, page: Comparison): ElementContent[] {
  const keyed = (nodes: Nodes) =>
    nodes.map((node): Block => ({ node, key: toHtml(node), words: lazy(() => wordsOf(node, page)) }))
  const parts = differences(keyed(before), keyed(after))
  return parts.flatMap(part => [...part.same.map(({ node }) => node), ...mergePart(part, page)])
}

/**
 * The blocks in which a part differs. Each later block looks for its earlier version among the next earlier ones; if it has
 * one, they are merged, after what is only before or after them.
 */
function mergePart({ old, current }: Part<Block>, page: Comparison): ElementContent[] {
  const merged: ElementContent[] = []
  const add = (blocks: readonly Block[], mark: Mark) => {
    for (const { node } of blocks) if (page.room > 0) merged.push(withMark(node, mark, page))
  }
  let nextOld = 0
  let newBlocks: Block[] = []
  for (const block of current) {
    if (page.room <= 0) break
    const distance = old.slice(nextOld, nextOld + MAX_AHEAD).findIndex(each => isVersion(each, block))
    const version = distance === -1 ? undefined : old[nextOld + distance]
    const mergedBlock = version && mergeBlocks(version.node, block.node, page)
    if (mergedBlock) {
      add(old.slice(nextOld, nextOld + distance), 'del')
      add(newBlocks, 'ins')
      merged.push(mergedBlock)
      nextOld += distance + 1
      newBlocks = []
    } else newBlocks.push(block)
  }
  add(old.slice(nextOld), 'del')
  add(newBlocks, 'ins')
  return merged
}

/** The number of removed blocks among which a block looks for its earlier version. */
const MAX_AHEAD = 20

/** A node with its HTML and its words. */
type Block = { node: ElementContent; key: string; words: () => ReadonlySet<string> }

/** Whether a block is probably the later version of another: parts that a block has once, or with many of its words. */
function isVersion(before: Block, after: Block): boolean {
  if (before.node.type !== 'element' || !isElement(after.node, before.node.tagName)) return false
  if (SINGLE.has(after.node.tagName)) return true
  const oldWords = before.words()
  const newWords = after.words()
  return oldWords.intersection(newWords).size >= MIN_SHARED * Math.min(oldWords.size, newWords.size)
}

/** Elements that their parent has once, or whose place decides which one they are. */
const SINGLE = new Set(['thead', 'tbody', 'tfoot', 'caption', 'figcaption', 'summary', 'th', 'td'])
/** The share of the words of the shorter block. */
const MIN_SHARED = 0.4

/** The words of a block without its tags. */
function wordsOf(node: ElementContent, { words }: Comparison): ReadonlySet<string> {
  const html = toHtml(node).slice(0, MAX_COMPARED)
  // Tags. The lookbehind skips a `<` inside an unclosed tag, so that each sign is read only once.
  const segments = [...words.segment(html.replaceAll(/<(?<!<[^>]*?<)[^>]*>/g, ' '))]
  return new Set(segments.filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment))
}

/** The characters of a block that decide which block it was. */
const MAX_COMPARED = 4000

/**
 * A block with the marks of what differs from its earlier version; undefined if both must be shown next to each other.
 * Blocks of only text are compared by words, others block by block, and rows with as many cells cell by cell.
 */
function mergeBlocks(before: ElementContent, after: ElementContent, page: Comparison): ElementContent | undefined {
  if (before.type !== 'element' || after.type !== 'element') return undefined
  if (isMade(after)) return after
  if (ATOMS.includes(after.tagName) || (after.tagName === 'a' && shellText(before) !== shellText(after)))
    return undefined
  if (isText(before) && isText(after)) return { ...after, children: mergeWords(before, after, page) }
  if (page.depth > MAX_DEPTH) return undefined
  page.depth++
  const oldParts = partsOf(before.children)
  const newParts = partsOf(after.children)
  const cellOf = (cell: ElementContent, at: number) =>
    (oldParts[at] && mergeBlocks(oldParts[at], cell, page)) ?? withMark(cell, 'ins', page)
  const isSameRow = after.tagName === 'tr' && oldParts.length === newParts.length
  const merged = { ...after, children: isSameRow ? newParts.map(cellOf) : mergeLists(oldParts, newParts, page) }
  page.depth--
  if (merged.tagName === 'details' && hasMark(merged)) merged.properties = { ...after.properties, open: true }
  return merged
}

/** The two versions of a block that is nested more deeply are shown next to each other. */
const MAX_DEPTH = 30

/** Whether the website makes an element of the guide's styles, whose changes are shown on their own. */
function isMade(node: Element): boolean {
  return node.tagName === 'svg' || classesOf(node).some(name => name === 'tiles' || name === 'proportions')
}

type Mark = 'ins' | 'del'

/** Authors have no such elements after `blocksOf`. */
function hasMark(node: ElementContent): boolean {
  return elementsOf(node).some(each => isElement(each, 'ins', 'del'))
}

/** A node whose whole text is new or removed: only text and pictures are in marks, so that tables and lists stay valid. */
function withMark(node: ElementContent, mark: Mark, page: Comparison): ElementContent {
  if (isBlank(node) || (node.type === 'element' && UNMARKED.has(node.tagName))) return node
  if (node.type === 'text') page.room -= node.value.length
  if (node.type !== 'element' || ATOMS.includes(node.tagName)) return element(mark, {}, node)
  const { href: _, ...withoutLink } = node.properties
  const properties = mark === 'del' ? withoutLink : node.properties
  return { ...node, properties, children: node.children.map(child => withMark(child, mark, page)) }
}

const UNMARKED = new Set(['button', 'br', 'hr', 'wbr', 'col', 'colgroup'])

/** A word with the space after it, or an atom, with the elements around it, outermost first. */
type Token = { node: ElementContent; around: readonly Shell[]; key: string }

/** An element, and its HTML without its content. */
type Shell = { node: Element; text: string }

function shellText(node: Element): string {
  return toHtml({ ...node, children: [] })
}

/** The later words with their marks. */
function mergeWords(before: Element, after: Element, page: Comparison): ElementContent[] {
  page.room -= textOf(before).length + textOf(after).length
  const line = openLine()
  for (const { same, old, current } of differences(tokensOf(before, page), tokensOf(after, page))) {
    const [removedWords, spaceAfterRemoved] = withoutEnd(old)
    const [newWords, spaceAfterNew] = withoutEnd(current)
    line.add(same)
    line.add(removedWords, 'del')
    line.add(newWords, 'ins')
    line.add(current.length > 0 ? spaceAfterNew : spaceAfterRemoved)
  }
  return line.children
}

/** Tokens without the space after the last one, and that space, which has no mark. */
function withoutEnd(tokens: readonly Token[]): [marked: readonly Token[], space: readonly Token[]] {
  const last = tokens.at(-1)
  const text = last?.node.type === 'text' ? last.node.value.trimEnd() : ''
  if (last?.node.type !== 'text' || text === '') return [tokens, []]
  const cut = (value: string): Token => ({ ...last, node: { type: 'text', value } })
  return [[...tokens.slice(0, -1), cut(text)], [cut(last.node.value.slice(text.length))]]
}

/**
 * The words and atoms of a block. Code in a line of text is one word. Words are equal if they also have the same elements
 * around them: `**new**` differs from `new`.
 */
function tokensOf(block: Element, { words }: Comparison): Token[] {
  const tokens: Token[] = []
  const isCode = block.tagName === 'pre'
  const add = (node: ElementContent, around: readonly Shell[], key: string) => {
    if (node.type === 'text') {
      for (const value of withSpaces(words.segment(node.value)))
        tokens.push({ node: { type: 'text', value }, around, key: `${key} ${value.trim()}` })
    } else if (node.type !== 'element' || ATOMS.includes(node.tagName) || (node.tagName === 'code' && !isCode))
      tokens.push({ node, around, key: key + (isElement(node, 'svg') ? 'svg' : toHtml(node)) })
    else {
      const shell = { node, text: shellText(node) }
      for (const child of node.children) add(child, [...around, shell], key + shell.text)
    }
  }
  for (const child of block.children) add(child, [], '')
  return tokens
}

/** The words of a string, each with the space after it: `A `, `new `, `logo`. */
function withSpaces(segments: Intl.Segments): string[] {
  const words: string[] = []
  for (const { segment } of segments)
    if (segment.trim() === '' && words.length > 0) words.push(`${words.pop()}${segment}`)
    else words.push(segment)
  return words
}

/**
 * Puts tokens together again, within the elements around them, and a mark innermost. Elements stay open as long as the next
 * token is in the same ones, so that two marked words within `<em>` share one `<em>` and one mark.
 */
function openLine() {
  const children: ElementContent[] = []
  let open: Shell[] = []
  const innermost = () => open.at(-1)?.node.children ?? children
  const add = (tokens: readonly Token[], mark?: Mark) => {
    for (const { node, around } of tokens) {
      const path = mark && !isBlank(node) ? [...around, { node: element(mark, {}), text: mark }] : around
      const firstDifference = path.findIndex(({ text }, at) => open[at]?.text !== text)
      open = open.slice(0, firstDifference === -1 ? path.length : firstDifference)
      for (const shell of path.slice(open.length)) {
        const opened = { ...shell.node, children: [] }
        innermost().push(opened)
        open.push({ ...shell, node: opened })
      }
      const line = innermost()
      const last = line.at(-1)
      if (node.type === 'text' && last?.type === 'text') last.value += node.value
      else line.push(node)
    }
  }
  return { children, add }
}
