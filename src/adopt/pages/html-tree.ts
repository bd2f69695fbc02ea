import type { Element, ElementContent, Nodes, Parents, Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import type { State } from 'hast-util-to-mdast'
import type { ImageReference, Nodes as Markdown, Yaml } from 'mdast'
import { SAFE_ELEMENTS } from '#brand/markdown/dropped-html.ts'
import type { CssDeclaration } from '#formats/css/rules.ts'
import type { Variables } from '#formats/css/variables.ts'
import { parseHtmlTree } from '#formats/html/html-tree.ts'
import { attempt } from '#platform/base/result.ts'
import { anyOf, escapeHtml, singleSpaced, wordSet, wordTable } from '#platform/base/text.ts'
import type { DocumentContent, ValueTable } from '../document.ts'
import { REDIRECTION } from '../sources/generators/page-signs.ts'

/** A declaration of a rule; one with a higher number in the order wins. */
type ClassDeclaration = CssDeclaration & { order: number; isImportant: boolean }

/** A page while it is converted. */
export type HtmlPage = Pick<DocumentContent, 'notes'> & {
  pictures: { name: string; bytes: Uint8Array }[]
  tables: ValueTable[]
  /** Whether it has a title above its first headings, as documents have. */
  hasTitle: boolean
  /** In characters. A longer one is content: the front page of a guide may have only links. */
  longestMenu: number
  /** Whether the first row of a table is its header although nothing says so, as in documents. */
  isDocument: boolean
  /** The declarations of its style sheet by class. */
  styles: ReadonlyMap<string, readonly ClassDeclaration[]>
  /** The values of its style sheet for the root, by variable. */
  variables: Variables
  /** The ids that its links name. */
  targets: ReadonlySet<string>
  /** The colours that are reported, each once. */
  reported: Set<string>
  /** Its only heading of the first level. */
  onlyHeading: Element | undefined
  /** The nodes beside its main content. */
  around: ReadonlySet<Nodes | undefined>
  /** Its lists of links, one of which leads to the page itself. */
  localMenus: ReadonlySet<Element>
  /** Whether readers never see an element. */
  isHidden: (element: Element) => boolean
  note: (kind: 'lost' | 'hidden' | 'offPage' | 'converted', node: Nodes, what: string, text: string) => void
  guessed: (key: string, value: string, why: string) => void
}

/** The place of an element, and the usual conversion of elements there. */
export type Place = {
  page: HtmlPage
  state: State
  parent: Parents | undefined
  usually: (element: Element) => Markdown[]
}

/**
 * Parses HTML, also a part of a page.
 *
 * @throws {Error} if it has too many elements, also in each other, or attributes
 */
export function parseHtml(source: string, isFragment = false): Root {
  return parseHtmlTree(source, LIMITS, isFragment)
}

/** Parses a part of a page: an empty tree if it is too large. */
export function parseFragment(source: string): Root {
  return attempt(() => parseHtml(source, true)) ?? { type: 'root', children: [] }
}

/** The later steps call themselves for each level, and need seconds for more elements. */
const LIMITS = { elements: 50_000, attributes: 100_000, depth: 300 }

/** The style sheets inside a page, each on its lines. */
export function sheetOf(tree: Root): string {
  const texts = elementsNamed(tree, 'style')
    .flatMap(({ children }) => children)
    .filter(child => child.type === 'text')
  return texts.reduce((sheet, text) => {
    const missing = lineOf(text) - sheet.split('\n').length
    return sheet + '\n'.repeat(Math.max(0, missing)) + text.value
  }, '')
}

/** The line of a node in the source; 1 if unknown. */
export function lineOf(node: Pick<Nodes, 'position'> | undefined): number {
  return node?.position?.start.line ?? 1
}

/** The line in the source of a line of a page that was made from it. */
export function sourceLine(lines: readonly number[], line: number): number {
  return lines[line - 1] ?? 1
}

export function childrenOf(node: Nodes): readonly RootContent[] {
  return 'children' in node ? node.children : []
}

export function childElements(node: Nodes): Element[] {
  return childrenOf(node).filter(child => child.type === 'element')
}

/** The elements in a node, in page order. */
export function* elementsIn(node: Nodes): Generator<Element> {
  const waiting = childElements(node).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    waiting.push(...childElements(next).reverse())
  }
}

