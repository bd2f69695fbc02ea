import { diffArrays } from 'diff'
import type { Element, ElementContent, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
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
 * Long unchanged parts are folded. Blocks for longer than `renderMarkdown`, with the same errors.
 */
export function renderChanges({ before, after, address }: ChangedPage): Html {
  const lang = (after ?? before)?.context.lang ?? 'en'
  const { changes } = wordsFor(lang)
  const [old = [], current = []] = blocksOf([before, after])
  const children: ElementContent[] = []
  let same: ElementContent[] = []
  const fold = () => {
    if (same.length <= MAX_SAME) children.push(...same)
    else children.push(element('details', { className: ['same'] }, element('summary', {}, changes.same), same))
    same = []
  }
  let room = MAX_HTML
  for (const { node, isChanged } of comparedBlocks(old, current, { lang, address })) {
    if (room <= 0) break
    room -= serialize(node).length
    if (isChanged) fold()
    if (isChanged) children.push(node)
    else same.push(node)
  }
  fold()
  if (room <= 0) children.push(element('p', { className: ['quiet'] }, changes.cut))
  return new Html(htmlText({ type: 'root', children }))
}

/** The content of both versions; the title only if it differs. */
function blocksOf(pages: readonly (PageSource | undefined)[]): RootContent[][] {
  const versions = pages.map(page => page && { lead: page.lead, ...pageTree(page.text, page.context) })
  const titles = new Set(versions.flatMap(version => (version?.title ? [textOf(version.title)] : [])))
  return versions.map(version => {
    const shown = version?.tree.children.filter(node => node !== version.title || titles.size > 1) ?? []
    return version?.lead === undefined ? shown : [element('p', { className: ['lead'] }, version.lead), ...shown]
  })
}

/** More unchanged blocks in a row are folded. */
const MAX_SAME = 3
/** In characters. */
const MAX_HTML = 200_000

/** A block of a compared page, and whether it has a mark. */
type Compared = { node: ElementContent; isChanged: boolean }

/**
 * Compares two rendered pages: first their blocks, then the words of each block that both have. The result is the later
 * page with the removed blocks and words of the earlier one; `<ins>` and `<del>` wrap only text and pictures, so that
 * tables and lists stay valid. Removes ids and names, because a document may show several pages; links within it
 * open its `address`.
 */
function* comparedBlocks(
  before: readonly RootContent[],
  after: readonly RootContent[],
  { lang, address }: { lang: string; address: string },
): Generator<Compared> {
  const words = new Intl.Segmenter(lang, { granularity: 'word' })
  const [old, current] = [before, after].map(nodes => nodes.flatMap(node => blockOf(node, address)))
  yield* mergeLists(old ?? [], current ?? [], { words, depth: 0 })
}

/** Finds the words of a language, and the number of blocks around the present one. */
type Within = { words: Intl.Segmenter; depth: number }

function blockOf(node: RootContent, address: string): ElementContent[] {
  if (isBlank(node) || (node.type !== 'element' && node.type !== 'text')) return []
  for (const each of elementsOf(node)) {
    const { properties } = each
    for (const name of OF_DOCUMENT) delete properties[name]
    if (each.tagName === 'details') delete properties.name
    if (properties.role === 'region') properties.role = 'group' // Versions of a table have the same label.
    if (`${properties.href}`.startsWith('#')) properties.href = `${address}${properties.href}`
    each.children = each.children.filter(child => child.type !== 'comment' && !isPermalink(child))
    // Marks of authors are not changes, and the page has its own title.
    each.tagName = LOOKALIKES.get(each.tagName) ?? each.tagName
  }
  return [node]
}

const OF_DOCUMENT = ['id', 'ariaDescribedBy', 'ariaLabelledBy', 'htmlFor', 'headers']
const LOOKALIKES = new Map([
  ['h1', 'h2'],
  ['del', 's'],
  ['ins', 'u'],
])

function isPermalink(node: ElementContent): boolean {
  return node.type === 'element' && classesOf(node).includes('anchor')
}

/** A common part of two lists, followed by the items that only one of them has. */
type Part<Item> = { same: readonly Item[]; old: readonly Item[]; current: readonly Item[] }

function differences<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string) {
  const parts: Part<Item>[] = []
  const changes = diffArrays(before.map(keyOf), after.map(keyOf), { maxEditLength: MAX_EDITS })
  if (!changes) return [{ same: [], old: before, current: after }]
  let [from, to] = [0, 0]
  let part: Part<Item> = { same: [], old: [], current: [] }
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      parts.push(part)
      part = { same: after.slice(to, to + count), old: [], current: [] }
    } else if (removed) part = { ...part, old: before.slice(from, from + count) }
    else part = { ...part, current: after.slice(to, to + count) }
    if (!added) from += count
    if (!removed) to += count
  }
  return [...parts, part]
}

