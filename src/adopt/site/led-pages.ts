import { dirname, join } from 'node:path/posix'
import { HOME_PAGE } from '#brand/page.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { percentDecoded, withoutQuery } from '#platform/base/text.ts'
import type { Document, MenuItem } from '../document.ts'
import { isAddress } from '../report/report.ts'
import { isElsewhere, localAddress } from '../sources/facts.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { withoutIndex } from '../sources/order.ts'
import { type Entry, renditionOf, shownPath } from '../sources/source.ts'

/**
 * The pages of a website written as HTML to which it leads nobody: no link from its home page, its menus or a page behind
 * these. They are notes, tests or templates next to it. A page made of data or of a program is shown by a script.
 */
export function pagesWithoutLink(pages: readonly (Document & { id: string })[]): Set<Entry> {
  const homes = pages.filter(page => page.id === HOME_PAGE && isOfWebsite(page))
  return new Set(homes.flatMap(home => withoutLinkFrom(home, pages)))
}

/** Whether a page is HTML of a source that no program makes a website of. */
function isOfWebsite({ head, entry, facts }: Document): boolean {
  const isWritten = renditionOf(entry).kind === 'written' && !isAddress(shownPath(entry))
  return isWritten && head !== undefined && facts.generator.name === ''
}

function withoutLinkFrom(home: Document, pages: readonly Document[]): Entry[] {
  const own = pages.filter(({ entry }) => entry.label === home.entry.label && entry.madeOf === undefined)
  const byKey = Map.groupBy(own, ({ entry }) => keyOf(entry.path))
  const reached = new Set([home])
  // The set grows while it is read.
  for (const page of reached)
    for (const link of linksOf(page))
      for (const target of byKey.get(keyOf(placeOf(link, page))) ?? []) reached.add(target)
  // A home page without a menu may lead to other pages of its kind by a script.
  const hasMenu = menuLinks(home).length > 1
  const isJudged = (page: Document) => hasMenu || (reached.size > 1 && page.head === undefined)
  return own.filter(page => !reached.has(page) && isJudged(page)).map(({ entry }) => entry)
}

function menuLinks({ head }: Document): string[] {
  return linksIn(head?.nav ?? [])
}

function linksIn(items: readonly MenuItem[]): string[] {
  return items.flatMap(({ link, items: inner = [] }) => [...(link === undefined ? [] : [link]), ...linksIn(inner)])
}

function linksOf(page: Document): string[] {
  const written = readMarkdown(page.text).links.map(({ source }) => source)
  const local = [...written, ...menuLinks(page)].map(link => withoutQuery(localAddress(link, page.facts)))
  return local.filter(link => !isElsewhere(link)).map(percentDecoded)
}

/** The path in the source that a link on a page leads to. */
function placeOf(link: string, { entry, facts }: Document): string {
  return join(link.startsWith('/') ? `/${facts.root}` : `/${dirname(entry.path)}`, link)
}

/** The same for all ways of writing the path of a page. */
function keyOf(path: string): string {
  return withoutIndex(withoutExtension(join('/', path, '.').toLowerCase().replace(/\/$/, '')))
}
