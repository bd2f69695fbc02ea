import type { Element, ElementContent, Root } from 'hast'
import type { StyleId } from '#brand/ids.ts'
import { isLoopTitle } from '#brand/markdown/loop-title.ts'
import { AUTHOR_PREFIX } from '#brand/markdown/safe-list.ts'
import { beginsRightToLeft, isRightToLeft, percentDecode } from '#platform/base/text.ts'
import { element } from '../cards/element.ts'
import { breakPlaces, fitClasses, stepsOf } from '../cards/long-words.ts'
import type { Words } from '../words/words.ts'
import { applyForms } from './forms/forms.ts'
import { addLinkCards, type LinkTargets } from './forms/link-cards.ts'
import { attribute, classesOf, elementsOf, isBlank, isElement, isSameOrigin, replaceElements, textOf } from './hast.ts'
import { type Heading, headingLevel, isFootnoteHeading } from './page-headings.ts'
import {
  enhanceMedia,
  enhancePicture,
  inBothSchemes,
  isMedia,
  linkMedia,
  type Picture,
  pausePictures,
  reducePictures,
} from './page-pictures.ts'

/** A page, and what its elements need to know of it. */
type Page = {
  words: Words
  pictures: ReadonlyMap<string, Picture>
  linkTargets: LinkTargets
  /** The ids of its headings. */
  headings: ReadonlySet<string>
  /** Ids and names from the author, with their prefix, keyed by their NFC. */
  names: ReadonlyMap<string, string>
  /** The checkboxes of tasks; any other checkbox is author HTML and is removed. */
  checkboxes: Set<Element>
  /** The number of its tables so far. */
  tables: number
  isRightToLeft: boolean
}

/**
 * Adds the features of the website to a sanitised page, in place: heading links, scrollable tables, picture sizes and
 * page components. Media from another origin is replaced by a link. Adds only nodes and attributes, never HTML strings,
 * so that the serialiser escapes everything.
 *
 * @returns whether the page shows type styles
 */
export function enhance(tree: Root, headings: readonly Heading[], context: PageDetails, words: Words): boolean {
  if (context.linkTargets) linkMedia(tree, context.linkTargets)
  const authored = elementsOf(tree)
  const page = pageOf(tree, authored, headings, context, words)
  replaceElements(tree, element => enhanceElement(element, page, false))
  applyForms(tree, words)
  const { linkTargets } = context
  const hasTypeSamples = linkTargets && addLinkCards(tree, linkTargets, { authored: new Set(authored), words })
  finishFilms(tree)
  if (context.pictures.values().some(picture => 'isMoving' in picture && picture.isMoving))
    replaceElements(tree, element => pausePictures(element, '', page))
  reducePictures(elementsOf(tree), context.pictures)
  return hasTypeSamples ?? false
}

/** The details of a page for its elements; `authored` are its elements so far. */
function pageOf(
  tree: Root,
  authored: readonly Element[],
  headings: readonly Heading[],
  { name, pictures, linkTargets = new Map(), lang = 'en' }: PageDetails,
  words: Words,
): Page {
  const names = authored.flatMap(({ properties }) => [`${properties.id}`, `${properties.name}`])
  // The layout shows the name above a page without a title.
  const shownName = authored.some(({ tagName }) => tagName === 'h1') ? '' : name
  return {
    words,
    pictures,
    linkTargets,
    headings: new Set(headings.map(({ id }) => id)),
    names: new Map(names.map(name => [name.normalize('NFC'), name])),
    checkboxes: new Set(),
    tables: 0,
    isRightToLeft: isRightToLeft(lang) || beginsRightToLeft(`${shownName} ${textOf(tree, MAX_LABEL)}`),
  }
}

/**
 * Loads the first frame of the first film without a poster, since browsers show it without the script. Removes the title
 * `loop`, which is only an instruction to the website, from films and links.
 */
