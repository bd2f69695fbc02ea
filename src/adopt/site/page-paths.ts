import { basename, dirname } from 'node:path/posix'
import { folderOf } from '#brand/file.ts'
import { isPageId, type PageId, slug } from '#brand/ids.ts'
import { HOME_PAGE, inReadingOrder } from '#brand/page.ts'
import { foldersAbove, openPathAllocator, safeName, visibleName } from '#brand/portable-paths.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, groupsOf, inFormats, memoize, withoutLastSlash } from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { fromRoot, placeOnSite, type SiteFacts } from '../sources/facts.ts'
import { withoutExportIds } from '../sources/generators/generator.ts'
import { isReadme, withoutExtension } from '../sources/leave-out.ts'
import { withoutIndex } from '../sources/order.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { withoutEmptySteps } from './folder-steps.ts'
import { reasonsOutsideMenus } from './outside-menus.ts'

/** A page with its place in the new folder, such as `pages/logo/index.md`. Its aliases are ids. */
export type PagePlan = Document & {
  to: string
  id: PageId
  /** The paths of the page on the site that the source makes, as ids; some belong to other pages here. */
  addresses: readonly string[]
}

/**
 * Gives each page its place in the tree that it had. `listed` is the order of all pages, if their
 * numbers alone do not give it.
 */
export function planPages(published: readonly Document[]): { plans: PagePlan[]; listed: PageId[]; notes: Notes } {
  const notes = noNotes()
  const hasNumbers = numberedFolders(published)
  const take = pageTaker(notes)
  const sizes = Map.groupBy(published, topFolder)
  const isAlone = (page: Document) => sizes.get(topFolder(page))?.length === 1
  const places = published.map(page => ({ ...page, ...pagePlace(page, hasNumbers, isAlone(page), published.length) }))
  const taken = withoutEmptySteps(places)
    .sort((a, b) => a.rank - b.rank || compareStrings(a.entry.path, b.entry.path))
    .map(place => ({ ...place, ...take(place) }))
  const ids = new Set<string>([HOME_PAGE, ...taken.map(({ id }) => id)])
  const orders = new Map<string, number>()
  const outside = reasonsOutsideMenus(taken)
  for (const [entry, why] of outside) notes.guessed.push({ path: shownPath(entry), key: 'nav', value: 'false', why })
  const plans = taken.map(({ names, orders: own, ...source }): PagePlan => {
    const { entry, meta, facts, to, id } = source
    const parts = id.split('/')
    const earlier = meta.aliases.map(text => ({ text, address: idOfAddress(text, names, facts) }))
    const aliases: string[] = []
    for (const { text, address } of earlier)
      if (isPageId(address) && !ids.has(address) && aliases.length < MAX_ALIASES) {
        ids.add(address)
        aliases.push(address)
      } else if (address !== id) notes.lost.push({ path: shownPath(entry), line: 1, what: 'earlier address', text })
    const order = meta.order ?? own.at(-1)
    for (const [at, each] of [...own.slice(0, -1), order].entries())
      if (each !== undefined) orders.set(parts.slice(0, at + 1).join('/'), each)
    const place = to.endsWith('/index.md') ? dirname(entry.path) : entry.path
    const [label] = [place, entry.path, withoutIndex(withoutExtension(entry.path))].flatMap(
      each => facts.labels.get(each) ?? [],
    )
    const nav = meta.nav ?? (outside.has(entry) ? false : label)
    const addresses = earlier.map(({ address }) => address)
    return { ...source, addresses, meta: { ...meta, aliases, order, nav } }
  })
  return { plans, listed: listedPages(plans, orders), notes }
}

const MAX_ALIASES = 100

/**
 * The names of a page and its folders, and their orders. The lower `rank` has an id that two pages want. `others` are the
 * names if the page does not get its id, and `guess` says why its path is one.
 */
type Place = {
  names: string[]
  orders: (number | undefined)[]
  rank: number
  others?: readonly string[][]
  guess?: string | undefined
}

/** The first folder of a page in its source. */
function topFolder({ entry: { label }, place }: Document): string {
  return label + place.split('/', 1).join('')
}

