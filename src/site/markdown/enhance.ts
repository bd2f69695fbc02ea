import type { Element, ElementContent, Root, RootContent } from 'hast'
import { isOwnAddress } from './own-address.ts'
import { type Heading, headingLevel } from './page-headings.ts'
import { enhanceMedium, isMedium } from './page-media.ts'
import { enhancePicture, inFigure, type Picture } from './page-pictures.ts'
import { attribute, elementsOf, isBlank, textOf } from './page-tree.ts'
import { AUTHOR_PREFIX } from './safe-list.ts'

/** What is known of a page while it is furnished. */
type Page = {
  pictures: ReadonlyMap<string, Picture>
  headings: ReadonlySet<string>
  /** Ids and names that the author gave, with their prefix. */
  names: ReadonlySet<string>
  /** The boxes of tasks; any other is an author's own, and dropped. */
  boxes: Set<Element>
  tables: number
}

/** Whether a part of a page stands in a link, where no other link may be. */
type Place = { inLink: boolean }

/**
 * Gives a sanitised page, in place, what the website adds: links to headings, tables that scroll, figures, the sizes of
 * pictures. What comes from another origin becomes a link to it. All that is put in is a node or an attribute, so it
 * is escaped as the page is written.
 */
export function enhance(tree: Root, headings: readonly Heading[], pictures: ReadonlyMap<string, Picture>): void {
  const page = {
    ...{ pictures, headings: new Set(headings.map(({ id }) => id)), boxes: new Set<Element>(), tables: 0 },
    names: new Set(elementsOf(tree).flatMap(({ properties: { id, name } }) => [String(id), String(name)])),
  }
  tree.children = tree.children.flatMap((node): RootContent[] =>
    node.type === 'element' ? furnished(node, page, { inLink: false }).map(inFigure) : [node],
  )
}

function furnished(element: Element, page: Page, place: Place): ElementContent[] {
  const { tagName } = element
  if (tagName === 'img') return [enhancePicture(element, page.pictures, place.inLink)]
  if (isMedium(element)) return enhanceMedium(element, place.inLink)
  if (tagName === 'input') return page.boxes.has(element) ? [element] : []
  const label = tagName === 'table' ? tableLabel(element, page) : ''
  if (isTask(element)) nameTask(element, page)
  const inside = { inLink: place.inLink || tagName === 'a' }
  element.children = element.children.flatMap(child => {
    const nodes = child.type === 'element' ? furnished(child, page, inside) : [child]
    return tagName === 'figure' ? nodes : nodes.map(inFigure)
  })
  if (tagName === 'a') furnishLink(element, page)
  if (tagName === 'pre') element.properties.tabIndex = 0
  if (tagName === 'th' && element.children.every(isBlank)) element.tagName = 'td' // It heads nothing.
  if (headingLevel(element) !== undefined && !place.inLink) addPermalink(element, page)
  return label === '' ? [element] : [scrolling(element, label)]
}

function furnishLink(link: Element, page: Page): void {
  const href = attribute(link, 'href')
  if (href === undefined) return
  if (href.startsWith('#')) {
    const id = decoded(href.slice(1))
    const name = `${AUTHOR_PREFIX}${id}`
    if (!page.headings.has(id) && page.names.has(name)) link.properties.href = `#${encodeURIComponent(name)}`
  } else if (!isOwnAddress(href) && !/^(?:mailto|tel):/i.test(href)) {
    link.properties.rel = ['noopener', 'noreferrer']
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment // A percent sign that encodes nothing.
  }
}

function addPermalink(heading: Element, page: Page): void {
  const id = attribute(heading, 'id')
  if (id === undefined || !page.headings.has(id)) return
  heading.children.push({
    type: 'element',
    tagName: 'a',
    properties: { className: ['anchor'], href: `#${id}`, ariaLabel: 'Link to this section' },
    children: [{ type: 'text', value: '#' }],
  })
}

/** A box that scrolls by keyboard as well, and is a landmark: so each has another name. */
function scrolling(table: Element, label: string): Element {
  const properties = { className: ['table'], role: 'region', ariaLabel: label, tabIndex: 0 }
  return { type: 'element', tagName: 'div', properties, children: [table] }
}

function tableLabel(table: Element, page: Page): string {
  page.tables++
  const name = page.tables === 1 ? 'Table' : `Table ${page.tables}`
  const caption = table.children.find(child => child.type === 'element' && child.tagName === 'caption')
  const text = caption ? textOf(caption, MAX_LABEL) : ''
  return text === '' ? name : `${name}: ${text}`
}

function isTask({ tagName, properties: { className } }: Element): boolean {
  return tagName === 'li' && Array.isArray(className) && className.includes('task-list-item')
}

/** The box of a task is named by the task. */
function nameTask(item: Element, page: Page): void {
  const paragraph = item.children.find(child => child.type === 'element' && child.tagName === 'p')
  const place = paragraph?.type === 'element' ? paragraph : item
  const box = place.children.find(child => child.type === 'element' && child.tagName === 'input')
  if (box?.type !== 'element') return
  const words = place.children.filter(child => child.type !== 'element' || !LISTS.has(child.tagName))
  page.boxes.add(box)
  box.properties.ariaLabel = textOf({ ...place, children: words }, MAX_LABEL) || 'Task'
}

/** Characters. */
const MAX_LABEL = 200

const LISTS = new Set(['ul', 'ol', 'table', 'blockquote', 'pre'])
