import { dirname } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { slug } from '#brand/ids.ts'
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
    const [best] = found.toSorted((a, b) => weightOf(b) - weightOf(a))
    if (best && best.order.size >= Math.max(MIN_PAGES, own.length / 3)) menus.set(label, best)
  }
  return menus
}

/** A menu tells the names of pages; a list of imports has a few more pages. */
function weightOf({ order, labels }: Order): number {
  return 2 * order.size + labels.size
}

const FORMATS = inFormats(
  'html, njk, liquid, hbs, ejs, pug, js, jsx, ts, tsx, vue, svelte, astro, yml, yaml, json, toml',
)
const DATA = inFormats('yml, yaml, json, toml')
const MAX_BYTES = 64 << 10
const MAX_FILES = 500
const MIN_PAGES = 3

async function menuIn(entry: Entry, pages: readonly Document[]): Promise<Order> {
  const paths = new Map(pages.flatMap(namesOf))
  const { putAll, menusIn, ...read } = openOrder([...paths.keys()])
  const isData = DATA.test(entry.path)
  const [data, text] = [await dataOf(entry), await entry.read(MAX_BYTES).then(String, () => '')]
  const links = isData ? [] : Array.from(text.matchAll(LINK), ([, link = '', label]) => ({ link, label }))
  const parts = links.map(({ link, label }) => ({ link: partName(link), label }))
  for (const folder of ['.', dirname(entry.path), PARTS]) {
    const lists = isData && folder === '.' ? [data] : menusIn(folder, data)
    for (const list of [...lists, folder === PARTS ? parts : links]) putAll(folder, list)
  }
  const inSource = <Value>(byName: ReadonlyMap<string, Value>) =>
    new Map([...byName].map(([name, value]) => [paths.get(name) ?? name, value] as const))
  const [order, labels, groups] = [inSource(read.order), inSource(read.labels), inSource(read.groups)]
  return { order, labels, groups, menu: WHOLE_MENU }
}

/** A quoted address with a slash or a format, and the text after the tag that it is in. */
const LINK =
  /["'`](?:\{\{[^{}]{0,80}\}\})?([^"'`\s<>{}./]{0,100}[./][^"'`\s<>{}]{0,200})["'`](?:[^<>]{0,200}>\s{0,20}([^<>{}]{1,80})<)?/g

/** The names by which menus know a page and its folders: places on the site, paths in the source, and what a part is called. */
function namesOf({ entry: { path, madeOf }, place }: Document): (readonly [name: string, path: string])[] {
  const root = path.slice(0, path.length - place.length)
  const places = [place, ...foldersAbove(place)].map(each => [each, root + each] as const)
  const part = madeOf === undefined ? [] : [[`${PARTS}/${partName(path)}.html`, path] as const]
  return [...part, ...foldersAbove(path).map(each => [each, each] as const), [path, path] as const, ...places]
}

/** A folder that no source has, in which pages made of programs have the names of these. */
const PARTS = '@parts'

/** The same for all ways of writing the name of a component: `ColorBrand.tsx`, `color-brand`. */
function partName(path: string): string {
  return slug(fileStem(path).replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-'))
}