/** The first element with a name. */
export function findTag(node: Nodes, name: string): Element | undefined {
  return elementsIn(node).find(({ tagName }) => tagName === name)
}

/** All elements with a name. */
export function elementsNamed(node: Nodes, name: string): Element[] {
  return [...elementsIn(node)].filter(({ tagName }) => tagName === name)
}

/** A copy of nodes, also of those inside, with others instead of the elements that are replaced. */
export function replaceElements(
  nodes: readonly ElementContent[],
  replace: (element: Element) => readonly ElementContent[] | undefined,
): ElementContent[] {
  return nodes.flatMap(node => {
    if (node.type !== 'element') return node
    return replace(node) ?? { ...node, children: replaceElements(node.children, replace) }
  })
}

/** The first of these attributes that is not empty, by the names of their properties, such as `className`; else empty. */
export function attribute(node: Nodes | undefined, ...names: readonly string[]): string {
  const properties = propertiesOf(node)
  return names.map(name => valueText(properties[name])).find(value => value !== '') ?? ''
}

/** The text of an attribute, also of one that has a list of words. */
function valueText(value: Element['properties'][string]): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}

/** The words of an attribute, such as its classes. */
export function wordsOfAttribute(node: Nodes | undefined, name: string): string[] {
  return attribute(node, name)
    .split(/\s+/)
    .filter(word => word !== '')
}

/** The attributes of an element and of those in it that are not empty, of each the first one of these. */
export function attributesIn(element: Element, ...names: readonly string[]): string[] {
  return [element, ...elementsIn(element)].map(each => attribute(each, ...names)).filter(value => value !== '')
}

function propertiesOf(node: Nodes | undefined): Element['properties'] {
  return elementOf(node).properties
}

/** The name of an element; empty for other nodes. */
export function tagOf(node: Nodes | undefined): string {
  return elementOf(node).tagName
}

/** An element; an empty one for other nodes. */
export function elementOf(node: Nodes | undefined): Element {
  return node?.type === 'element' ? node : NO_ELEMENT
}

const NO_ELEMENT: Element = { type: 'element', tagName: '', properties: {}, children: [] }

export function isMostlyLinks(element: Element): boolean {
  const links = elementsNamed(element, 'a')
  return links.reduce((sum, each) => sum + plainText(each).length, 0) > plainText(element).length / 2
}

/** The text of a node on one line. */
export function plainText(node: Nodes | undefined): string {
  return node ? singleSpaced(rawText(node)) : ''
}

/** The text of a node, with a line for each block in it that has text, and for each line break. */
export function linesOf(node: Nodes): string[] {
  const lines = rawText(node, '\0').split('\0').map(singleSpaced)
  return lines.filter(line => line !== '')
}

/** The text of a node with its line ends, and a sign at those of its blocks. */
export function rawText(node: Nodes, end = ' '): string {
  if (node.type === 'text') return node.value
  const { content = node } = node.type === 'element' ? node : {}
  const text = childrenOf(content)
    .map(child => rawText(child, end))
    .join('')
  return INLINE.has(tagOf(node)) ? text : end + text + end
}

/** The names of elements that are in a line with those around them, and that of other nodes. */
const INLINE = new Set([
  '',
  ...wordSet(`a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time u var`),
])

/** Everything that a node says, also in its attributes, on one line. */
export function wordsOf(node: Nodes): string {
  const said = [node, ...elementsIn(node)].flatMap(each => WORDED.map(name => attribute(each, name)))
  return [...said, plainText(node)].filter(each => each !== '').join(' ')
}

const WORDED = ['title', 'ariaLabel', 'alt', 'placeholder', 'value', 'src', 'data']

/** HTML in a phrase. The library takes `html` for a block in some places, and never makes references to pictures. */
export function html(label: string): ImageReference {
  return { type: 'imageReference', identifier: '', referenceType: 'full', label }
}

