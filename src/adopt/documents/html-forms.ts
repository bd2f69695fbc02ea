import type { Element, ElementContent } from 'hast'
import { defaultHandlers, type Handle } from 'hast-util-to-mdast'
import type { Nodes as Markdown, PhrasingContent } from 'mdast'
import { filename } from '#brand/file.ts'
import { headingIds, splitHeading } from '#formats/markdown/heading-ids.ts'
import { anyOf, groupsOf, wordSet } from '#platform/base/text.ts'
import { alertKind } from '../pages/components.ts'
import { cellsOf, gridOfHtml, spanOf } from '../pages/grid.ts'
import {
  addressOf,
  attribute,
  attributesIn,
  block,
  childElements,
  elementOf,
  elementsIn,
  elementsNamed,
  findTag,
  type HtmlPage,
  html,
  lineOf,
  MARKDOWN_CLASS,
  type Place,
  plainText,
  rawText,
  replaceElements,
  safeHtml,
  tagOf,
} from '../pages/html-tree.ts'
import { find, isHeading, type Signs, signed, signsOf } from '../pages/signs.ts'
import { ALERT_TITLES, ALERTS, GENERATED_IDS, PANEL_PARTS } from '../sources/generators/page-signs.ts'
import { has, is, not } from './predicates.ts'
import { twinExamples } from './twin-examples.ts'

/** Gives the Markdown of an element; undefined: the library converts it by its tag, as usual. */
type Form = (element: Element, place: Place) => Markdown[] | Markdown | undefined
type Condition = (part: Place & { element: Element; signs: Signs }) => boolean

/** Handlers for all elements, which report what they leave out. */
export function handlersOf(page: HtmlPage): Record<string, Handle> {
  const handle =
    (usual: Handle): Handle =>
    (state, element, parent) => {
      const usually = (each: Element) => [usual(state, each, parent) ?? []].flat()
      const place = { page, state, parent, usually }
      const part = { ...place, element, signs: signsOf(element) }
      const [form] = FORMS.find(([, ...conditions]) => conditions.every(holds => holds(part))) ?? [usually]
      const markdown = form(element, place) ?? usually(element)
      let { position } = element
      return [markdown].flat().map(node => {
        position = node.position ?? position
        return Object.assign(node, { position })
      })
    }
  return Object.fromEntries(Object.entries<Handle>(defaultHandlers).map(([name, usual]) => [name, handle(usual)]))
}

const ALERT_BOX = is('div aside section figure details p')
/** Elements that cannot be in a phrase. */
const BLOCKS = 'p div ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 hr figure details'
const isBlock = signed(BLOCKS)

const isDocument: Condition = ({ page }) => page.isDocument
const hasTitle: Condition = ({ page }) => page.hasTitle
const isInTable: Condition = ({ state }) => state.inTable
const isNoteSign: Condition = ({ element }) => attribute(element, 'dataAdoptedNote') !== ''
const hasOneCell: Condition = ({ element }) => cellsIn(element).length === 1
const isEmpty: Condition = ({ element }) => plainText(element) === ''
const nothing: Form = () => []

/** The forms of elements, each with its conditions. The first one holds. */
const FORMS: readonly (readonly [Form, ...Condition[]])[] = [
  [nothing, is('hr'), isDocument],
  [noteText, is('section'), is('.adopted-note')],
  [element => block(rawText(element).trim()), is(`.${MARKDOWN_CLASS}`)],
  [code, is('pre')],
  [code, is('div figure table'), is('.highlight* .codehilite .rouge .code .language-*')],
  // Other panels are boxes.
  [alert, ALERT_BOX, is('.panel'), has(PANEL_PARTS)],
  [alert, ALERT_BOX, is(ALERTS)],
  [heading, is('h1 h2 h3 h4 h5 h6')],
  [heading, is('p'), is('.title'), hasTitle],
  [noteSign, is('a'), isNoteSign],
  [link, is('a')],
  [picture, is('img')],
  [figure, is('figure')],
  // A table that only places its content.
  [cellContents, is('table'), is('@presentation')],
  [cellContents, is('table'), hasOneCell],
  [table, is('table')],
  [(element, { state }) => childElements(element).flatMap(item => state.all(item)), is('ul'), is('.toggle')],
  [media, is('video audio')],
  [listItem, is('li')],
  [frame, is('details')],
  [(element, { page }) => twinExamples(element, page), is('div section'), has('figcaption')],
  [nothing, is('dl'), isEmpty],
  [element => block(safeHtml(element)), is('dl')],
  [() => html('<br>'), is('br'), isInTable],
  [inHtml, is('sub sup kbd mark u ins small abbr samp var cite dfn bdo ruby rt rp'), not(has(BLOCKS))],
]

