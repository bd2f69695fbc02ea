import type { Root, RootContent } from 'hast'
import type { Root as Markdown } from 'mdast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { Html } from '../html.ts'
import { enhance } from './enhance.ts'
import { type Heading, numberHeadings } from './page-headings.ts'
import type { Picture } from './page-pictures.ts'
import { elementsOf, isBlank, textOf } from './page-tree.ts'
import { expansion } from './reference-expansion.ts'
import { SAFE_LIST } from './safe-list.ts'

/** A page as it stands in its layout. */
export type RenderedPage = {
  html: Html
  /** The first thousand of them: a list of more helps no reader, and takes long to make. */
  headings: readonly Heading[]
  /** Its first heading of level 1: where in the HTML it ends, and whether the page begins with it. */
  title?: { end: number; text: string; isFirst: boolean }
  /** The plain text of its first paragraph, cut at a word; empty where there is none. */
  excerpt: string
}

/**
 * Makes safe HTML of a page's Markdown (CommonMark and GFM), which may be anybody's. It blocks for milliseconds, or
 * for many seconds where the text is made for that: on a request's way, ask a `Renderer`.
 *
 * @param text with addresses in its relative links
 * @param pictures what is known of our own pictures, by the address that the text has
 * @throws at text that is nested too deeply, or that would grow far beyond its size
 */
export function renderMarkdown(text: string, pictures: ReadonlyMap<string, Picture>): RenderedPage {
  const tree = sanitizedTree(htmlTree(text))
  const headings = numberHeadings(tree)
  const paragraph = tree.children.find(node => node.type === 'element' && node.tagName === 'p' && textOf(node) !== '')
  const excerpt = paragraph ? cutAtWord(textOf(paragraph)) : ''
  const own = tree.children.find(node => node.type === 'element' && node.tagName === 'h1')
  const name = own ? textOf(own, MAX_TITLE) : ''
  enhance(tree, headings, pictures)
  const title = own && { ...placeOf(own, tree), text: name }
  const html = new Html(htmlText(tree))
  return { html, headings: headings.slice(0, MAX_LISTED), excerpt, ...(title && { title }) }
}

function placeOf(node: RootContent, tree: Root): { end: number; isFirst: boolean } {
  const upTo = tree.children.slice(0, tree.children.indexOf(node) + 1)
  return { end: htmlText({ ...tree, children: upTo }).length, isFirst: upTo.slice(0, -1).every(isBlank) }
}

/** What a page says, as the tree that a browser would make of it: the HTML in it is not to be trusted. */
export function htmlTree(text: string): Root {
  const markdown: Markdown = reader.parse(text)
  if (expansion(markdown) > text.length + EXPANSION)
    throw new RangeError('its references would make it many times larger')
  return htmlMaker.runSync(markdown)
}

/** The part of a tree that is on the safe list. */
export function sanitizedTree(tree: Root): Root {
  return sanitizer.runSync(tree)
}

/** A tree as text; every text and attribute is escaped. */
export function htmlText(tree: Root): string {
  return writer.stringify(tree)
}

/** How much longer than itself a page may become by what it refers to again and again. */
const EXPANSION = 100_000

const MAX_LISTED = 1000
/** No name of a page is longer. */
const MAX_TITLE = 1000
const MAX_EXCERPT = 200

const reader = unified().use(remarkParse).use(remarkGfm).freeze()
// The sanitiser puts a prefix before all ids, so those of footnotes get none here.
const htmlMaker = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabelProperties: {} })
  .use(() => keepFirstLines)
  .use(rehypeRaw)
  .freeze()
const sanitizer = unified().use(rehypeSanitize, SAFE_LIST).freeze()
const writer = unified().use(rehypeStringify).freeze()

/** rehype-raw takes the first line end in `<pre><code>` for one right behind `<pre>`, which HTML leaves out. */
function keepFirstLines(tree: Root): void {
  for (const pre of elementsOf(tree)) {
    const code = pre.tagName === 'pre' ? pre.children[0] : undefined
    const text = code?.type === 'element' ? code.children[0] : undefined
    if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`
  }
}

function cutAtWord(text: string): string {
  if (text.length <= MAX_EXCERPT) return text
  const start = text.slice(0, MAX_EXCERPT)
  const end = start.lastIndexOf(' ')
  return `${start.slice(0, end > 0 ? end : MAX_EXCERPT).toWellFormed()}…`
}