function finishFilms(tree: Root): void {
  const elements = elementsOf(tree)
  const isFirst = ({ tagName, properties: { controls, poster } }: Element) =>
    tagName === 'video' && controls === true && poster === undefined
  const first = elements.find(isFirst)
  if (first) first.properties.preload = 'metadata'
  for (const { properties } of elements) if (isLoopTitle(String(properties.title ?? ''))) delete properties.title
}

/**
 * Enhances an element and everything in it, in place. Returns what replaces it in its parent.
 *
 * @param isInLink whether the element is in a link, which cannot hold another link
 */
function enhanceElement(element: Element, page: Page, isInLink: boolean): ElementContent[] {
  const { tagName } = element
  if (tagName === 'img') return [enhancePicture(element, page.pictures, isInLink, page.words)]
  if (isMedia(element)) return enhanceMedia(element, page.linkTargets, isInLink, page.words)
  if (tagName === 'input') return page.checkboxes.has(element) ? [element] : []
  const label = tagName === 'table' ? tableLabel(element, page) : ''
  if (classesOf(element).includes('task-list-item')) labelCheckbox(element, page)
  if (tagName === 'picture') return inBothSchemes(element).flatMap(image => enhanceElement(image, page, isInLink))
  element.children = element.children.flatMap(child => {
    if (child.type === 'element') return enhanceElement(child, page, isInLink || tagName === 'a')
    if (child.type !== 'text' || tagName === 'code') return [child]
    return withBreakPlaces(child.value.replace(RATIO, '\u00a0$1\u00a0'))
  })
  if (tagName === 'a') enhanceLink(element, page)
  if (page.isRightToLeft && OWN_DIRECTION.has(tagName)) keepDirection(element)
  if (tagName === 'pre') element.properties.tabIndex = 0
  if (tagName === 'th' && element.children.every(isBlank)) element.tagName = 'td' // An empty cell is not a header.
  if (headingLevel(element) !== undefined && !isInLink) addPermalink(element, page)
  return label === '' ? [element] : [wrapScrollable(element, label)]
}

/** Text whose addresses and names of files may break between their parts. */
function withBreakPlaces(text: string): ElementContent[] {
  // `split` by a group gives text and addresses in turn.
  const parts = text.split(ADDRESS).map((part, at) => (at % 2 === 1 ? breakPlaces(part) : part))
  return element('span', {}, parts).children
}

/** A word that is longer than a line of a phone in a heading. */
const ADDRESS = /(\S{24,})/

/** Elements whose first letter decides their direction. */
const OWN_DIRECTION = new Set(['li', 'p', 'h1', 'h2', 'h3', 'h4'])
const STARTS_LINE = new Set([...OWN_DIRECTION, 'ul', 'ol', 'pre', 'table', 'blockquote', 'details', 'div'])

/**
 * Code without a letter before it keeps the direction of the page, by an invisible letter after it (UAX #9, RLM).
 * Returns whether the line has a letter or code, or ends with a block.
 */
function keepDirection(element: Element): boolean {
  for (const [at, child] of element.children.entries()) {
    if (child.type === 'text' && /\p{L}/u.test(child.value)) return true
    if (child.type !== 'element') continue
    if (child.tagName === 'code') element.children.splice(at + 1, 0, { type: 'text', value: '\u200f' })
    if (child.tagName === 'code' || STARTS_LINE.has(child.tagName) || keepDirection(child)) return true
  }
  return false
}

/** The sign in `3 : 1` or `60 × 40`, which stay on one line. */
const RATIO = /(?<=\d) ([:×/]) (?=\d)/g

/** A label that is unique on the page, as landmarks require. */
function tableLabel(table: Element, page: Page): string {
  page.tables++
  const { pages } = page.words
  const name = page.tables === 1 ? pages.table : pages.tableNumber({ number: page.tables })
  const caption = table.children.find(child => isElement(child, 'caption'))
  const text = caption ? textOf(caption, MAX_LABEL) : ''
  return text === '' ? `${name}` : `${name}: ${text}`
}

