import { foldersAbove } from '#brand/portable-paths.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { type Order, openOrder, WHOLE_MENU } from '../sources/order.ts'
import { dataOf } from '../sources/settings.ts'
import type { Entry } from '../sources/source.ts'

/**
 * The menu of each source without an order in its settings, by label: the links of the file that names most of its pages,
 * such as a layout, a component or a list, if it names a third of them.
 */
export async function readMenus(
  entries: readonly Entry[],
  pages: readonly Document[],
): Promise<ReadonlyMap<string, Order>> {
  const menus = new Map<string, Order>()
  const onPages = new Set(pages.map(({ entry }) => entry))
  const files = entries.filter(entry => FORMATS.test(entry.path) && entry.size <= MAX_BYTES && !onPages.has(entry))
  const unordered = pages.filter(({ facts }) => facts.order.size === 0)
  for (const [label, own] of Map.groupBy(unordered, ({ entry }) => entry.label)) {
    const some = files.filter(entry => entry.label === label).slice(0, MAX_FILES)
    const found = await settleAll(some.map(entry => menuIn(entry, own)))
    const [best] = found.toSorted((a, b) => b.order.size - a.order.size)
    if (best && best.order.size >= Math.max(MIN_PAGES, own.length / 3)) menus.set(label, best)
  }
  return menus
}

const FORMATS = inFormats(
  'html, njk, liquid, hbs, ejs, pug, js, jsx, ts, tsx, vue, svelte, astro, yml, yaml, json, toml',
)
const DATA = inFormats('yml, yaml, json, toml')
const MAX_BYTES = 64 << 10
const MAX_FILES = 500
const MIN_PAGES = 3

async function menuIn(entry: Entry, pages: readonly Document[]): Promise<Order> {
  const { putAll, ...read } = openOrder(pages.map(({ place }) => place))
  const text = await entry.read(MAX_BYTES).then(String, () => '')
  if (DATA.test(entry.path)) putAll('.', await dataOf(entry))
  else for (const [, link, label] of text.matchAll(LINK)) putAll('.', { link, label })
  const inSource = pathFinder(pages)
  const [order, labels, groups] = [inSource(read.order), inSource(read.labels), inSource(read.groups)]
  return { order, labels, groups, menu: WHOLE_MENU }
}

/** A quoted address with a slash or a format, and the text after the tag that it is in. */
const LINK =
  /["'`](?:\{\{[^{}]{0,80}\}\})?([^"'`\s<>{}./]{0,100}[./][^"'`\s<>{}]{0,200})["'`](?:[^<>]{0,200}>\s{0,20}([^<>{}]{1,80})<)?/g

/** Makes a function that gives the paths in the source for places of pages and folders on the site. */
function pathFinder(pages: readonly Document[]) {
  const paths = new Map(
    pages.flatMap(({ entry: { path }, place }) => {
      const root = path.slice(0, path.length - place.length)
      return [place, ...foldersAbove(place)].map(each => [each, root + each] as const)
    }),
  )
  return <Value>(byPlace: ReadonlyMap<string, Value>) =>
    new Map(
      [...byPlace].flatMap(([place, value]) => {
        const path = paths.get(place)
        return path === undefined ? [] : [[path, value] as const]
      }),
    )
}
