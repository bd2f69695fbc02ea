import type { Element, ElementContent } from 'hast'
import { defaultHandlers, type Handle } from 'hast-util-to-mdast'
import type { Nodes as Markdown, PhrasingContent } from 'mdast'
import { headingIds, splitHeading } from '#formats/markdown/heading-ids.ts'
import { groupsOf } from '#platform/base/text.ts'
import { alertKind } from '../pages/alert-kind.ts'
import {
  addressOf,
  attribute,
  block,
  elementsIn,
  find,
  type HtmlPage,
  html,
  type Place,
  plainText,
  safeHtml,
  signature,
  tagOf,
} from '../pages/html-tree.ts'

/** Gives the Markdown of an element; undefined if it is what its name says. */
type Form = (element: Element, place: Place) => Markdown[] | Markdown | undefined

/** Handlers for all elements, which report what they leave out. */
export function handlersOf(page: HtmlPage): Record<string, Handle> {
  const handle =
    (usual: Handle): Handle =>
    (state, element, parent) => {
      const name = signature(element)
      const form = FORMS.find(([pattern]) => pattern.test(name))?.[1]
      const made = form?.(element, { page, state, parent, usual }) ?? usual(state, element, parent)
      const nodes = made ? [made].flat() : []
      for (const node of nodes) if (element.position) node.position ??= element.position
      return nodes
    }
  return Object.fromEntries(Object.entries<Handle>(defaultHandlers).map(([name, usual]) => [name, handle(usual)]))
}

const CODE = /^ pre |^ (?:div|figure|table) .*\.(?:highlight\S*|codehilite|rouge|code|language-\S+) /
const ALERTS =
  /^ (?:div|aside|section|figure|details|p) .*\.(?:admonition|callout|panel|markdown-alert|alert|confluence-information-macro|theme-admonition) /
const INLINE_HTML = /^ (?:su[bp]|kbd|mark|u|ins|small|abbr|samp|var|cite|dfn|bdo|ruby|rt|rp) /

/** The forms of elements by signature. The first one holds. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^ hr /, (_, { page }) => (page.isDocument ? [] : undefined)],
  [/^ section .*\.adopted-note /, noteText],
  [CODE, code],
  [ALERTS, alert],
  [/^ h[1-6] /, heading],
  [/^ p .*\.title /, (element, place) => (place.page.hasTitle ? heading(element, place) : undefined)],
  [/^ a /, link],
  [/^ img /, picture],
  [/^ figure /, figure],
  [/^ table /, table],
  [
    /^ ul .*\.toggle /,
    (element, { state }) => element.children.flatMap(item => (item.type === 'element' ? state.all(item) : [])),
  ],
  [/^ (?:video|audio) /, media],
  [/^ li /, listItem],
  [/^ details /, frame],
  [/^ dl /, element => (plainText(element) === '' ? [] : block(safeHtml(element)))],
  [/^ br /, (_, { state }) => (state.inTable ? html('<br>') : undefined)],
  [INLINE_HTML, inHtml],
]

function inHtml(element: Element, { state }: Place): Markdown[] | undefined {
  if (find(element, BLOCK)) return undefined
  const title = attribute(element, 'title')
  const open = title === '' ? `<${element.tagName}>` : `<${element.tagName} title=${JSON.stringify(title)}>`
  return [html(open), ...state.all(element), html(`</${element.tagName}>`)]
}

function noteText(element: Element, { state }: Place): Markdown {
  const identifier = attribute(element, 'id')
  return { type: 'footnoteDefinition', identifier, label: identifier, children: state.toFlow(state.all(element)) }
}

/** A heading, with its id if its words give another. */
function heading(element: Element, { page, state }: Place): Markdown[] | Markdown {
  const level = element.tagName === 'p' ? 1 : Number(element.tagName[1]) + (page.hasTitle ? 1 : 0)
  const content = phrasing(state.all(element)).flatMap((node): PhrasingContent[] =>
    node.type === 'strong' ? node.children : [node.type === 'break' ? { type: 'text', value: ' ' } : node],
  )
  const id = [element, ...elementsIn(element)].map(each => attribute(each, 'id')).find(each => each !== '') ?? ''
  const text = plainText(element)
  const isOwn = id !== headingIds()(text) && !/^_Toc/.test(id) && splitHeading(`x {#${id}}`).id !== undefined
  if (isOwn && (page.targets.has(id) || !GIVEN.test(id))) content.push(html(` {#${id}}`))
  if (text === '' && !find(element, /^ img /)) return []
  return { type: 'heading', depth: DEPTHS[level - 1] ?? 6, children: content }
}

const DEPTHS = [1, 2, 3, 4, 5, 6] as const
/** Ids that Google Docs and Word give to all headings. */
const GIVEN = /^(?:h\.\w+|_Ref.*)$/

