import type { Element, ElementContent, Root, RootContent } from 'hast'
import { STAGE } from '#brand/page.ts'
import { groupsOf, withoutQuery } from '#platform/base/text.ts'
import { colorChip, colorTile } from '../../cards/color-tile.ts'
import { element } from '../../cards/element.ts'
import {
  type CardLink,
  externalCard,
  fileCard,
  folderCard,
  mediaFigure,
  pageCard,
  pageLine,
  specimenCard,
  wordTable,
} from '../../cards/link-card.ts'
import type { ColorTarget, LinkTarget } from '../../cards/link-target.ts'
import { proportions } from '../../cards/proportions.ts'
import type { Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import { attribute, attributeText, elementsOf, hasClass, isBlank, isElement, isSameOrigin, textOf } from '../hast.ts'
import { headingLevel } from '../page-headings.ts'
import { MAX_CHIPS } from './code-blocks.ts'
import { figureOf, isPicture } from './figures.ts'

/** The targets of links, keyed by their address in the Markdown. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>

/**
 * Replaces each link alone in a paragraph, or in a list of only such links, by a card of its target, in place. A link
 * to a colour within other text gets a colour chip. Adds only nodes, never HTML strings, so that the serialiser escapes
 * everything.
 *
 * @param authored the author's elements: links that replaced other content remain links
 * @returns whether a card shows a type style
 */
export function addLinkCards(
  tree: Root,
  linkTargets: LinkTargets,
  { authored, words }: { authored: ReadonlySet<Element>; words: Words },
): boolean {
  const page: Page = {
    linkTargets,
    authored,
    words,
    hasTypeSamples: false,
    notes: new Set(),
    budget: MAX_CARDS,
    chips: 0,
    hasWords: false,
  }
  const parents: (Root | Element)[] = [tree]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    // The list of the parent itself, in which cards replace blocks; its type must allow the children of a root, too.
    const children: (RootContent | ElementContent)[] = parent.children
    for (const [at, child] of children.entries()) {
      if (child.type !== 'element') continue
      const cards =
        filmColumns(parent, child, page) ??
        (mayHoldCards(parent) ? cardsOf(child, page) : undefined) ??
        loneFilm(parent, child, page)
      if (cards) children[at] = cards
      else if (child.tagName === 'a') addChip(child, page)
      else if (headingLevel(child) === undefined) parents.push(child)
    }
  }
  if (!page.hasWords) addWords(tree, page)
  return page.hasTypeSamples
}

/** Adds the list of words after the first block with a link to it, if links of other pages go here. */
function addWords(tree: Root, { linkTargets, words }: Page): void {
  const [href, to] = linkTargets.entries().find(([, { kind }]) => kind === 'words') ?? []
  if (to?.kind !== 'words' || !to.isHere) return
  for (const [at, child] of tree.children.entries()) {
    const link = child.type === 'element' ? elementsOf(child).find(each => attribute(each, 'href') === href) : undefined
    if (link) {
      tree.children.splice(at + 1, 0, wordTable(words, textOf(link, MAX_TEXT), to))
      return
    }
  }
}

/** A page, and what it has so far. */
type Page = {
  linkTargets: LinkTargets
  authored: ReadonlySet<Element>
  words: Words
  /** Whether a card shows a type style. */
  hasTypeSamples: boolean
  /** The notes on missing fonts, each of which is shown once. */
  notes: Set<Word | undefined>
  /** The number of cards that may follow. */
  budget: number
  chips: number
  /** Whether it shows the list of words. */
  hasWords: boolean
}

/** Links after this many cards remain links. */
const MAX_CARDS = 500

/** Whether a parent may contain cards: not quotations, items or cells. */
function mayHoldCards(parent: Root | Element): boolean {
  return parent.type === 'root' || /^(?:div|section|details)$/.test(parent.tagName)
}

type TargetLink = { link: LoneLink; to: LinkTarget | { kind: 'external'; host: string } }

/**
 * The cards for a paragraph or list of only links, whose targets all have the same layout; undefined if it stays unchanged.
 * Counts the cards on the page.
 */