/** The place of a page that may be the only one in its folder, or in its source. */
function pagePlace(page: Document, hasNumbers: ReadonlySet<string>, isAlone: boolean, count: number): Place {
  const { facts, place } = page
  const { path } = page.entry
  const parts = partsOf(page, hasNumbers)
  const { [parts.length - 1]: { name: file } = NO_PART } = parts
  const folders = parts.slice(0, -1).map(({ name }) => name || 'folder')
  const orders = parts.map(({ order }) => order)
  const isBook = count === 1 && DOCUMENT.test(path)
  const isHome = page.isHome === true || isTop(page) || isBook || page.meta.aliases.includes('/')
  const rank = rankOf(page, isHome)
  const isOfReadme = file.toLowerCase() === 'readme'
  if (facts.generator.index.has(file.toLowerCase())) {
    // The page stands for its folder, and has its order.
    const own = orders.slice(-2).find(order => order !== undefined)
    const root = basename(path.slice(0, path.length - place.length)) || 'home'
    const other = isOfReadme ? ['read-me'] : [root].slice(folders.length)
    const others = other.map(name => [...folders, name])
    const around = isAlone && folders.length === 1 ? groupsAround(facts.groups.get(dirname(path)), folders) : []
    const above = around.map(() => undefined)
    if (around.length > 0) return { names: [...around, ...folders], orders: [...above, own], rank, others }
    return { names: [...folders, 'index'], orders: [...orders.slice(0, -2), own], rank, others }
  }
  const named = [file, shortName(page.meta.title ?? ''), 'page'].filter(Boolean)
  const names = [...folders, ...named.slice(0, 1)]
  if (isHome) return { names: ['index'], orders: [undefined], rank, others: [names] }
  const guess = file === '' ? 'the name of the file is no name of a page' : undefined
  // Of a page without folders, the groups of the navigation are its folders.
  const above = folders.length > 0 ? [] : groupsAround(facts.groups.get(path), names)
  return { names: [...above, ...names], orders: [...above.map(() => undefined), ...orders], rank, guess }
}

/** The groups of the navigation that a page is in, without one that only repeats its name. */
function groupsAround(groups: readonly string[] = [], names: readonly string[]): string[] {
  const around = groups.map(group => shortName(safeName(group))).filter(Boolean)
  return around.filter((group, at) => at < around.length - 1 || slugs([group]) !== slugs(names.slice(-1)))
}

/** The name of a page or folder, without its number, and its order; both of them may be missing. */
type Part = { name: string; order: number | undefined }

const NO_PART: Part = { name: '', order: undefined }

function partsOf({ entry: { path, label }, facts, place }: Document, hasNumbers: ReadonlySet<string>): Part[] {
  const segments = withoutExtension(place).split('/')
  const above = path.split('/').slice(0, -segments.length)
  return segments.map((segment, at) => {
    const folder = [...above, ...segments.slice(0, at), ''].join('/')
    const isOrder = segment.startsWith('0') || hasNumbers.has(label + folder)
    const [front = '', digits = ''] = isOrder ? groupsOf(NUMBER, segment) : []
    const order = facts.order.get(at === segments.length - 1 ? path : folder + segment)
    const name = shortName(plainName(segment.slice(front.length), facts))
    return { name, order: order ?? (digits === '' ? undefined : Number(digits)) }
  })
}

/** Whether a page has the name of the folder of all pages. */
function isTop({ entry, facts }: Document): boolean {
  return withoutExtension(entry.path) === facts.root
}

const DOCUMENT = inFormats('docx')
const HTML = inFormats('html, htm')

/** Pages outside of the site come last, then read-mes, then home pages; HTML comes after Markdown. */
function rankOf(page: Document, isHome: boolean): number {
  const { entry, facts, isHome: isFirst = false } = page
  const isOutside = !placeOnSite(entry.path, facts).isBelow && !isTop(page)
  const signs = [isOutside, isReadme(entry.path), isHome, HTML.test(entry.path)]
  return signs.reduce((sum, sign, at) => sum + Number(sign) / 2 ** at, -2 * Number(isFirst))
}

/** A name without the number in front of it. */
export function withoutNumber(name: string): string {
  return name.replace(NUMBER, '')
}

/** A number in front of a name, as in `01-logo` and `2. Colour`; only with a zero or beside others it is no word. */
const NUMBER = /^(\d{1,2}|0\d\d)(?:[-_.)]+\s*|\s+[-–—]\s+|\s+)(?=[^\d\s])/

/** The folders in which two or more pages or folders have numbers, with their labels and a `/` at their ends. */
export function numberedFolders(pages: readonly Document[]): Set<string> {
  const all = pages.flatMap(({ entry: { label, path } }) => [...foldersAbove(path), path].map(each => label + each))
  const numbered = new Set(all.filter(path => NUMBER.test(basename(path))))
  const folders = Map.groupBy(numbered, path => path.slice(0, path.lastIndexOf('/') + 1))
  return new Set([...folders].filter(([, { length }]) => length > 1).map(([folder]) => folder))
}

