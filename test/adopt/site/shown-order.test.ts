import type { PageHead } from '#adopt/document.ts'
import { withShownOrder } from '#adopt/site/shown-order.ts'
import { golden } from '#test/support/golden.ts'
import { withoutEmpty } from '../page-facts.ts'
import { sourcePage } from './source-page.ts'

/** Pages by path: their text, or the links of the menu that they show. */
type Given = { pages: Readonly<Record<string, string | PageHead['nav']>> }

golden('adopt/site/shown-order', ({ pages }: Given) => {
  const sources = Object.entries(pages).map(([path, shown]) => {
    if (typeof shown === 'string') return sourcePage(path, {}, {}, { text: shown })
    const own = sourcePage(path)
    return { ...own, head: { logos: [], icons: [], nav: shown } }
  })
  const shown = withShownOrder(sources)
  const { labels, order, groups } = shown[0]?.facts ?? {}
  const home = shown.filter(({ isHome }) => isHome).map(({ place }) => place)
  return withoutEmpty({
    labels: [...(labels ?? [])],
    order: [...(order?.keys() ?? [])],
    groups: [...(groups ?? [])],
    home,
  })
})