/** Finding the shortest edit takes quadratic time. */
const MAX_EDITS = 1000

function* mergeLists(
  before: readonly ElementContent[],
  after: readonly ElementContent[],
  within: Within,
): Generator<Compared> {
  for (const { same, old: removed, current } of differences(before, after, serialize)) {
    const old = [...removed]
    for (const node of same) yield { node, isChanged: false }
    let fresh: Compared[] = []
    for (const node of current) {
      const at = old.slice(0, MAX_AHEAD).findIndex(each => isVersion(each, node, within.words))
      const merged = at === -1 ? undefined : mergeBlocks(old[at], node, within)
      if (!merged) fresh.push(markBlock(node, 'ins'))
      else {
        yield* old
          .splice(0, at + 1)
          .slice(0, -1)
          .map(gone => markBlock(gone, 'del'))
        yield* [...fresh, merged]
        fresh = []
      }
    }
    yield* [...old.map(gone => markBlock(gone, 'del')), ...fresh]
  }
}

/** The number of removed blocks among which a block looks for its earlier version. */
const MAX_AHEAD = 20

function serialize(node: ElementContent): string {
  return toHtml(node)
}

/** Whether a block is probably the later version of another: parts that a block has once, or with many of its words. */
function isVersion(before: ElementContent, after: ElementContent, words: Intl.Segmenter): boolean {
  if (before.type !== 'element' || !isElement(after, before.tagName)) return false
  if (SINGLE.has(after.tagName)) return true
  const [old, current] = [wordsOf(before, words), wordsOf(after, words)]
  return old.intersection(current).size >= MIN_SHARED * Math.min(old.size, current.size)
}

const SINGLE = new Set(['thead', 'tbody', 'tfoot', 'caption', 'figcaption', 'summary', 'th', 'td'])
const MIN_SHARED = 0.4

const sets = new WeakMap<Element, Set<string>>()

function wordsOf(block: Element, words: Intl.Segmenter): Set<string> {
  const cached = sets.get(block)
  if (cached) return cached
  const segments = words.segment(textOf(block, MAX_COMPARED))
  const set = new Set(Array.from(segments, ({ segment, isWordLike }) => (isWordLike ? segment : '')))
  sets.set(block, set)
  return set
}

/** The characters of a block that decide which block it was. */
const MAX_COMPARED = 2000

/** A block with the marks of what differs from its earlier version; undefined if it must be shown next to it. */
function mergeBlocks(before: ElementContent | undefined, after: ElementContent, within: Within): Compared | undefined {
  if (before?.type !== 'element' || after.type !== 'element') return undefined
  if (isMade(after)) return { node: after, isChanged: false }
  if (ATOMS.has(after.tagName)) return undefined
  const { words, depth } = within
  if (depth > MAX_DEPTH || (after.tagName === 'a' && shellOf(before) !== shellOf(after))) return undefined
  if (isText(before) && isText(after)) {
    const { children, isChanged } = mergeWords(before, after, words)
    return { node: { ...after, children }, isChanged }
  }
  const [old, current] = [partsOf(before), partsOf(after)]
  const deeper = { words, depth: depth + 1 }
  if (after.tagName === 'tr' && old.length !== current.length) return undefined
  const parts =
    after.tagName === 'tr'
      ? current.map((cell, at) => mergeBlocks(old[at], cell, deeper) ?? { node: cell, isChanged: false })
      : [...mergeLists(old, current, deeper)]
  const isChanged = parts.some(part => part.isChanged)
  return { node: { ...after, children: parts.map(({ node }) => node) }, isChanged }
}

const MAX_DEPTH = 12

/** Whether the website makes an element of the guide's styles, whose changes are shown on their own. */
function isMade(node: Element): boolean {
  return node.tagName === 'svg' || classesOf(node).some(name => name === 'tiles' || name === 'proportions')
}

function partsOf({ children }: Element): ElementContent[] {
  return children.filter(child => !isBlank(child))
}

/** Elements that are compared as a whole. */
const ATOMS = new Set(['img', 'picture', 'video', 'audio', 'svg', 'hr', 'br', 'wbr', 'input', 'button'])
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var'.split(' '),
)

/** Whether an element contains only text, elements in lines of text, and pictures. */
function isText({ children }: Element): boolean {
  return children.every(
    child => child.type !== 'element' || ATOMS.has(child.tagName) || (INLINE.has(child.tagName) && isText(child)),
  )
}

