import { basename, dirname } from 'node:path/posix'
import { isPageId, type PageId, slug } from '#brand/ids.ts'
import { HOME_PAGE, inReadingOrder } from '#brand/page.ts'
import { foldersAbove, openPathAllocator, safeName } from '#brand/portable-paths.ts'
import { compareStrings, groupsOf, memoize } from '#platform/base/text.ts'
import type { ConvertedPage } from '../pages/page.ts'
import { type Notes, noNotes } from '../report/report.ts'
import { placeOnSite, type SiteFacts } from '../sources/facts.ts'
import { withoutExportIds } from '../sources/generators/generator.ts'
import { withoutExtension } from '../sources/leave-out.ts'
import { type Entry, shownPath } from '../sources/source.ts'

/** A converted page, with the facts of its source, its path below the folder of the pages, and its language there. */
export type SourcePage = {
  entry: Entry
  page: ConvertedPage
  facts: SiteFacts
  place: string
  lang?: string | undefined
  /** Whether it is the home page, although another page has that place on the site. */
  isHome?: boolean
  /** Why it is unread. */
  off?: string | undefined
}

/** A page with its place in the new folder, such as `pages/logo/index.md`. Its aliases are ids. */
export type PagePlan = SourcePage & {
  to: string
  id: PageId
  /** The paths of the page on the site that the source makes, as ids; some belong to other pages here. */
  addresses: readonly string[]
}

/**
 * Gives each page its place in the tree that it had. `listed` is the order of all pages, if their
 * numbers alone do not give it.
 */
export function planPages(published: readonly SourcePage[]): { plans: PagePlan[]; listed: PageId[]; notes: Notes } {
  const notes = noNotes()
  const hasNumbers = numberedFolders(published)
  const take = pageTaker(notes)
  const taken = published
    .map(page => ({ ...page, ...pagePlace(page, hasNumbers, published.length === 1) }))
    .sort((a, b) => a.rank - b.rank || compareStrings(a.entry.path, b.entry.path))
    .map(place => ({ ...place, ...take(place) }))
  const ids = new Set<string>(taken.map(({ id }) => id))
  const orders = new Map<string, number>()
  const outside = outsideMenu(taken)
  for (const entry of outside)
    notes.guessed.push({
      path: shownPath(entry),
      key: 'nav',
      value: 'false',
      why: 'the menu of the site has no link to it',
    })
  const plans = taken.map(({ names, orders: own, ...source }): PagePlan => {
    const { entry, page, facts, to, id } = source
    const parts = id.split('/')
    for (const [at, order] of own.entries())
      if (order !== undefined) orders.set(parts.slice(0, at + 1).join('/'), order)
    const addresses = page.meta.aliases.map(address => idOfAddress(address, names, facts))
    const isFree = (id: string, at: number) => isPageId(id) && !ids.has(id) && id !== HOME_PAGE && at < MAX_ALIASES
    const aliases = addresses.filter((address, at) => {
      if (isFree(address, at)) return ids.add(address)
      const text = page.meta.aliases[at] ?? ''
      if (address !== id) notes.lost.push({ path: shownPath(entry), line: 1, what: 'earlier address', text })
      return false
    })
    const order = page.meta.order ?? own.at(-1)
    if (order !== undefined) orders.set(id, order)
    const folder = to.endsWith('/index.md') ? facts.labels.get(dirname(entry.path)) : undefined
    const nav = page.meta.nav ?? (outside.has(entry) ? false : (folder ?? facts.labels.get(entry.path)))
    return { ...source, addresses, page: { ...page, meta: { ...page.meta, aliases, order, nav } } }
  })
  return { plans, listed: listedPages(plans, orders), notes }
}

const MAX_ALIASES = 100

/** The pages that a menu which has most pages of its site leaves out. */
function outsideMenu(pages: readonly (SourcePage & { id: PageId })[]): Set<Entry> {
  const apart = pages.filter(({ entry: { path }, facts, id }) => {
    const isListed = ['.', path, ...foldersAbove(path)].some(place => facts.menu?.has(place) ?? true)
    return !isListed && id !== HOME_PAGE && placeOnSite(path, facts).isBelow
  })
  return new Set(apart.length * 2 > pages.length ? [] : apart.map(({ entry }) => entry))
}