/** HTML on its own lines. The library takes `html` for a part of a phrase in others, and never makes front matter. */
export function block(value: string): Yaml {
  return { type: 'yaml', value }
}

/** An element as HTML that the website shows, without empty lines, which would end it in Markdown. */
export function safeHtml(element: Element): string {
  const written = toHtml(safe(element), { closeSelfClosing: true })
  return written
    .replace(LINE_TAGS, '\n')
    .replace(/\n(?=[^\S\n]*\n)/g, '\n&#10;')
    .trim()
}

/** The tags that begin a line. */
const LINE_TAGS = new RegExp(
  String.raw`(?=<${anyOf([...wordSet('tr li dt dd thead tbody /table /ul /ol /dl /thead /tbody')])}\b)`,
  'g',
)
const NO_TEXT = wordSet('col colgroup style')

function safe(node: ElementContent): ElementContent[] {
  if (node.type === 'text') return [node]
  if (node.type !== 'element' || NO_TEXT.has(node.tagName)) return []
  const children = node.children.flatMap(safe)
  const entries = Object.entries(node.properties).filter(([name]) => KEPT.has(name))
  const properties: Element['properties'] = Object.fromEntries(entries)
  const name = node.tagName === 'a' ? attribute(node, 'name') : ''
  if (name !== '') Object.assign(properties, { id: name })
  if ('href' in properties) Object.assign(properties, { href: addressOf(node) })
  const isPlain = node.tagName === 'span' && entries.length === 0
  if (isPlain || !SAFE_ELEMENTS.includes(node.tagName)) return children
  return [{ ...node, properties, children }]
}

const KEPT = new Set(
  'id href src alt title colSpan rowSpan scope width height open start type value cite lang dir dateTime controls'.split(
    ' ',
  ),
)

/** Markdown as a part of HTML, which arrives on its page as it is. */
export function markdownInHtml(text: string): string {
  return `<pre class="${MARKDOWN_CLASS}">${escapeHtml(text)}</pre>`
}

export const MARKDOWN_CLASS = 'adopted-markdown'

/** The address of a link, without a redirection. */
export function addressOf(element: Element): string {
  const href = attribute(element, 'href')
  const [, query = ''] = href.split(REDIRECTION)
  return new URLSearchParams(query).get('q') || href
}

/** The address of a picture, which pages that load it later have in other attributes. */
export function pictureAddress(element: Element): string {
  const [src, sources] = [attribute(element, 'src'), attribute(element, 'srcSet', 'dataSrcset')]
  const whole = attribute(element, 'dataImageSrc')
  const later = attribute(element, 'dataSrc', 'dataLazySrc', 'dataOriginal')
  const addresses = [whole, withoutData(src), later, ...sources.split(/[\s,]/).slice(0, 1), src]
  return addresses.find(each => each !== '') ?? ''
}

/** The address of a picture. One that is in the page itself becomes one of its pictures. */
export function sourceOf(element: Element, page: HtmlPage): string {
  const source = pictureAddress(element)
  const [type = '', data = ''] = source.split(';base64,')
  const format = FORMATS.get(type)
  return format === undefined ? withoutData(source) : addPicture(page, format, Buffer.from(data, 'base64'))
}

function withoutData(address: string): string {
  return address.startsWith('data:') ? '' : address
}

const FORMATS = wordTable([
  ['png', 'data:image/png'],
  ['jpeg', 'data:image/jpeg'],
  ['gif', 'data:image/gif'],
  ['webp', 'data:image/webp'],
  ['svg', 'data:image/svg+xml'],
])

/** Makes a file of a picture in a page, one for equal ones, and gives its address. */
export function addPicture({ pictures }: HtmlPage, format: string, bytes: Buffer): string {
  const equal = pictures.find(picture => bytes.equals(picture.bytes))
  const { name } = equal ?? { name: `picture-${pictures.length + 1}.${format}` }
  if (!equal) pictures.push({ name, bytes })
  return `/@media/${name}`
}