type Mark = 'ins' | 'del'

/** A block whose whole text is new or removed. Removed links have no target. */
function markBlock(node: ElementContent, mark: Mark): Compared {
  return { node: withMark(node, mark), isChanged: true }
}

function withMark(node: ElementContent, mark: Mark): ElementContent {
  if (isBlank(node) || (node.type === 'element' && UNMARKED.has(node.tagName))) return node
  if (node.type !== 'element' || ATOMS.has(node.tagName)) return element(mark, {}, node)
  const { href: _, ...unlinked } = node.properties
  const properties = mark === 'del' ? unlinked : node.properties
  return { ...node, properties, children: node.children.map(child => withMark(child, mark)) }
}

const UNMARKED = new Set(['button', 'br', 'hr', 'wbr', 'col', 'colgroup'])

/** A word, the space between two, or an atom, with the elements around it, outermost first. */
type Token = { node: ElementContent; around: readonly Element[]; key: string }

function mergeWords(before: Element, after: Element, words: Intl.Segmenter) {
  const [old, current] = [tokensOf(before, words), tokensOf(after, words)]
  const parts = differences(old, current, ({ key }) => key)
  const same = parts.flatMap(part => part.same)
  const isOther = lengthOf(same) < MIN_SAME * Math.max(lengthOf(old), lengthOf(current))
  const line = openLine()
  for (const part of isOther ? [{ same: [], old, current }] : withoutGaps(parts)) {
    for (const token of part.same) line.add(token)
    for (const token of part.old) line.add(token, 'del')
    for (const token of part.current) line.add(token, 'ins')
  }
  return { children: line.children, isChanged: parts.some(part => part.old.length + part.current.length > 0) }
}

/** With fewer words in common, the old words precede the new ones. */
const MIN_SAME = 0.25

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { node }) => sum + (node.type === 'text' ? node.value.trim().length : 1), 0)
}

/** A space between two changes belongs to both, so that a changed phrase is marked as one. */
function withoutGaps(parts: readonly Part<Token>[]): Part<Token>[] {
  const joined: Part<Token>[] = []
  for (const part of parts) {
    const { same, old, current } = part
    const last = joined.at(-1)
    const isGap = same.length > 0 && same.every(({ node }) => isBlank(node))
    if (last && isGap && [last, part].every(each => each.old.length > 0 && each.current.length > 0))
      joined.splice(-1, 1, {
        same: last.same,
        old: [...last.old, ...same, ...old],
        current: [...last.current, ...same, ...current],
      })
    else joined.push(part)
  }
  return joined
}

function tokensOf(block: Element, words: Intl.Segmenter): Token[] {
  const tokens: Token[] = []
  const add = (node: ElementContent, around: readonly Element[], key: string) => {
    if (node.type === 'element' && !ATOMS.has(node.tagName))
      for (const child of node.children) add(child, [...around, node], key + shellOf(node))
    else if (node.type !== 'text')
      tokens.push({ node, around, key: key + (isElement(node, 'svg') ? 'svg' : serialize(node)) })
    else
      for (const { segment } of words.segment(node.value))
        tokens.push({ node: { type: 'text', value: segment }, around, key: `${key} ${segment.trim()}` })
  }
  for (const child of block.children) add(child, [], '')
  return tokens
}

const shells = new WeakMap<Element, string>()

/** An element without its content. */
function shellOf(node: Element): string {
  const shell = shells.get(node) ?? toHtml({ ...node, children: [] })
  shells.set(node, shell)
  return shell
}

const MARKS = { ins: element('ins', {}), del: element('del', {}) }

/** Puts tokens together again, within the elements around them. */
function openLine() {
  const children: ElementContent[] = []
  let open: { shell: string; node: Element }[] = []
  const add = ({ node, around }: Token, mark?: Mark) => {
    const path = [...around, ...(mark ? [MARKS[mark]] : [])].map(node => ({ shell: shellOf(node), node }))
    const end = path.findIndex(({ shell }, at) => open[at]?.shell !== shell)
    open = open.slice(0, end === -1 ? path.length : end)
    for (const { shell, node } of path.slice(open.length)) {
      const inner = { ...node, children: [] }
      ;(open.at(-1)?.node.children ?? children).push(inner)
      open.push({ shell, node: inner })
    }
    const line = open.at(-1)?.node.children ?? children
    const last = line.at(-1)
    if (node.type === 'text' && last?.type === 'text') last.value += node.value
    else line.push(node)
  }
  return { children, add }
}