/** An element that Markdown lacks, such as `<kbd>`, around the Markdown of its content. */
function inHtml(element: Element, { state }: Place): Markdown[] {
  const title = attribute(element, 'title')
  const open = title === '' ? `<${element.tagName}>` : `<${element.tagName} title=${JSON.stringify(title)}>`
  return [html(open), ...state.all(element), html(`</${element.tagName}>`)]
}

/** The text of a footnote, which an earlier step has put into a section. */
function noteText(element: Element, { state }: Place): Markdown {
  const identifier = attribute(element, 'id')
  return { type: 'footnoteDefinition', identifier, label: identifier, children: state.toFlow(state.all(element)) }
}

/** A heading, with its id (`{#space}`) if its words give another; nothing if it is empty. */
function heading(element: Element, { page, state }: Place): Markdown[] | Markdown {
  // A page with a title, which is a paragraph, has it as its first level.
  const level = Number(element.tagName.slice(1)) + Number(page.hasTitle)
  const content = phrasing(state.all(element))
    .map((node): PhrasingContent => (node.type === 'break' ? { type: 'text', value: ' ' } : node))
    .flatMap(withoutBold)
  const [id = ''] = attributesIn(element, 'id')
  const text = plainText(element)
  const differs = id !== headingIds()(text)
  const isValid = !id.startsWith('_Toc') && splitHeading(`x {#${id}}`).id !== undefined
  const isWanted = page.targets.has(id) || !GENERATED_IDS.some(start => id.startsWith(start))
  if (differs && isValid && isWanted) content.push(html(` {#${id}}`))
  if (text === '' && !findTag(element, 'img')) return []
  return { type: 'heading', depth: DEPTHS[level - 1] ?? 6, children: content }
}

/** Headings and cells of a header are bold without marks. */
function withoutBold(node: PhrasingContent): PhrasingContent[] {
  return node.type === 'strong' ? node.children : [node]
}

const DEPTHS = [1, 2, 3, 4, 5, 6] as const

/** A reference to a footnote. */
function noteSign(element: Element): Markdown {
  const label = attribute(element, 'dataAdoptedNote')
  return { type: 'footnoteReference', identifier: label, label }
}

/** A link, or only its content if it leads nowhere; with an anchor if links point to it. */
function link(element: Element, { page, state, usually, parent }: Place): Markdown[] | Markdown | undefined {
  const href = attribute(element, 'href')
  const text = plainText(element)
  const hasPicture = findTag(element, 'img') !== undefined
  const name = attribute(element, 'name')
  const id = attribute(element, 'id', 'name')
  // Links of other pages may point to a name.
  const isTarget = page.targets.has(id) || (name !== '' && href === '')
  const isAnchor = isTarget && !isHeading(signsOf(parent)) && /^[\w.:-]+$/.test(id)
  const anchor = isAnchor ? [html(`<a id="${id}"></a>`)] : []
  const hasNoTarget = NO_TARGETS.has(href) || href.toLowerCase().startsWith('javascript:')
  if (hasNoTarget || (text === '' && !hasPicture)) page.note('lost', element, 'link', href)
  if (hasNoTarget) return [...anchor, ...state.all(element)]
  const withAddress = { ...element, properties: { ...element.properties, href: addressOf(element) } }
  return [...anchor, ...usually(withAddress)]
}

const NO_TARGETS: ReadonlySet<string> = new Set(['', '#'])

/** A link to a film in its own paragraph, which pages show as a player. Of several sources, the first one counts. */
function media(element: Element, { page }: Place): Markdown[] {
  const [url = '', ...otherSources] = attributesIn(element, 'src', 'dataSrc')
  const lostText = [attribute(element, 'poster'), ...otherSources, plainText(element)].join(' ').trim()
  page.note('lost', element, `<${element.tagName}>`, lostText)
  const value = attribute(element, 'title', 'ariaLabel') || filename(url)
  return url ? [{ type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value }] }] }] : []
}