function cardsOf(block: Element, page: Page): Element | undefined {
  const links = loneLinks(block, page.authored)
  if (!links) return undefined
  const targetLinks = links.flatMap(link => resolveTarget(link, page.linkTargets) ?? [])
  const isList = block.tagName !== 'p'
  // A list of pages is a table of contents, unless every page has a cover.
  const isContents = isList && targetLinks.some(({ to }) => to.kind === 'page' && !to.isCovered)
  const pageLines = targetLinks.flatMap(({ link, to }) =>
    to.kind === 'page' && link.rest === '' ? pageLine(link, to) : [],
  )
  if (block.tagName === 'ul' && isContents && pageLines.length === links.length)
    return element('ul', { className: ['page-list'] }, pageLines)
  const [layout, ...otherLayouts] = new Set(targetLinks.map(each => layoutOf(each, { isList, isContents })))
  const cost = targetLinks.reduce((sum, { to }) => sum + ('colors' in to ? to.colors.length : 1), 0)
  if (targetLinks.length < links.length || !layout || otherLayouts.length > 0 || cost > page.budget) return undefined
  if (layout === 'words' && page.hasWords) return undefined
  countCards(page, layout, cost, targetLinks)
  if (block.tagName !== 'ol' || layout === 'strip') return LAYOUTS[layout](page, targetLinks)
  const cards = LAYOUTS[layout](page, addNumbers(targetLinks, attribute(block, 'start')))
  return cards.tagName === 'ul' ? { ...cards, tagName: 'ol' } : cards
}

function countCards(page: Page, layout: keyof typeof LAYOUTS, cost: number, targetLinks: readonly TargetLink[]): void {
  page.hasWords ||= layout === 'words'
  page.budget -= cost
  if (layout === 'type' || isTypeStage(targetLinks[0]?.to)) page.hasTypeSamples = true
}

function isTypeStage(to: TargetLink['to'] | undefined): boolean {
  return to?.kind === 'stage' && hasClass(to.view, 'type-stage')
}

function addNumbers(targetLinks: readonly TargetLink[], start = '1'): TargetLink[] {
  const first = /^\d{1,9}$/.test(start) ? Number(start) : 1
  return targetLinks.map(({ link, to }, at) => ({ link: { ...link, text: `${first + at}. ${link.text}` }, to }))
}

/** The target of a link in the guide, or elsewhere on the web; undefined for any other link, such as a mail address. */
function resolveTarget(link: LoneLink, linkTargets: LinkTargets): TargetLink | undefined {
  const { href } = link
  // Only links to files and pages may also have a query or fragment; `?stage` has no effect on what has no stage.
  const pathTarget = linkTargets.get(withoutQuery(href))
  const to =
    linkTargets.get(href) ??
    linkTargets.get(href.replace(`?${STAGE}`, '')) ??
    (pathTarget?.kind === 'file' || pathTarget?.kind === 'page' ? pathTarget : undefined)
  if (to) return { link, to }
  if (isSameOrigin(href) || !URL.canParse(href)) return undefined
  const { protocol, host } = new URL(href)
  return /^https?:$/.test(protocol) ? { link, to: { kind: 'external', host } } : undefined
}

/** The layout of a group of links; undefined if they remain links. */
function layoutOf(
  { link, to }: TargetLink,
  { isList, isContents }: { isList: boolean; isContents: boolean },
): keyof typeof LAYOUTS | undefined {
  if (link.rest !== '') return to.kind === 'color' && percentOf(link) !== undefined ? 'strip' : undefined
  if (to.kind === 'color') return 'tiles'
  if (to.kind === 'palette') return 'palettes'
  if (to.kind === 'stage') return isList ? undefined : 'stage'
  if (to.kind === 'file' && to.media && !isList) return 'media'
  return to.kind === 'page' && isContents ? undefined : to.kind === 'folder' ? 'file' : to.kind
}

/** The functions that make the element of each layout. Those for one link return an empty paragraph for another target. */
const LAYOUTS = {
  tiles,
  palettes,
  strip: shareStrip,
  stage: (_, [only]) => (only?.to.kind === 'stage' ? only.to.view : element('p', {})),
  words: ({ words }, [only]) =>
    only?.to.kind === 'words' ? wordTable(words, only.link.text, only.to) : element('p', {}),
  media: ({ words }, [only]) =>
    only?.to.kind === 'file' && only.to.media
      ? mediaFigure(only.link, only.to, only.to.media, words)
      : element('p', {}),
  type: cardList,
  file: cardList,
  page: cardList,
  external: cardList,
} satisfies Record<string, (page: Page, targetLinks: readonly TargetLink[]) => Element>

function tiles({ words }: Page, targetLinks: readonly TargetLink[]): Element {
  const colors = targetLinks.flatMap(({ link, to }) =>
    to.kind === 'color' ? [{ ...to, title: link.text, note: link.title }] : [],
  )
  return tileList(words, colors)
}

/** Colours as tiles; tints are a ramp. */
function tileList(words: Words, colors: readonly TileColor[], isRamp = false): Element {
  const tiles = colors.map(each => colorTile({ words, ...each }))
  return element('ul', { className: isRamp ? ['tiles', 'ramp'] : ['tiles'] }, tiles)
}

type TileColor = ColorTarget & { title?: string; note?: string | undefined }