/**
 * The names of a page and its folders, and their orders. The lower `rank` has an id that two pages want. `others` are the
 * names if the page does not get its id, and `guess` says why its path is one.
 */
type Place = { names: string[]; orders: (number | undefined)[]; rank: number; others?: string[]; guess?: string }

function pagePlace(
  { entry, page, facts, place, isHome: isFirst }: SourcePage,
  hasNumbers: ReadonlySet<string>,
  isOnly: boolean,
): Place {
  const { path, label } = entry
  const { isBelow } = placeOnSite(path, facts)
  const segments = withoutExtension(place).split('/')
  /** The path of the folder that a segment is in, with a slash at its end. */
  let folder = path.endsWith(place) ? path.slice(0, path.length - place.length) : `${facts.root}/`.replace(/^\//, '')
  const parts = segments.map((segment, at) => {
    const [front = '', digits] = groupsOf(NUMBER, segment)
    const isNumbered = front !== '' && (front.startsWith('0') || hasNumbers.has(label + folder))
    folder += `${segment}/`
    const order = facts.order.get(at === segments.length - 1 ? path : folder.slice(0, -1))
    const name = plainName(isNumbered ? segment.slice(front.length) : segment, facts)
    return { name: shortName(name), order: order ?? (isNumbered ? Number(digits) : undefined) }
  })
  const folders = parts.slice(0, -1).map(({ name }) => name || 'folder')
  const orders = parts.map(({ order }) => order)
  // Of a page without folders, the groups of the navigation are its folders.
  const groups =
    parts.length > 1 ? [] : (facts.groups.get(path) ?? []).map(group => shortName(safeName(group))).filter(Boolean)
  const file = parts.at(-1)?.name ?? ''
  const isTop = withoutExtension(path) === facts.root
  const isBook = isOnly && /\.docx$/i.test(path)
  const isHome = isTop || isBook || page.meta.aliases.some(address => address === '/')
  const isReadme = /^readme$/i.test(file)
  // Pages outside of the site come last, then read-mes, then home pages; HTML comes after Markdown.
  const signs = [!(isBelow || isTop), isReadme, isHome && !isReadme, /\.html?$/i.test(path)]
  const rank = isFirst ? -1 : signs.reduce((sum, sign, at) => sum + Number(sign) / 2 ** at, 0)
  if (isReadme || /^index$/i.test(file) || facts.generator?.index?.test(file)) {
    // The page stands for its folder, and has its order.
    if (folders.length > 0) orders.splice(-2, 2, orders.at(-2) ?? orders.at(-1))
    const root = basename(path.slice(0, path.length - place.length)) || 'home'
    const other = isReadme ? 'read-me' : folders.length === 0 ? root : undefined
    return { names: [...folders, 'index'], orders, rank, ...(other && { others: [...folders, other] }) }
  }
  const isNameless = file === '' || facts.generator?.nameless?.test(file) === true
  const names = [...folders, isNameless ? shortName(page.meta.title ?? '') || 'page' : file]
  if (isHome) return { names: ['index'], orders: [undefined], rank, others: names }
  const inGroups = { names: [...groups, ...names], orders: [...groups.map(() => undefined), ...orders], rank }
  return { ...inGroups, ...(isNameless && { guess: 'the name of the file is no name of a page' }) }
}

/** A number in front of a name, as in `01-logo` and `2. Colour`; only with a zero or beside others it is no word. */
const NUMBER = /^(\d{1,2}|0\d\d)(?:[-_.)]+\s*|\s+[-–—]\s+|\s+)(?=[^\d\s])/

/** The folders in which two or more pages or folders have numbers, with their labels and a `/` at their ends. */
export function numberedFolders(pages: readonly SourcePage[]): Set<string> {
  const all = pages.flatMap(({ entry: { label, path } }) => [...foldersAbove(path), path].map(each => label + each))
  const numbered = new Set(all.filter(path => NUMBER.test(basename(path))))
  const folders = Map.groupBy(numbered, path => path.slice(0, path.lastIndexOf('/') + 1))
  return new Set([...folders].flatMap(([folder, { length }]) => (length > 1 ? [folder] : [])))
}

/** A name without what exports and generators add to it. */
function plainName(name: string, { generator }: SiteFacts): string {
  const plain = withoutExportIds(name)
    .replace(/^[._]+/, '')
    .replace(generator?.added ?? /$/, '')
  return generator?.words?.(plain) ?? plain
}