function picture(element: Element, { state }: Place): Markdown {
  const url = attribute(element, 'src')
  const alt = attribute(element, 'alt', 'dataLinkedResourceDefaultAlias')
  if (url === '') return { type: 'text', value: alt }
  return { type: 'image', url: state.resolve(url), alt, title: attribute(element, 'title') || null }
}

function phrasing(nodes: readonly Markdown[]): PhrasingContent[] {
  // The library also lets blocks be in phrases, and divides them afterwards.
  return nodes.filter((node): node is PhrasingContent => node.type !== 'root')
}

/** Code with the language that any of its elements names, also in tables with numbers of lines. */
function code(element: Element, { state }: Place): Markdown[] | Markdown | undefined {
  const parts = [element, ...elementsIn(element)]
  // A table with numbers has them in its first `pre`.
  const pre = parts.findLast(({ tagName }) => tagName === 'pre')
  const isNumbered = parts.some(each => isOfNumbers(signsOf(each)))
  if (!pre || (plainText(pre) !== plainText(element) && !isNumbered)) return undefined
  const classes = parts.flatMap(each => [...signsOf(each), attribute(each, 'dataSyntaxhighlighterParams')]).join(' ')
  const languages = groupsOf(LANGUAGE, classes).slice(1)
  const properties = { className: languages.map(language => `language-${language}`) }
  const inner: Element = { type: 'element', tagName: 'code', properties, children: pre.children }
  return defaultHandlers.pre(state, { ...pre, children: [inner] })
}

const isOfNumbers = signed('.linenos .lineno .gutter')
/** `.language-css`, `.highlight-source-css` or `brush: css`, unless it says that there is none. */
const LANGUAGE = new RegExp(
  String.raw`${anyOf(['.highlight-source-', '.highlight-', '.language-', '.lang-', '.brush-', 'brush: '])}(?!${anyOf(['source-', 'default', 'text', 'plain', 'none'])})([\w+#-]+)`,
)

/** An alert of GitHub: a quote that begins with `[!NOTE]`, and its title in bold unless it only names the kind. */
function alert(element: Element, { page, state }: Place): Markdown | undefined {
  const name = [...signsOf(element)].join(' ')
  const titleElement = find(element, isAlertTitle)
  const kind = alertKind(name)
  const children = state.toFlow(state.all(without(element, titleElement)))
  const title = plainText(titleElement)
  const isUsual = ['', kind].includes(title.toUpperCase())
  const boldTitle: Markdown[] = isUsual ? [] : [{ type: 'strong', children: [{ type: 'text', value: title }] }]
  page.note('converted', element, name, `> [!${kind}]`)
  const [firstChild] = children
  const mark = html(`[!${kind}]\n`)
  if (boldTitle.length === 0 && firstChild?.type === 'paragraph') firstChild.children.unshift(mark)
  else children.unshift({ type: 'paragraph', children: [mark, ...phrasing(boldTitle)] })
  return { type: 'blockquote', children }
}

const isAlertTitle = signed(ALERT_TITLES)

/** A copy of an element without one of the elements in it. */
function without(element: Element, part: Element | undefined): Element {
  return { ...element, children: replaceElements(element.children, each => (each === part ? [] : undefined)) }
}

/** A picture with its caption as title, or a figure whose caption has more than text. */
function figure(element: Element, place: Place): Markdown[] | Markdown | undefined {
  const caption = findTag(element, 'figcaption')
  const images = elementsNamed(element, 'img').flatMap(image => place.state.one(image, element) ?? [])
  const [image, ...otherImages] = images
  const isAlone = otherImages.length === 0 && plainText(element) === plainText(caption)
  if (image?.type === 'image' && isAlone && !find(elementOf(caption), isMarkup))
    return { type: 'paragraph', children: [{ ...image, title: plainText(caption) || image.title }] }
  return caption ? frame(element, place) : undefined
}

const isMarkup = signed('a br code ul ol table')

/** An element in HTML around Markdown: a figure with its caption, or details with their summary. */
function frame(element: Element, { state }: Place): Markdown[] {
  const label = find(element, isLabel)
  const content = state.toFlow(state.all(without(element, label)))
  const words = label ? safeHtml(label) : ''
  if (element.tagName === 'figure') return [block('<figure>'), ...content, block(`${words}\n</figure>`)]
  return [block(`<details>\n${words}`), ...content, block('</details>')]
}

const isLabel = signed('summary figcaption')

