import { dirname, join, relative } from 'node:path/posix'
import { filename } from '#brand/file.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { withoutQuery, wordSet } from '#platform/base/text.ts'
import type { Document, MenuItem } from '../document.ts'
import { fromRoot, isElsewhere, localAddress } from '../sources/facts.ts'
import { isReadme, withoutExtension } from '../sources/leave-out.ts'
import { nameGroups, type Order, openOrder, WHOLE_MENU, withoutIndex } from '../sources/order.ts'
import { isBelow } from '../sources/settings.ts'
import { isHome } from './hidden-pages.ts'
import { numberedFolders, withoutNumber } from './page-paths.ts'

/**
 * Pages of sources without an order in their settings get that of the navigation of HTML, else, unless they have numbers,
 * that of the file with their menu, or of the links of the README.
 */
export function withShownOrder(pages: readonly Document[], menus: ReadonlyMap<string, Order> = new Map()): Document[] {
  const sources = Map.groupBy(pages, ({ entry }) => entry.label)
  const orders = new Map(Array.from(sources, ([label, own]) => [label, orderOf(own, menus.get(label))]))
  const ordered = pages.map(page => {
    const found = page.facts.order.size === 0 ? orders.get(page.entry.label) : undefined
    // A menu is surer than the order in which a program imports its parts.
    const isListed = page.entry.madeOf !== undefined && found?.order?.has(page.entry.path)
    const meta = isListed ? { ...page.meta, order: undefined } : page.meta
    return { ...page, meta, facts: { ...page.facts, ...found } }
  })
  const opening = openingPage(ordered)
  return ordered.map(page => (page === opening ? { ...page, isHome: true } : page))
}

/** The page of a source without a home page that lists the others, or is the first and has a name such as *intro*. */
function openingPage(pages: readonly Document[]): Document | undefined {
  const tops = topsOf(pages)
  const placeOf = ({ entry, meta, facts }: Document) =>
    meta.order ?? facts.order.get(entry.path) ?? Number.POSITIVE_INFINITY
  const [first] = tops.toSorted((a, b) => placeOf(a) - placeOf(b))
  const isOpening = ({ place }: Document) => OPENINGS.has(withoutNumber(withoutExtension(place)).toLowerCase())
  return tops.find(page => listedIn(page, pages).length > 0) ?? [first].find(page => page && isOpening(page))
}

/** The pages at the top of a source that has no home page. */
function topsOf(pages: readonly Document[]): Document[] {
  return pages.some(isHome) ? [] : pages.filter(({ place }) => !place.includes('/'))
}

/** The other pages in the order in which a page names their files, if it names most of them. */
function listedIn(page: Document, pages: readonly Document[]): Document[] {
  const { text } = page
  const others = pages.length > MAX_LISTED ? [] : pages.filter(other => other !== page)
  const placeOf = ({ entry }: Document) => text.indexOf(filename(entry.path))
  const named = others.filter(other => placeOf(other) >= 0).sort((a, b) => placeOf(a) - placeOf(b))
  return named.length < Math.max(2, others.length / 2) ? [] : named
}

const MAX_LISTED = 50

const OPENINGS = wordSet('home intro introduction welcome overview start')

function orderOf(pages: readonly Document[], fromFile: Order | undefined): Partial<Order> | undefined {
  // Menus of other pages have those near them, which that of the home page may leave out.
  const withMenu = pages.filter(page => linksIn(menuOf(page)) > 1)
  const menus = withMenu.toSorted((a, b) => Number(isHome(b)) - Number(isHome(a)))
  const homes = pages.filter(page => isHome(page) && page.head !== undefined)
  const readmes = pages.filter(page => isHome(page) && isReadme(page.entry.path)).slice(0, 1)
  const written = pages.filter(({ entry }) => entry.madeOf === undefined)
  const isNumbered = numberedFolders(pages).size > 0 || written.some(({ meta }) => meta.order !== undefined)
  const listed = (page: Document) =>
    listedIn(page, pages).map(({ entry }) => ({ label: '', link: relative(dirname(page.entry.path), entry.path) }))
  const inTexts = [linkedOrder(readmes, linksOf, pages), linkedOrder(topsOf(pages), listed, pages)]
  const unnumbered = isNumbered ? [] : [fromFile, ...inTexts]
  const shown = linkedOrder(menus, menuOf, pages)
  const places = [...shown.order.keys()].flatMap(path => [path, withoutIndex(withoutExtension(path))])
  // Without a menu on the home page, others are those of parts of the site.
  const menu = homes.every(page => withMenu.includes(page)) ? new Set(places) : WHOLE_MENU
  return [{ ...shown, menu }, ...unnumbered].find(found => found && found.order.size > 1)
}

export function menuOf({ head }: Document): readonly MenuItem[] {
  return head?.nav ?? []
}

export function linksIn(items: readonly MenuItem[]): number {
  return items.reduce((sum, { link, items: inner = [] }) => sum + Number(link !== undefined) + linksIn(inner), 0)
}

export function linksOf({ text }: Document): readonly MenuItem[] {
  return readMarkdown(text).links.map(({ source }) => ({ label: '', link: source }))
}

/** The order in which pages link to others, and the groups of their navigation. */
export function linkedOrder(
  linking: readonly Document[],
  itemsOf: (page: Document) => readonly MenuItem[],
  pages: readonly Document[],
) {
  const { putAll, ...read } = openOrder(pages.map(({ entry }) => entry.path))
  for (const page of linking) {
    const { entry, facts } = page
    const root = isBelow(entry.path, facts.root) ? facts.root : ''
    const linked = ({ label, link = '', items = [] }: MenuItem): MenuItem => {
      const path = withoutQuery(localAddress(link, facts))
      const place = path.startsWith('/') ? join(root, fromRoot(path, facts)) : join(dirname(entry.path), path)
      return { label, ...(!isElsewhere(path) && { link: place }), items: items.map(linked) }
    }
    const [{ link: logo = NO_LINK } = NO_ITEM, ...others] = itemsOf(page)
    // A logo leads to the home page, as an entry behind it may do.
    const isLogo = fromRoot(logo, facts) === '' && others.some(({ link }) => link === logo)
    putAll('.', itemsOf(page).slice(Number(isLogo)).map(linked))
  }
  nameGroups(read, '.')
  return read
}

/** An address that no entry has. */
const NO_LINK = '\0'
const NO_ITEM: MenuItem = { label: '' }
