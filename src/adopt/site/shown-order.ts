import { dirname } from 'node:path/posix'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { openOrder } from '../sources/order.ts'
import { isHome, isReadme } from './hidden-pages.ts'
import { numberedFolders, type SourcePage } from './page-paths.ts'

/** Pages of sources without an order in their settings get that of the navigation of HTML, or of the links of the README. */
export function withShownOrder(pages: readonly SourcePage[]): SourcePage[] {
  const sources = Map.groupBy(pages, ({ entry }) => entry.label)
  const orders = new Map(Array.from(sources, ([label, own]) => [label, orderOf(own)]))
  return pages.map(page => {
    const found = page.facts.order.size === 0 ? orders.get(page.entry.label) : undefined
    return found === undefined ? page : { ...page, facts: { ...page.facts, ...found } }
  })
}

function orderOf(pages: readonly SourcePage[]) {
  // Menus of other pages have those near them, which that of the home page may leave out.
  const withMenu = pages.filter(({ page }) => (page.head?.nav.length ?? 0) > 1)
  const menus = withMenu.toSorted((a, b) => Number(isHome(b)) - Number(isHome(a)))
  const isOrdered = numberedFolders(pages).size > 0 || pages.some(({ page }) => page.meta.order !== undefined)
  const readme = isOrdered ? undefined : pages.find(page => isHome(page) && isReadme(page))
  if (menus.length === 0 && !readme) return undefined
  const { order, labels, putAll } = openOrder(pages.map(({ entry }) => entry.path))
  for (const from of menus.length > 0 ? menus : [readme]) {
    const links = from?.page.head?.nav ?? readMarkdown(from?.page.text ?? '').links.map(linkOf)
    for (const { label, address } of links) {
      const origin = from?.facts.origin
      const local = origin && address.startsWith(origin) ? address.slice(origin.length) : address
      const folder = local.startsWith('/') ? '.' : dirname(from?.entry.path ?? '')
      if (!/^(?:[a-z]+:|#|$)/i.test(local)) putAll(folder, { label, link: local.replace(/[?#].*$/s, '') })
    }
  }
  return order.size > 1 ? { order, labels } : undefined
}

function linkOf({ source }: { source: string }) {
  return { label: undefined, address: source }
}