/** Cards with the same shape: if one has a picture or another preview, all have space for it. */
function cardList(page: Page, targetLinks: readonly TargetLink[]): Element {
  const hasFaces = targetLinks.some(({ to }) => ('preview' in to && to.preview) || ('pictures' in to && to.pictures[0]))
  const cards = targetLinks.map(targetLink => card(page, targetLink, hasFaces))
  return element('ul', { className: ['cards', 'link-cards'] }, cards)
}

function card({ words, notes }: Page, { link, to }: TargetLink, hasFaces: boolean): Element | readonly Element[] {
  if (to.kind === 'type')
    return to.styles.map(style => {
      const note = notes.has(style.note) ? undefined : style.note
      notes.add(note)
      return specimenCard({ ...style, note }, to.styles.length > 1 ? undefined : link)
    })
  if (to.kind === 'file') return fileCard(link, to, words, hasFaces)
  if (to.kind === 'folder') return folderCard(link, to, hasFaces)
  if (to.kind === 'page') return pageCard(link, to)
  return to.kind === 'external' ? externalCard(link, to.host) : []
}

function palettes(page: Page, targetLinks: readonly TargetLink[]): Element {
  const parts = targetLinks.map(targetLink => palette(page, targetLink))
  return element('div', {}, parts)
}

/**
 * The tiles of a palette, whose names link to its colours, and links to the stages of its groups. A palette of which only
 * a part is shown has a link to all of it.
 */
function palette({ words }: Page, { link, to }: TargetLink): (Element | false | undefined)[] {
  if (to.kind !== 'palette') return []
  const rows = Map.groupBy(to.colors, ({ base }) => base)
  const shareShown = ` ${words.number(to.colors.length)}\u00a0/\u00a0${words.number(to.count)}` // ` 12 / 30`
  const stages = (to.stages ?? []).map(({ name, href }) => element('a', { href, className: ['to-stage'] }, name))
  return [
    link.title ? element('p', {}, link.title) : undefined,
    ...Array.from(rows).flatMap(([base, colors]) => [
      base !== undefined && element('p', { className: ['tile-name'] }, words.colors.tintsOf({ color: base })),
      tileList(words, colors, base !== undefined),
    ]),
    to.count > to.colors.length && element('p', {}, element('a', { href: link.href }, link.text), shareShown),
    stages.length > 0 && element('p', { className: ['stages'] }, stages),
  ]
}

/** Adds a colour chip to a link to a colour. A link to a stage within other text links to its page. */
function addChip(link: Element, page: Page): void {
  const to = page.linkTargets.get(attributeText(link, 'href'))
  if (to?.kind === 'stage') link.properties.href = to.href
  if (to?.kind !== 'color' || page.chips >= MAX_CHIPS) return
  page.chips++
  if (textOf(link, MAX_ON_LINE + 1).length <= MAX_ON_LINE) link.properties.className = ['with-chip']
  link.children.unshift(colorChip(to.color.hex))
}

/** The length of a name in characters that fits on a line of any screen with its chip. */
const MAX_ON_LINE = 20

/** Links to colours with their shares of a surface, as an area. */
function shareStrip({ words }: Page, targetLinks: readonly TargetLink[]): Element {
  const shares = targetLinks.flatMap(({ link, to }) => {
    const proportion = percentOf(link)
    if (to.kind !== 'color' || proportion === undefined) return []
    const note = link.title ? ` – ${link.title}` : ''
    const text = { type: 'text', value: ` ${words.share(proportion)}${note}` } as const
    const line = [element('a', { href: to.href }, link.text), text]
    return [{ name: link.text, hex: to.color.hex, letters: to.lettersHex, proportion, line }]
  })
  return proportions(words, shares)
}

/** The percentage after a link: ` 54 %`, `: 12,5%` or `(8 %)`. */
function percentOf({ rest }: LoneLink): number | undefined {
  const [, number] = groupsOf(/^[:–—(]?\s*(\d{1,3}(?:[.,]\d{1,3})?)\s*%\)?$/, rest)
  return number === undefined ? undefined : Number(number.replace(',', '.'))
}

/** Films in columns, each with its player, from a list or paragraph of only films and pictures; else undefined. */
function filmColumns(parent: Root | Element, block: Element, page: Page): Element | undefined {
  if (!hasClass(parent, 'columns') || !/^(?:p|ul|ol)$/.test(block.tagName)) return undefined
  const nodes = contentOf(block).flatMap(node => (block.tagName === 'p' ? [node] : itemContent(node)))
  const films = nodes.map(node => filmFigure(node, page))
  const figures = nodes.map((node, at) => films[at] ?? pictureFigure(node, page))
  if (!films.some(Boolean) || figures.includes(undefined)) return undefined
  return element('div', { className: ['films'] }, figures)
}