/** A name without what exports and generators add to it. */
function plainName(name: string, { generator }: SiteFacts): string {
  return generator.words(visibleName(withoutExportIds(name)))
}

/** A name with a slug of at most 100 characters; empty if it has none. */
function shortName(name: string): string {
  const id = slug(name)
  const isLong = Math.max(id.length, name.length) > 100
  return isLong || id === '' ? slug(id.slice(0, 100).toWellFormed()) : name.trim().normalize('NFC')
}

/** Gives each page a path with its own id: with its names, then with its other names, then with a number: `logo-2`. */
function pageTaker(notes: Notes): (place: Place & { entry: Entry }) => { to: string; id: PageId } {
  const paths = openPathAllocator()
  const ids = new Set<string>()
  const idOf = (to: string) => slugs(withoutIndex(to.slice('pages/'.length, -'.md'.length)).split('/'))
  return ({ entry, names, others = [], guess }) => {
    const wishes = [names, ...others]
    for (let number = 1; ; number++) {
      const { [number - 1]: wish = withNumber(wishes.at(-1), number) } = wishes
      const folders = slugs(wish).length > MAX_PATH ? [] : wish.slice(0, -1)
      const wanted = ['pages', ...folders, `${wish.at(-1)}.md`].join('/')
      const to = ids.has(idOf(wanted)) ? wanted : paths.take(wanted)
      const id = idOf(to)
      if (!isPageId(id) || ids.has(id)) continue
      ids.add(id)
      const why = number > 1 ? 'another page has its address' : guess
      if (why !== undefined) notes.guessed.push({ path: shownPath(entry), key: 'path', value: to, why })
      return { to, id }
    }
  }
}

function withNumber(names: readonly string[] = [], number: number): string[] {
  return [...names.slice(0, -1), `${names.at(-1)}-${number}`]
}

/** In characters: an id has at most 255, and may get a number. */
const MAX_PATH = 250

function slugs(names: readonly string[]): string {
  return names.filter(Boolean).map(slug).join('/')
}

/** The id of a page that had this address: `/Old/Logo.html` was `old/logo`. */
function idOfAddress(address: string, names: readonly string[], facts: SiteFacts): string {
  const isRelative = facts.generator.isRelative && !address.startsWith('/')
  const folders = isRelative ? names.slice(0, -1) : []
  const path = withoutExtension(withoutLastSlash(`/${fromRoot(address, facts)}`))
  return slugs([...folders, ...withoutIndex(path).split('/')]) || HOME_PAGE
}

/** The ids of all pages in the order of their tree, unless that is the order by their numbers anyway. */
function listedPages(plans: readonly PagePlan[], orders: ReadonlyMap<string, number>): PageId[] {
  const numbered = plans.map(({ id, meta }) => withoutUndefined({ id, order: meta.order }))
  const byNumber = inReadingOrder(numbered, []).map(({ id }) => id)
  /** The pages and folders in each page or folder, in the order of their first pages; `''` is the root. */
  const nodes = new Set<string>(byNumber.flatMap(id => [...foldersAbove(id), id]))
  const children = Map.groupBy(nodes, folderOf)
  const childrenOf = (node: string) => children.get(node) ?? []
  const given = new Map([...orders, [HOME_PAGE, Number.NEGATIVE_INFINITY] as const])
  const isFolder = (node: string) => childrenOf(node).length > 0
  // Beside folders with an order, others come last. Without such ones, a folder has the lowest order of the pages in it.
  const parents = new Set([...given.keys()].filter(isFolder).map(folderOf))
  const innerOrders = (node: string) => (parents.has(folderOf(node)) ? [] : childrenOf(node).map(orderOf))
  const orderOf: (node: string) => number = memoize(
    node => given.get(node) ?? Math.min(Number.POSITIVE_INFINITY, ...innerOrders(node)),
  )
  const inTree = (node: string, order: (node: string) => number): string[] =>
    childrenOf(node)
      .toSorted((a, b) => order(a) - order(b))
      .flatMap(child => [child, ...inTree(child, order)])
  const sorted = inTree('', orderOf)
  const isSame = sorted.join('\n') === inTree('', () => 0).join('\n')
  return isSame ? [] : sorted.filter(node => byNumber.some(id => id === node)).filter(isPageId)
}
