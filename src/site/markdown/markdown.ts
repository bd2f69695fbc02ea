import type { Element, Root, RootContent } from 'hast'
import type { Root as Markdown, Nodes } from 'mdast'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { SAFE_LIST } from '#brand/markdown/safe-list.ts'
import { splitHeading } from '#formats/markdown/heading-ids.ts'
import { htmlMaker, markdownParser } from '#formats/markdown/markdown-tree.ts'
import { mayHaveTags } from '#formats/markdown/template-tags.ts'
import { joinLines } from '#formats/markdown/unspaced-scripts.ts'
import { perObject } from '#platform/base/object.ts'
import { singleSpaced } from '#platform/base/text.ts'
import { element } from '../cards/element.ts'
import { ENGLISH, EnglishText, Html } from '../html.ts'
import { type Words, wordsFor } from '../words/words.ts'
import { shorterAddresses } from './bare-addresses.ts'
import { composePage, pageBlocks } from './composition.ts'
import { enhance, type PageDetails } from './enhance.ts'
import { elementsOf, isBlank, isElement, textOf } from './hast.ts'
import { withoutBoxedCode, withoutTemplateTags } from './left-out-tags.ts'
import { assignHeadingIds, type Heading, headingLevel, isFootnoteHeading } from './page-headings.ts'
import { passagesOf } from './passages.ts'

/** A page as safe HTML, with the values that the layout needs. */
export type RenderedPage = {
  /** Its level-1 heading; undefined if none is its title, so that the layout must show its name. */
  title?: Html
  /** The content after the title. */
  html: Html
  /** The first thousand headings, with the title: a longer list does not help readers and takes long to make. */
  headings: readonly Heading[]
  /** The first paragraph as plain text, cut at a word; empty if there is none. */
  excerpt: string
  /** Whether it shows type styles of the guide, which require the guide's fonts. */
  hasTypeSamples: boolean
  /** Whether parts of it extend beyond the reading width, so that its list of headings is above it. */
  isComposed: boolean
}

/**
 * Renders a page's Markdown (CommonMark and GFM), which may be hostile, as safe HTML. It blocks for milliseconds, or
 * for many seconds on malicious input: to answer a request, use a `Renderer`.
 *
 * @param text Markdown with addresses in its relative links
 * @throws if the Markdown is nested too deeply, or would expand far beyond its size
 */
export function renderMarkdown(text: string, context: PageDetails): RenderedPage {
  const { tree, title, headings, ...page } = pageTree(text, context)
  if (context.isGrid) tree.children = passagesOf(tree.children.filter(node => node !== title))
  const html = new Html(htmlText({ ...tree, children: tree.children.filter(node => node !== title) }))
  const rendered = { html, headings: headings.slice(0, MAX_HEADINGS), ...page }
  return title ? { title: new Html(htmlText({ type: 'root', children: [title] })), ...rendered } : rendered
}

/**
 * The tree of a page as shown. `title` is in it. First finds and removes what repeats the layout, then reads headings and
 * excerpt, while they contain only what their author wrote; the last two steps move blocks and add elements of ours.
 */
export function pageTree(text: string, context: PageDetails) {
  const words = wordsFor(context.lang)
  const tree = sanitizedTree(htmlTree(withoutForeignCode(text), words))
  const outerBlocks = new Set<unknown>(tree.children)
  tree.children = pageBlocks(tree, context.isGrid).filter(node => !isEmptyHeading(node))
  const title = titleOf(tree, context.name, outerBlocks)
  removeRepeatedLead(tree, title, context.lead)
  if (context.palette !== undefined) addPalette(tree, context.palette, `${words.sections.colors}`)
  const headings = assignHeadingIds(tree)
  const excerpt = excerptOf(tree)
  const isComposed = composePage(tree, title, context)
  const hasTypeSamples = enhance(tree, headings, context, words)
  return { tree, title, headings, excerpt, hasTypeSamples, isComposed }
}

/** Markdown without tags of other systems, and without indentation that makes code of the ends of HTML boxes. */
function withoutForeignCode(text: string): string {
  const untagged = mayHaveTags(text) ? withoutTemplateTags(text, parser.parse(text)) : text
  return BOXED.test(untagged) ? withoutBoxedCode(untagged, parser.parse(untagged)) : untagged
}

/** Removes the first paragraph after the title if it has no more than the description above the page. */
function removeRepeatedLead(tree: Root, title: Element | undefined, lead: string | undefined): void {
  const [first] = tree.children.filter(node => node !== title && !isBlank(node))
  if (isElement(first, 'p') && repeats(first, lead)) tree.children = tree.children.filter(node => node !== first)
}

function excerptOf(tree: Root): string {
  const paragraph = tree.children.find(node => isElement(node, 'p') && textOf(node) !== '')
  return paragraph ? cutAtWord(textOf(paragraph)) : ''
}

/** The end of a box in what may be code. */
const BOXED = /^(?: {4}|\t)[ \t]*<\/\w+>/m

/** Whether a paragraph has no more than the description above it. */
function repeats(paragraph: Element, lead: string | undefined): boolean {
  const isLinked = elementsOf(paragraph).some(each => isElement(each, 'a', 'img'))
  return !isLinked && lead !== undefined && withoutStop(textOf(paragraph)) === withoutStop(lead)
}

function withoutStop(text: string): string {
  return singleSpaced(text).replace(/[.。]$/, '')
}

