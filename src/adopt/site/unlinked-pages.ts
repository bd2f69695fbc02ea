import type { Document } from '../document.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { renditionOf, shownPath } from '../sources/source.ts'
import { isHome } from './hidden-pages.ts'
import { linkedOrder, linksIn, linksOf, menuOf } from './shown-order.ts'

/**
 * Takes pages out of the menu to which no page of a website written as HTML links: notes, tests and templates next to it.
 * Pages of data, programs and builds are shown by a script or a server.
 */
export function withoutUnlinked(pages: readonly Document[]): Document[] {
  const site = pages.filter(page => page.head !== undefined && isWritten(page))
  const [home] = site.filter(isHome)
  if (home?.facts.generator.name !== '') return [...pages]
  const links = linkedOrder(site, page => [...linksOf(page), ...menuOf(page)], pages)
  const linked = new Set([...links.order.keys(), ...home.facts.order.keys()].map(withoutExtension))
  const hasMenu = linksIn(menuOf(home)) > 1
  if (!hasMenu && linked.size < 2) return [...pages]
  // A home page without a menu may lead to other pages of its kind by a script.
  const isJudged = hasMenu ? isWritten : isNote
  return pages.map(page => {
    const isLinked = isHome(page) || linked.has(withoutExtension(page.entry.path))
    return isLinked || !isJudged(page) ? page : withoutMenu(page)
  })
}

function isWritten({ entry }: Document): boolean {
  return renditionOf(entry).kind === 'written' && entry.madeOf === undefined
}

function isNote(page: Document): boolean {
  return page.head === undefined && isWritten(page)
}

function withoutMenu(page: Document): Document {
  const why = 'no page of the site links to it'
  const row = { path: shownPath(page.entry), key: 'nav', value: 'false', why }
  const notes = { ...page.notes, guessed: [...page.notes.guessed, row] }
  return { ...page, meta: { ...page.meta, nav: false }, notes }
}