function cellsIn(table: Element): Element[] {
  return elementsNamed(table, 'tr').flatMap(cellsOf)
}

function cellContents(element: Element, { state }: Place): Markdown[] {
  return state.toFlow(cellsIn(element).flatMap(cell => state.all(cell)))
}

/** A table; in HTML if its cells have more than text or reach over others. */
function table(element: Element, { page, state, usually }: Place): Markdown[] | Markdown {
  const rows = elementsNamed(element, 'tr').map(cellsOf)
  const [firstRow = [], ...otherRows] = rows
  const line = lineOf(element)
  for (const cell of rows.flat()) unwrapText(cell)
  const isHeadless = otherRows.length > 0 && !firstRow.some(isHeader) && !firstRow.map(plainText).includes('')
  const labels = isHeadless && (page.isDocument || firstRow.every(isBold)) ? dividedRows(rows).flat() : []
  for (const cell of labels) cell.tagName = 'th'
  page.tables.push({ line, ...gridOfHtml(element) })
  if (labels.length > 0) {
    const why = 'nothing says whether the first row is it'
    page.guessed(`header of the table in line ${line}`, labels.map(plainText).join(' | '), why)
  }
  const hasRowHeaders = firstRow.some(isHeader) && !firstRow.every(isHeader)
  const isPlain = !hasRowHeaders && rows.filter(isOfLabels).length <= 1
  // Markdown has one row of labels, and no spans: only HTML keeps each text below its label.
  if (!isPlain || rows.flat().some(hasBlocks)) return block(safeHtml(element))
  const captions = elementsNamed(element, 'caption').slice(0, 1)
  for (const caption of captions) page.note('converted', caption, '<caption>', 'a paragraph before the table')
  const texts = captions.map((caption): Markdown => ({ type: 'paragraph', children: phrasing(state.all(caption)) }))
  const nodes = usually(element)
  const headerRows = nodes.flatMap(node => (node.type === 'table' ? node.children.slice(0, 1) : []))
  for (const cell of headerRows.flatMap(row => row.children)) cell.children = cell.children.flatMap(withoutBold)
  return [...texts, ...nodes]
}

/** The first row and the rows that divide its columns, which its other cells reach over. Empty if it is like rows below. */
function dividedRows(rows: readonly Element[][]): readonly Element[][] {
  const [firstRow = []] = rows
  const depths = firstRow.map(cell => spanOf(cell, 'rowSpan'))
  const depth = Math.max(1, ...depths)
  const isDivided = firstRow.every((cell, at) => depths[at] === depth || spanOf(cell, 'colSpan') > 1)
  return rows.slice(0, isDivided ? depth : 0)
}

function isOfLabels(row: readonly Element[]): boolean {
  return row.length > 1 && row.every(isHeader)
}

/** Takes the content of a cell out of the only paragraph or box that it is in. */
function unwrapText(cell: Element): void {
  const only = onlyChild(cell)
  if (only?.type === 'element' && BOXES.has(only.tagName)) cell.children = only.children
}

const BOXES = wordSet('p div')

function isBold(cell: Element): boolean {
  return BOLD.has(tagOf(onlyChild(cell)))
}

/** The node that has all text of an element. */
function onlyChild(element: Element): ElementContent | undefined {
  const [only, ...others] = element.children.filter(child => child.type === 'element' || plainText(child) !== '')
  return others.length === 0 ? only : undefined
}

const BOLD = wordSet('b strong')

function isHeader({ tagName }: Element): boolean {
  return tagName === 'th'
}

function hasBlocks(cell: Element): boolean {
  return spanOf(cell, 'colSpan') * spanOf(cell, 'rowSpan') > 1 || find(cell, isBlock) !== undefined
}

/** An item, with a checkbox that only its class shows as one of HTML. Only paragraphs need empty lines between items. */
function listItem(element: Element, { usually }: Place): Markdown[] {
  const [firstChild, ...otherChildren] = element.children
  const signs = signsOf(firstChild)
  const properties = { type: 'checkbox', checked: signs.has('.checkbox-on') }
  const input: Element = { type: 'element', tagName: 'input', properties, children: [] }
  const nodes = usually(signs.has('.checkbox') ? { ...element, children: [input, ...otherChildren] } : element)
  for (const node of nodes)
    if (node.type === 'listItem') node.spread = node.children.filter(({ type }) => type === 'paragraph').length > 1
  return nodes
}