/** Adds the palette to the introduction of a page, as a link that becomes a card. */
function addPalette(tree: Root, href: string, name: string): void {
  const at = tree.children.findIndex(node => node.type === 'comment' || isElement(node, 'h2', 'h3'))
  tree.children.splice(at < 0 ? tree.children.length : at, 0, element('p', {}, element('a', { href }, name)))
}

/** A line of only `#`. */
function isEmptyHeading(node: RootContent): boolean {
  return node.type === 'element' && node.children.length === 0 && headingLevel(node) !== undefined
}

const MAX_HEADINGS = 1000

function cutAtWord(text: string): string {
  if (text.length <= MAX_EXCERPT) return text
  const start = text.slice(0, MAX_EXCERPT)
  const end = start.lastIndexOf(' ')
  return `${start.slice(0, end > 0 ? end : MAX_EXCERPT).toWellFormed()}…`
}

const MAX_EXCERPT = 200

/** The HTML tree of Markdown, as a browser would build it; its HTML is not sanitised. */
export function htmlTree(text: string, words: Words = wordsFor('en')): Root {
  const markdown: Markdown = parser.parse(text)
  if (referenceExpansion(markdown) > text.length + MAX_EXPANSION)
    throw new RangeError('its references would make it many times larger')
  joinTexts(markdown)
  return makerFor(words).runSync(markdown)
}

/** Joins the lines of Chinese and Japanese text, also next to emphasis and links. */
function joinTexts(tree: Markdown): void {
  const leaves: Nodes[] = []
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (!('children' in node)) leaves.push(node)
    else for (const child of node.children.toReversed()) nodes.push(child)
  }
  // Joins the strings of all nodes with NUL, which no tree contains. HTML counts as nothing, and other nodes, such as
  // pictures and line breaks, as a full stop.
  const texts = leaves.map(node => (node.type === 'html' ? '' : 'value' in node ? node.value : '.'))
  const joined = joinLines(texts.join('\0')).split('\0')
  for (const [at, node] of leaves.entries()) if (node.type === 'text') node.value = joined[at] ?? ''
}

export function sanitizedTree(tree: Root): Root {
  return sanitizer.runSync(tree)
}

/** Serialises a tree; escapes all strings and attributes. */
export function htmlText(tree: Root): string {
  return serializer.stringify(tree)
}

/** The maximum number of characters that references may add to a page. */
const MAX_EXPANSION = 100_000

const parser = markdownParser(shorterAddresses)

/** The sanitiser adds a prefix to all ids, so footnote ids get none here. */
const makerFor = perObject(({ pages }: Words) => {
  const options = {
    clobberPrefix: '',
    footnoteLabel: `${pages.footnotes}`,
    footnoteLabelProperties: pages.footnotes instanceof EnglishText ? ENGLISH : {},
    footnoteBackLabel: (at: number, again: number) =>
      `${pages.toReference({ footnote: again > 1 ? `${at + 1}-${again}` : `${at + 1}` })}`,
  }
  return htmlMaker(options, keepFirstLineFeed)
})

const sanitizer = unified().use(rehypeSanitize, SAFE_LIST).freeze()
const serializer = unified().use(rehypeStringify).freeze()

/** HTML drops the line feed right after `<pre>`, and rehype-raw also drops the first one in `<pre><code>`. */
function keepFirstLineFeed(tree: Root): void {
  for (const pre of elementsOf(tree)) {
    const code = pre.tagName === 'pre' ? pre.children[0] : undefined
    const text = code?.type === 'element' ? code.children[0] : undefined
    if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`
  }
}

/**
 * The number of characters that a page gains when its references are expanded: a long address with a hundred thousand
 * references would make a page of gigabytes. Walks without recursion, because pages may be nested deeply.
 */
function referenceExpansion(tree: Markdown): number {
  const sizes = new Map<string, number>()
  const references: string[] = []
  const nodes: Nodes[] = [tree]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ('children' in node) for (const child of node.children) nodes.push(child)
    if (node.type === 'linkReference' || node.type === 'imageReference') references.push(node.identifier)
    if (node.type === 'definition') {
      const size = node.url.length + (node.title?.length ?? 0)
      sizes.set(node.identifier, Math.max(size, sizes.get(node.identifier) ?? 0))
    }
  }
  return references.reduce((sum, identifier) => sum + (sizes.get(identifier) ?? 0), 0)
}

/**
 * The title of a sanitised page: its first level-1 heading, if it is the page name, or if its author wrote it outside of
 * boxes and only pictures precede it. Undefined if the layout must show the name above the page. A page has one level-1
 * heading: if there are others, all headings except the title are lowered by one level, in place.
 */
function titleOf(tree: Root, name: string, written: ReadonlySet<unknown>): Element | undefined {
  const at = tree.children.findIndex(node => node.type === 'element' && node.tagName === 'h1')
  const heading = tree.children[at]
  const isFirst = written.has(heading) && tree.children.slice(0, at).every(node => textOf(node, MAX_TITLE) === '')
  const isName = heading && splitHeading(textOf(heading, MAX_TITLE)).text === name
  const title = heading?.type === 'element' && (isFirst || isName) ? heading : undefined
  const otherElements = elementsOf(tree).filter(element => element !== title && !isFootnoteHeading(element))
  const levels = otherElements.map(headingLevel)
  if (levels.includes(1))
    for (const [at, element] of otherElements.entries()) {
      const level = levels[at]
      if (level !== undefined) element.tagName = `h${Math.min(level + 1, 6)}`
    }
  return title
}

/** Longer than any page name. */
const MAX_TITLE = 1000
