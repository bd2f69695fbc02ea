import type { Element, ElementContent } from 'hast'
import { defaultHandlers } from 'hast-util-to-mdast'
import type { Nodes as Markdown, PhrasingContent } from 'mdast'
import { alertKind } from '#intake/markdown/foreign-syntax.ts'
import {
  attribute,
  block,
  elementsIn,
  find,
  html,
  type Place,
  plainText,
  safeHtml,
  signature,
} from '../pages/html-tree.ts'

/** Elements that cannot be in a phrase. */
export const BLOCK = /^ (?:p|div|[uo]l|dl|table|pre|blockquote|h[1-6]|hr|figure|details) /

export function phrasing(nodes: readonly Markdown[]): PhrasingContent[] {
  // The library also lets blocks be in phrases, and divides them afterwards.
  return nodes.filter((node): node is PhrasingContent => node.type !== 'root')
}

/** Code with the language that any of its elements names, also in tables with numbers of lines. */
export function code(element: Element, { state }: Place): Markdown[] | Markdown | undefined {
  const parts = [element, ...elementsIn(element)]
  const pre = parts.findLast(({ tagName }) => tagName === 'pre')
  const isNumbered = parts.some(each => / \.(?:linenos|lineno|gutter) /.test(signature(each)))
  if (!pre || (plainText(pre) !== plainText(element) && !isNumbered)) return undefined
  const named = parts.map(each => signature(each) + attribute(each, 'dataSyntaxhighlighterParams')).join('')
  const language = LANGUAGE.exec(named)?.[1]
  const properties = language === undefined ? {} : { className: [`language-${language}`] }
  const inner: Element = { type: 'element', tagName: 'code', properties, children: pre.children }
  return defaultHandlers.pre(state, { ...pre, children: [inner] })
}

const LANGUAGE =
  /(?:\.(?:highlight-source|highlight|language|lang|brush)-|brush: )(?!default|text|plain|none)([\w+#-]+)/

export function alert(element: Element, { page, state }: Place): Markdown | undefined {
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
export function figure(element: Element, place: Place): Markdown[] | Markdown | undefined {
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
export function frame(element: Element, { state }: Place): Markdown[] {
  const label = find(element, /^ (?:summary|figcaption) /)
  const content = state.toFlow(state.all(without(element, label)))
  const words = label ? safeHtml(label) : ''
  if (element.tagName === 'figure') return [block('<figure>'), ...content, block(`${words}\n</figure>`)]
  return [block(`<details>\n${words}`), ...content, block('</details>')]
}

/** A table; in HTML if its cells have more than text or reach over others. */
export function table(element: Element, { page, state, usual, parent }: Place): Markdown[] | Markdown {
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
export function listItem(element: Element, { state, usual, parent }: Place): Markdown[] {
  const [box, ...others] = element.children
  const isBox = box?.type === 'element' && / \.checkbox /.test(signature(box))
  const checked = isBox && / \.checkbox-on /.test(signature(box))
  const input: Element = { type: 'element', tagName: 'input', properties: { type: 'checkbox', checked }, children: [] }
  const made = [usual(state, isBox ? { ...element, children: [input, ...others] } : element, parent) ?? []].flat()
  for (const item of made)
    if (item.type === 'listItem') item.spread = item.children.filter(({ type }) => type === 'paragraph').length > 1
  return made
}
