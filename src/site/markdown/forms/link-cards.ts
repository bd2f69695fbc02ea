import type { Element, ElementContent, Root, RootContent } from 'hast'
import { colorChip } from '../../cards/color-chip.ts'
import { colorTile } from '../../cards/color-tile.ts'
import { element } from '../../cards/element.ts'
import { externalCard, fileCard, folderCard, pageCard, specimenCard } from '../../cards/link-card.ts'
import type { LinkTarget } from '../../cards/link-target.ts'
import { proportionStrip } from '../../cards/proportion-strip.ts'
import type { Words } from '../../words/words.ts'
import { attribute, textOf } from '../hast.ts'
import { headingLevel } from '../page-headings.ts'
import { isSameOrigin } from '../same-origin.ts'
import { MAX_CHIPS } from './color-chips.ts'
import { type LoneLink, loneLinks } from './lone-links.ts'

/** What the links of a page lead to, by the address that its text has. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>

/**
 * Makes of each link that stands alone on a page what it leads to, in place: in a paragraph of its own, or in a list of
 * nothing but such links. A link to a colour within other text gets a chip of it. Only nodes are added, never HTML as
 * text, so that all of it is escaped when the page is written.
 *
 * @param written the elements of the author: links that took the place of something else stay links
 * @returns whether a card shows a type style
 */
export function addLinkCards(
  tree: Root,
  linkTargets: LinkTargets,
  { written, words }: { written: ReadonlySet<Element>; words: Words },
): { hasTypeSamples: boolean } {
  const page: Page = { linkTargets, written, words, hasTypeSamples: false, budget: MAX_CARDS, chips: 0 }
  const parents: (Root | Element)[] = [tree]
  for (let parent = parents.pop(); parent; parent = parents.pop()) {
    const children: (RootContent | ElementContent)[] = parent.children
    for (const [at, child] of children.entries()) {
      if (child.type !== 'element') continue
      const cards = mayHoldCards(parent) ? cardsOf(child, page) : undefined
      if (cards) children[at] = cards
      else if (child.tagName === 'a') addChip(child, page)
      else if (headingLevel(child) === undefined) parents.push(child)
    }
  }
  return { hasTypeSamples: page.hasTypeSamples }
}

/** The state of a page: `budget` is how many cards it may still have, `chips` how many chips there are. */
type Page = {
  linkTargets: LinkTargets
  written: ReadonlySet<Element>
  words: Words
  hasTypeSamples: boolean
  budget: number
  chips: number
}

/** Of more on a page, the further links stay links. */
const MAX_CARDS = 500

/** A paragraph or list in a quotation, an item or a cell stays as it is. */
function mayHoldCards(parent: Root | Element): boolean {
  return parent.type === 'root' || /^(?:div|section|details)$/.test(parent.tagName)
}

type Lead = { link: LoneLink; to: LinkTarget | { kind: 'external'; host: string } }

function cardsOf(child: Element, page: Page): Element | undefined {
  const links = loneLinks(child, page.written)
  if (!links) return undefined
  const leads = links.flatMap(link => leadOf(link, page.linkTargets) ?? [])
  const isList = child.tagName !== 'p'
  const [look, ...others] = new Set(leads.map(lead => lookOf(lead, isList)))
  const cost = leads.reduce((sum, { to }) => sum + ('colors' in to ? to.colors.length : 1), 0)
  if (leads.length < links.length || !look || others.length > 0 || cost > page.budget) return undefined
  page.budget -= cost
  if (look === 'type') page.hasTypeSamples = true
  if (child.tagName !== 'ol' || look === 'strip') return LOOKS[look](page.words, leads)
  const made = LOOKS[look](page.words, numbered(leads, attribute(child, 'start')))
  return made.tagName === 'ul' ? { ...made, tagName: 'ol' } : made
}

/** What a numbered list leads to, with its numbers. */
function numbered(leads: readonly Lead[], start = '1'): Lead[] {
  const first = /^\d{1,9}$/.test(start) ? Number(start) : 1
  return leads.map(({ link, to }, at) => ({ link: { ...link, text: `${first + at}. ${link.text}` }, to }))
}