/**
 * The player for a film alone in its paragraph, also in an item or a cell, or alone in a box of HTML; else undefined. The
 * same film in several formats, next to each other, is one player of the first.
 */
function loneFilm(parent: Root | Element, block: Element, page: Page): Element | undefined {
  const [holder, name] = block.tagName === 'a' ? [parent, 'div'] : [block, 'p']
  if (!isElement(holder, name)) return undefined
  const films = contentOf(holder)
  const isOne = new Set(films.map(nameWithoutFormat)).size === 1
  return isOne ? filmFigure(films[0], page) : undefined
}

/** The name in an address, whose folder depends on the content of the file. */
function nameWithoutFormat(node: ElementContent): string | undefined {
  return isElement(node, 'a') ? groupsOf(/([^/]{1,200})\.\w{1,8}$/, attributeText(node, 'href'))[1] : undefined
}

function contentOf({ children }: Element): ElementContent[] {
  return children.filter(node => !isBlank(node) && !isElement(node, 'br'))
}

/** The only content of an item; the item itself if there is more. */
function itemContent(item: ElementContent): ElementContent[] {
  if (item.type !== 'element') return [item]
  const [only, ...others] = contentOf(item)
  if (only?.type !== 'element' || others.length > 0) return [item]
  return only.tagName === 'p' ? contentOf(only) : [only]
}

function filmFigure(node: ElementContent | undefined, { linkTargets, authored, words }: Page): Element | undefined {
  if (!isElement(node, 'a') || !authored.has(node)) return undefined
  const href = attributeText(node, 'href')
  const to = linkTargets.get(href)
  const text = textOf(node) // None in a link around a picture.
  if (to?.kind !== 'file' || !to.media || to.media.kind === 'audio' || text === '') return undefined
  const link = { href, text, title: attribute(node, 'title') }
  return mediaFigure(link, to, to.media, words)
}

/** A picture next to films, or one that is a figure already. */
function pictureFigure(node: ElementContent, { words }: Page): Element | undefined {
  if (isElement(node, 'figure')) return node
  return isPicture(node) ? figureOf([node], { isInLink: false, words }) : undefined
}

/** A link alone in a paragraph, or in a list item with a string after it: ` 54 %`. */
type LoneLink = CardLink & { rest: string }

/**
 * The links of a paragraph with only a link, or of a list with only links. Undefined for other elements, and if the
 * author gave the element, an item or a link an id, since other links may point there. Ignores links that are not the
 * author's elements.
 */
function loneLinks({ tagName, properties, children }: Element, authored: ReadonlySet<Element>): LoneLink[] | undefined {
  const isNumbered = tagName === 'ol'
  if (Object.keys(properties).some(name => !(isNumbered && name === 'start'))) return undefined
  if (tagName === 'p') return listOf([loneLink(children, authored, false)])
  if (tagName !== 'ul' && !isNumbered) return undefined
  return listOf(children.filter(child => !isBlank(child)).map(child => itemLink(child, authored)))
}

/** Links, if all are defined and there is one; otherwise undefined. */
function listOf(links: readonly (LoneLink | undefined)[]): LoneLink[] | undefined {
  const defined = links.flatMap(link => link ?? [])
  return defined.length === 0 || defined.length < links.length ? undefined : defined
}

function itemLink(item: ElementContent, authored: ReadonlySet<Element>): LoneLink | undefined {
  if (!isElement(item, 'li') || Object.keys(item.properties).length > 0) return undefined
  const [only, ...others] = item.children.filter(child => !isBlank(child))
  const isParagraph = isElement(only, 'p') && others.length === 0
  return loneLink(isParagraph ? only.children : item.children, authored, true)
}

function loneLink(
  nodes: readonly ElementContent[],
  authored: ReadonlySet<Element>,
  mayHaveRest: boolean,
): LoneLink | undefined {
  const [link, ...others] = nodes.filter(node => !isBlank(node))
  if (!isElement(link, 'a') || !authored.has(link)) return undefined
  if (others.length > (mayHaveRest ? 1 : 0)) return undefined
  const [rest] = others
  const href = attribute(link, 'href')
  const title = attribute(link, 'title')
  const text = textOf(link, MAX_TEXT)
  const isPlain =
    Object.keys(link.properties).every(name => PLAIN.has(name)) &&
    !link.children.some(child => isElement(child, 'img', 'picture', 'video', 'audio'))
  if (href === undefined || text === '' || !isPlain || (rest && rest.type !== 'text')) return undefined
  return { href, text, title, rest: rest?.value.trim() ?? '' }
}

/** The attributes that the link of a card may have. */
const PLAIN: ReadonlySet<string> = new Set(['href', 'title', 'rel', 'lang', 'dir'])
/** The limit of a title in characters. */
const MAX_TEXT = 200