function link(element: Element, { page, state, usual, parent }: Place): Markdown[] | Markdown | undefined {
  const [href, text, label] = [attribute(element, 'href'), plainText(element), attribute(element, 'dataAdoptedNote')]
  if (label !== '') return { type: 'footnoteReference', identifier: label, label }
  const hasPicture = find(element, /^ img /) !== undefined
  if (href.startsWith('#') && /^[#¶§🔗\s]*$/u.test(text) && !hasPicture) return []
  const name = attribute(element, 'name')
  const id = attribute(element, 'id') || name
  // Links of other pages may point to a name.
  const isTarget = page.targets.has(id) || (name !== '' && href === '')
  const isAnchor = isTarget && !/^h[1-6]$/.test(tagOf(parent)) && /^[\w.:-]+$/.test(id)
  const anchor = isAnchor ? [html(`<a id="${id}"></a>`)] : []
  const isOff = /^(?:#|javascript:.*|)$/is.test(href)
  if (isOff || (text === '' && !hasPicture)) page.note('lost', element, 'link', href)
  if (isOff) return [...anchor, ...state.all(element)]
  const linked = { ...element, properties: { ...element.properties, href: addressOf(element) } }
  return [...anchor, ...[usual(state, linked, undefined) ?? []].flat()]
}

/** A link to a film on its own, which is a player here. */
function media(element: Element, { page }: Place): Markdown[] {
  const sources = [element, ...elementsIn(element)].flatMap(
    each => attribute(each, 'src') || attribute(each, 'dataSrc') || [],
  )
  const [url, ...others] = sources
  const lost = [attribute(element, 'poster'), ...others, plainText(element)].join(' ').trim()
  page.note('lost', element, `<${element.tagName}>`, lost)
  const value = attribute(element, 'title') || attribute(element, 'ariaLabel') || (url ?? '').replace(/^.*\//, '')
  return url ? [{ type: 'paragraph', children: [{ type: 'link', url, children: [{ type: 'text', value }] }] }] : []
}

function picture(element: Element, { state }: Place): Markdown {
  const url = attribute(element, 'src')
  const alt = attribute(element, 'alt') || attribute(element, 'dataLinkedResourceDefaultAlias')
  if (url === '') return { type: 'text', value: alt }
  return { type: 'image', url: state.resolve(url), alt, title: attribute(element, 'title') || null }
}

/** Elements that cannot be in a phrase. */
const BLOCK = /^ (?:p|div|[uo]l|dl|table|pre|blockquote|h[1-6]|hr|figure|details) /

function phrasing(nodes: readonly Markdown[]): PhrasingContent[] {
  // The library also lets blocks be in phrases, and divides them afterwards.
  return nodes.filter((node): node is PhrasingContent => node.type !== 'root')
}

/** Code with the language that any of its elements names, also in tables with numbers of lines. */
function code(element: Element, { state }: Place): Markdown[] | Markdown | undefined {
  const parts = [element, ...elementsIn(element)]
  const pre = parts.findLast(({ tagName }) => tagName === 'pre')
  const isNumbered = parts.some(each => / \.(?:linenos|lineno|gutter) /.test(signature(each)))
  if (!pre || (plainText(pre) !== plainText(element) && !isNumbered)) return undefined
  const named = parts.map(each => signature(each) + attribute(each, 'dataSyntaxhighlighterParams')).join('')
  const language = groupsOf(LANGUAGE, named)[1]
  const properties = language === undefined ? {} : { className: [`language-${language}`] }
  const inner: Element = { type: 'element', tagName: 'code', properties, children: pre.children }
  return defaultHandlers.pre(state, { ...pre, children: [inner] })
}

const LANGUAGE =
  /(?:\.(?:highlight-source|highlight|language|lang|brush)-|brush: )(?!default|text|plain|none)([\w+#-]+)/

function alert(element: Element, { page, state }: Place): Markdown | undefined {
  const name = signature(element)
  if (/ \.panel /.test(name) && !find(element, / \.panel(?:Header|Content) /)) return undefined
  const title = find(element, / \.(?:title|admonition-title|panelHeader|markdown-alert-title|admonition-heading\S*) /)
  const kind = alertKind(name)
  const children = state.toFlow(state.all(without(element, title)))
  const words = plainText(title)
  const heading: Markdown[] =
    words === '' || words.toUpperCase() === kind ? [] : [{ type: 'strong', children: [{ type: 'text', value: words }] }]
  page.note('converted', element, name.trim(), `> [!${kind}]`)
  const [first] = children
  const mark = html(`[!${kind}]\n`)
  if (heading.length === 0 && first?.type === 'paragraph') first.children.unshift(mark)
  else children.unshift({ type: 'paragraph', children: [mark, ...phrasing(heading)] })
  return { type: 'blockquote', children }
}

function without(element: Element, part: Element | undefined): Element {
  const keep = (node: ElementContent): ElementContent[] =>
    node === part ? [] : node.type === 'element' ? [{ ...node, children: node.children.flatMap(keep) }] : [node]
  return { ...element, children: element.children.flatMap(keep) }
}

/** A picture with its caption as title, or a figure whose caption has more than text. */
function figure(element: Element, place: Place): Markdown[] | Markdown | undefined {
  const caption = find(element, /^ figcaption /)
  const [image, ...others] = [...elementsIn(element)].filter(({ tagName }) => tagName === 'img')
  const isAlone = image && others.length === 0 && plainText(element) === plainText(caption)
  if (isAlone && !(caption && find(caption, /^ (?:a|br|code|[uo]l|table) /))) {
    const [made] = [place.state.one(image, element)].flat()
    if (made?.type !== 'image') return undefined
    return { type: 'paragraph', children: [{ ...made, title: plainText(caption) || (made.title ?? null) }] }
  }
  return caption ? frame(element, place) : undefined
}

/** An element in HTML around Markdown: a figure with its caption, or details with their summary. */
function frame(element: Element, { state }: Place): Markdown[] {
  const label = find(element, /^ (?:summary|figcaption) /)
  const content = state.toFlow(state.all(without(element, label)))
  const words = label ? safeHtml(label) : ''
  if (element.tagName === 'figure') return [block('<figure>'), ...content, block(`${words}\n</figure>`)]
  return [block(`<details>\n${words}`), ...content, block('</details>')]
}

/** A table; in HTML if its cells have more than text or reach over others. */
function table(element: Element, { page, state, usual, parent }: Place): Markdown[] | Markdown {
  const rows = [...elementsIn(element)].filter(({ tagName }) => tagName === 'tr').map(cellsOf)
  const [first = [], ...others] = rows
  if (attribute(element, 'role') === 'presentation' || rows.flat().length === 1)
    return state.toFlow(rows.flat().flatMap(cell => state.all(cell)))
  const line = element.position?.start.line ?? 1
  const [header = [], ...texts] = rows.map(row => row.map(plainText))
  page.tables.push({ line, header, rows: texts })
  for (const cell of rows.flat()) unwrapText(cell)
  const hasRowHeaders = first.some(isHeader) && !first.every(isHeader)
  if (hasRowHeaders || rows.flat().some(hasBlocks)) return block(safeHtml(element))
  const isHeadless = others.length > 0 && !first.some(isHeader) && !header.includes('')
  if (isHeadless && (page.isDocument || first.every(isBold))) {
    for (const cell of first) cell.tagName = 'th'
    page.guessed(`header of the table in line ${line}`, header.join(' | '), 'nothing says whether the first row is it')
  }
  const caption = find(element, /^ caption /)
  if (caption) page.note('converted', caption, '<caption>', 'a paragraph before the table')
  const before: Markdown[] = caption ? [{ type: 'paragraph', children: phrasing(state.all(caption)) }] : []
  const made = [usual(state, element, parent) ?? []].flat()
  const [row] = made[0]?.type === 'table' ? made[0].children : []
  for (const cell of row?.children ?? [])
    cell.children = cell.children.flatMap(node => (node.type === 'strong' ? node.children : [node]))
  return [...before, ...made]
}

function unwrapText(cell: Element): void {
  const [only, ...others] = cell.children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  if (only?.type === 'element' && others.length === 0 && /^(?:p|div)$/.test(only.tagName)) cell.children = only.children
}

function isBold({ children: [only, ...others] }: Element): boolean {
  return only?.type === 'element' && others.length === 0 && /^(?:b|strong)$/.test(only.tagName)
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(child => child.type === 'element').filter(({ tagName }) => /^t[hd]$/.test(tagName))
}

function isHeader({ tagName }: Element): boolean {
  return tagName === 'th'
}

function hasBlocks(cell: Element): boolean {
  const spans = ['colSpan', 'rowSpan'].some(name => Number(attribute(cell, name) || 1) > 1)
  return spans || find(cell, BLOCK) !== undefined
}

/** An item, with the box of Notion as one of HTML. Only paragraphs need empty lines between items. */
function listItem(element: Element, { state, usual, parent }: Place): Markdown[] {
  const [box, ...others] = element.children
  const isBox = box?.type === 'element' && / \.checkbox /.test(signature(box))
  const checked = isBox && / \.checkbox-on /.test(signature(box))
  const input: Element = { type: 'element', tagName: 'input', properties: { type: 'checkbox', checked }, children: [] }
  const made = [usual(state, isBox ? { ...element, children: [input, ...others] } : element, parent) ?? []].flat()
  for (const item of made)
    if (item.type === 'listItem') item.spread = item.children.filter(({ type }) => type === 'paragraph').length > 1
  return made
}