function leadOf(link: LoneLink, linkTargets: LinkTargets): Lead | undefined {
  const { href } = link
  const to = linkTargets.get(href) ?? fileOrPage(linkTargets.get(href.replace(/[?#].*$/s, '')))
  if (to) return { link, to }
  if (isSameOrigin(href) || !URL.canParse(href)) return undefined
  const { protocol, host } = new URL(href)
  return /^https?:$/.test(protocol) ? { link, to: { kind: 'external', host } } : undefined
}

/** What may also be linked with a query or fragment. */
function fileOrPage(thing: LinkTarget | undefined): LinkTarget | undefined {
  return thing?.kind === 'file' || thing?.kind === 'page' ? thing : undefined
}

/** How links that stand together look; undefined if they stay links. */
function lookOf({ link, to }: Lead, isList: boolean): keyof typeof LOOKS | undefined {
  if (link.rest !== '') return to.kind === 'color' && percentOf(link) !== undefined ? 'strip' : undefined
  if (to.kind === 'color') return 'tiles'
  if (to.kind === 'palette') return 'palettes'
  // A list of pages is a table of contents, unless each has a cover to show.
  return to.kind === 'page' && isList && !to.cover ? undefined : to.kind === 'folder' ? 'file' : to.kind
}

function percentOf({ rest }: LoneLink): number | undefined {
  const [, number] = /^[:–—(]?\s*(\d{1,3}(?:[.,]\d{1,3})?)\s*%\)?$/.exec(rest) ?? []
  return number === undefined ? undefined : Number(number.replace(',', '.'))
}

const LOOKS = {
  tiles: (words, leads) => {
    const className = leads.length > 1 ? ['tiles'] : ['tiles', 'single']
    return element(
      'ul',
      { className },
      leads.map(lead => card(words, lead)),
    )
  },
  palettes: (words, leads) =>
    element(
      'div',
      {},
      leads.map(lead => palette(words, lead)),
    ),
  strip,
  type: cardList,
  file: cardList,
  page: cardList,
  external: cardList,
} satisfies Record<string, (words: Words, leads: readonly Lead[]) => Element>

function cardList(words: Words, leads: readonly Lead[]): Element {
  return element(
    'ul',
    { className: ['cards', 'link-cards'] },
    leads.map(lead => card(words, lead)),
  )
}

function card(words: Words, { link, to }: Lead): Element | readonly Element[] {
  if (to.kind === 'color') return colorTile({ words, ...to, title: link.text, note: link.title })
  if (to.kind === 'type') return to.styles.map(style => specimenCard(style, to.styles.length > 1 ? undefined : link))
  if (to.kind === 'file') return fileCard(link, to)
  if (to.kind === 'folder') return folderCard(link, to)
  if (to.kind === 'page') return pageCard(link, to)
  return to.kind === 'external' ? externalCard(link, to.host) : []
}

function palette(words: Words, { link, to }: Lead): Element[] {
  if (to.kind !== 'palette') return []
  const tiles = to.colors.map(({ color, href }) => colorTile({ words, color, href }))
  const part = to.count > tiles.length && ` ${words.number(tiles.length)}\u00a0/\u00a0${words.number(to.count)}`
  return [
    element('p', {}, element('a', { href: link.href }, link.text), part),
    ...noteOf(link),
    element('ul', { className: ['tiles'] }, tiles),
  ]
}

function noteOf({ title }: LoneLink): Element[] {
  return title ? [element('p', {}, title)] : []
}

function strip(words: Words, leads: readonly Lead[]): Element {
  const shares = leads.flatMap(({ link, to }) => {
    const proportion = percentOf(link)
    if (to.kind !== 'color' || proportion === undefined) return []
    const note = link.title ? ` – ${link.title}` : ''
    const text = { type: 'text', value: ` ${words.share(proportion)}${note}` } as const
    return [{ hex: to.color.hex, proportion, line: [element('a', { href: to.href }, link.text), text] }]
  })
  return proportionStrip(words, shares)
}

function addChip(link: Element, page: Page): void {
  const to = page.linkTargets.get(attribute(link, 'href') ?? '')
  if (to?.kind !== 'color' || page.chips >= MAX_CHIPS) return
  page.chips++
  if (textOf(link, MAX_ON_LINE + 1).length <= MAX_ON_LINE) link.properties.className = ['with-chip']
  link.children.unshift(colorChip(to.color.hex))
}

/** Characters of a name that fit on a line of any screen, together with the chip. */
const MAX_ON_LINE = 20
