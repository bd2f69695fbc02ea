import type { Document } from '../document.ts'
import { pageKey } from '../sources/order.ts'
import { renditionOf } from '../sources/source.ts'
import { isHome } from './hidden-pages.ts'
import { linkedOrder, linksIn, linksOf, menuOf } from './shown-order.ts'

/**
 * Marks the pages to which no page of a website written as HTML links: notes, tests and templates next to it. Pages of
 * data, programs and builds are shown by a script or a server.
 */
export function markUnlinked(pages: readonly Document[]): Document[] {
  const site = pages.filter(page => page.head !== undefined && isWritten(page))
  const [home] = site.filter(isHome)
  if (home?.facts.generator.name !== '') return [...pages]
  const links = linkedOrder(site, page => [...linksOf(page), ...menuOf(page)], pages)
  const linked = new Set([...links.order.keys(), ...home.facts.order.keys()].map(pageKey))
  const hasMenu = linksIn(menuOf(home)) > 1
  if (!hasMenu && linked.size < 2) return [...pages]
  // A home page without a menu may lead to other pages of its kind by a script.
  const isJudged = hasMenu ? isWritten : isNote
  const isLinked = (page: Document) => isHome(page) || linked.has(pageKey(page.entry.path))
  return pages.map(page => ({ ...page, isUnlinked: isJudged(page) && !isLinked(page) }))
}

function isWritten({ entry }: Document): boolean {
  return renditionOf(entry).kind === 'written' && entry.madeOf === undefined
}

function isNote(page: Document): boolean {
  return page.head === undefined && isWritten(page)
}