function labelCheckbox(item: Element, page: Page): void {
  const paragraph = item.children.find(child => isElement(child, 'p'))
  const parent = paragraph ?? item
  const checkbox = parent.children.find(child => isElement(child, 'input'))
  if (!checkbox) return
  const words = parent.children.filter(child => child.type !== 'element' || !BLOCKS.has(child.tagName))
  page.checkboxes.add(checkbox)
  checkbox.properties.ariaLabel = textOf({ ...parent, children: words }, MAX_LABEL) || `${page.words.pages.task}`
}

/** In characters. */
const MAX_LABEL = 200

/** Elements that may follow the text of a task. */
const BLOCKS = new Set(['ul', 'ol', 'table', 'blockquote', 'pre'])

/**
 * Links to ids on this page find them also in another Unicode form, and ids in the author's HTML under their prefix. Links
 * to other sites give them no access to this window.
 */
function enhanceLink(link: Element, page: Page): void {
  const href = attribute(link, 'href')
  if (href === undefined) return
  if (isSameOrigin(href)) {
    const [path = '', fragment = ''] = href.split(/#(.*)/s)
    const written = percentDecode(fragment) ?? fragment
    const id = written.normalize('NFC')
    if (id !== written) link.properties.href = `${path}#${encodeURIComponent(id)}`
    const name = path === '' && !page.headings.has(id) ? page.names.get(`${AUTHOR_PREFIX}${id}`) : undefined
    if (name !== undefined) link.properties.href = `#${encodeURIComponent(name)}`
  } else if (!/^(?:mailto|tel):/i.test(href)) {
    link.properties.rel = ['noopener', 'noreferrer']
  }
}

function addPermalink(heading: Element, page: Page): void {
  const id = attribute(heading, 'id')
  const isListed = id !== undefined && page.headings.has(id)
  // The sign of the link is part of the last word.
  const className = fitClasses(stepsOf(`${textOf(heading, MAX_LABEL)}${isListed ? '##' : ''}`))
  if (isListed) {
    const properties = { className: ['anchor'], href: `#${id}`, ariaLabel: `${page.words.pages.headingLink}` }
    heading.children.push(element('a', properties, '#'))
  }
  // Only screen readers get the heading above footnotes.
  if (className.length === 0 || isFootnoteHeading(heading)) return
  heading.properties.className = className
  heading.children = [element('span', {}, ...heading.children)]
}

/** The width of a picture that never shrinks in a cell, in pixels. */
const SMALL_PICTURE = 96

/** Wraps a table in a box that scrolls, also by keyboard, and is a landmark. */
function wrapScrollable(table: Element, label: string): Element {
  for (const { tagName, properties } of elementsOf(table))
    if (tagName === 'img' && Number(properties.width) <= SMALL_PICTURE)
      properties.className = [properties.className ?? [], 'small'].flat().map(String)
  return element('div', { className: ['table'], role: 'region', ariaLabel: label, tabIndex: 0 }, table)
}

/** The values of a page, in addition to its Markdown, that rendering needs. */
export type PageDetails = {
  name: string
  /** The project's pictures, keyed by the address in the Markdown. */
  pictures: ReadonlyMap<string, Picture>
  /** The colours that bands of the page may have. */
  grounds?: ReadonlySet<StyleId>
  lang?: string | undefined
  /** The description above it, which its first paragraph may repeat. */
  lead?: string | undefined
  /** The address of the palette, if the page is about colours and shows none. */
  palette?: string | undefined
  /** Whether a sentence at its start is its lead, since no description is above it. */
  mayLead?: boolean | undefined
  /** Whether headings stand beside their text. */
  isGrid?: boolean
  /** The targets of its links, keyed by the address in the Markdown. Without it, links do not become cards. */
  linkTargets?: LinkTargets
}