/** A name with a slug of at most 100 characters; empty if it has none. */
function shortName(name: string): string {
  const id = slug(name)
  if (id === '') return ''
  return id.length > 100 || name.length > 100 ? slug(id.slice(0, 100).toWellFormed()) : name.trim().normalize('NFC')
}

/** Gives each page a path with its own id: with its names, then with its other names, then with a number: `logo-2`. */
function pageTaker(notes: Notes): (place: Place & { entry: Entry }) => { to: string; id: PageId } {
  const paths = openPathAllocator()
  const ids = new Set<string>()
  const idOf = (to: string) => slugs(/^pages\/(.+?)(?:\/index)?\.md$/s.exec(to)?.[1]?.split('/') ?? [])
  return ({ entry, names, others, guess }) => {
    for (let number = 1; ; number++) {
      const triedNames = number > 1 && others ? others : names
      const last = number > (others ? 2 : 1) ? `${triedNames.at(-1)}-${number}` : triedNames.at(-1)
      const folders = slugs(triedNames).length > MAX_PATH ? [] : triedNames.slice(0, -1)
      const wanted = ['pages', ...folders, `${last}.md`].join('/')
      const to = ids.has(idOf(wanted)) ? wanted : paths.take(wanted)
      const id = idOf(to)
      if (!isPageId(id) || ids.has(id)) continue
      ids.add(id)
      const why = number > 1 ? 'another page has its address' : guess
      if (why) notes.guessed.push({ path: shownPath(entry), key: 'path', value: to, why })
      return { to, id }
    }
  }
}

/** In characters: an id has at most 255, and may get a number. */
const MAX_PATH = 250

function slugs(names: readonly string[]): string {
  return names.filter(Boolean).map(slug).join('/')
}

/** The id of a page that had this address: `/Old/Logo.html` was `old/logo`. */
function idOfAddress(address: string, names: readonly string[], { baseUrl, generator }: SiteFacts): string {
  const isRelative = !address.startsWith('/') && generator?.isRelative === true
  const path = baseUrl !== '' && address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address
  const segments = withoutExtension(path.replace(/(?<!\/)\/+$/, '')).split('/')
  const all = isRelative ? [...names.slice(0, -1), ...segments] : segments
  return slugs(/^index$/i.test(all.at(-1) ?? '') ? all.slice(0, -1) : all) || HOME_PAGE
}

/** The ids of all pages in the order of their tree, unless that is the order by their numbers anyway. */
function listedPages(plans: readonly PagePlan[], orders: ReadonlyMap<string, number>): PageId[] {
  const byNumber = inReadingOrder(
    plans.map(({ id, page: { meta } }) => ({ id, ...(meta.order !== undefined && { order: meta.order }) })),
    [],
  )
  /** The pages and folders in each page or folder, in the order of their first pages; `''` is the root. */
  const children = new Map<string, Set<string>>()
  for (const { id } of byNumber)
    for (let child: string = id; child !== ''; ) {
      const parent = child.slice(0, Math.max(0, child.lastIndexOf('/')))
      children.set(parent, (children.get(parent) ?? new Set()).add(child))
      child = parent
    }
  const childrenOf = (id: string) => [...(children.get(id) ?? [])]
  // A folder without an order has the lowest one of the pages in it.
  const orderOf: (id: string) => number = memoize(id =>
    id === HOME_PAGE
      ? Number.NEGATIVE_INFINITY
      : (orders.get(id) ?? Math.min(Number.POSITIVE_INFINITY, ...childrenOf(id).map(orderOf))),
  )
  const inTree = (id: string, sort: (ids: string[]) => string[]): string[] =>
    sort(childrenOf(id)).flatMap(child => [child, ...inTree(child, sort)])
  const sorted = inTree('', ids =>
    ids.sort((a, b) => Number(orderOf(a) > orderOf(b)) - Number(orderOf(a) < orderOf(b))),
  )
  const isSame = sorted.join('\n') === inTree('', ids => ids).join('\n')
  const pageIds = new Set<string>(plans.map(({ id }) => id))
  return isSame ? [] : sorted.filter(isPageId).filter(id => pageIds.has(id))
}
