import { foldersAbove } from '#brand/portable-paths.ts'
import type { Document, MenuItem } from '../document.ts'
import { belowRoot } from '../sources/languages.ts'
import { pageKey } from '../sources/order.ts'
import { menuOf } from './shown-order.ts'

/**
 * Gives pages in HTML the path before the addresses in their menus, if no settings name it: a build for
 * `acme.example/brand/` has its home page at the root of the source, and links to `/brand/logo/`.
 */
export function withBasePaths(pages: readonly Document[]): Document[] {
  const sites = Map.groupBy(pages.filter(isWithoutBase), ({ entry }) => entry.label)
  const bases = new Map(
    sites.values().flatMap(own => {
      const base = { baseUrl: basePath(own) }
      return own.map(page => [page, base] as const)
    }),
  )
  return pages.map(page => ({ ...page, facts: { ...page.facts, ...bases.get(page) } }))
}

function isWithoutBase({ head, facts }: Document): boolean {
  return head !== undefined && facts.baseUrl === ''
}

/** The path before most addresses of pages in menus. */
function basePath(pages: readonly Document[]): string {
  const keys = new Set(pages.map(({ entry, facts }) => pageKey(`/${belowRoot(entry.path, facts.root)}`)))
  const addresses = new Set(pages.flatMap(page => linksIn(menuOf(page))).filter(link => link.startsWith('/')))
  const bases = Array.from(addresses, pageKey).flatMap(key =>
    foldersAbove(key)
      .filter(base => keys.has(key.slice(base.length)))
      .slice(0, 1),
  )
  const counted = [...Map.groupBy(bases, base => base)].sort(([, a], [, b]) => b.length - a.length)
  const [[base] = ['']] = counted.filter(([, { length }]) => length >= MIN_PROOFS)
  return base
}

const MIN_PROOFS = 2

function linksIn(items: readonly MenuItem[]): string[] {
  return items.flatMap(({ link = '', items: inner = [] }) => [link, ...linksIn(inner)])
}
