import { basename, dirname, join } from 'node:path/posix'
import { fileStem } from '#brand/file.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { ITEMS } from '#formats/json/module-value.ts'
import { field, isObject } from '#platform/base/object.ts'
import { singleSpaced, withoutLastSlash, withoutQuery, wordSet } from '#platform/base/text.ts'
import type { SiteGenerator } from './generators/generator.ts'
import { isPage, withoutExtension } from './leave-out.ts'
import { dataOf, found, listsIn, plainText, type Settings } from './settings.ts'
import type { Entry } from './source.ts'

/** The order of pages and folders, their names in the navigation, and the groups of pages there, by path in the source. */
export type Order = Pick<ReturnType<typeof openOrder>, 'order' | 'labels' | 'groups'> & {
  /** The pages and folders of a menu that has no others. */
  menu: ReadonlySet<string>
}

/** The menu of a site that makes it of all pages. */
export const WHOLE_MENU: ReadonlySet<string> = new Set(['.'])

/** The order and names in the navigation of the settings, whose paths begin at `root`, then in the files of folders. */
export async function readOrder(
  entries: readonly Entry[],
  root: string,
  generator: SiteGenerator,
  { data }: Settings,
): Promise<Order> {
  const { put, putAll, ...read } = openOrder(entries.map(({ path }) => path))
  for (const nav of generator.nav.flatMap(name => found(data, name))) putAll(root, nav)
  const files = entries.filter(({ path }) => generator.order.has(basename(path)))
  const { menus = [], folders = [] } = Object.groupBy(files, ({ path }) =>
    MENUS.has(fileStem(path).toLowerCase()) ? 'menus' : 'folders',
  )
  for (const entry of menus)
    putAll(entry.path.endsWith('.md') ? dirname(entry.path) : root, listIn(await dataOf(entry)))
  // The address of a site in a list of links is that of its home page, which is no folder of all pages.
  for (const { path } of menus.filter(each => each.path.endsWith('.md'))) read.order.delete(dirname(path))
  const menu = generator.hasMenu && read.order.size > 0 ? new Set(read.order.keys()) : WHOLE_MENU
  for (const entry of folders) {
    const own = await dataOf(entry)
    putAll(dirname(entry.path), listIn(own))
    put(dirname(entry.path), field(own, 'label'), { position: Number.parseFloat(`${field(own, 'position')}`) })
  }
  nameGroups(read, root)
  return { ...read, menu }
}

/** Gives a folder below the root the name of a group with the same pages, and takes out a single group around all pages. */
export function nameGroups({ groups, labels }: Pick<Order, 'groups' | 'labels'>, root: string): void {
  // It would only be one more step to them.
  if (new Set(Array.from(groups.values(), ([first]) => first).filter(Boolean)).size < 2) groups.clear()
  const paths = [...groups.keys()]
  const groupOf = (path: string) => groups.get(path)?.join('/') ?? ''
  const sizes = Map.groupBy(paths, groupOf)
  for (const [folder, [first = '', ...others]] of Map.groupBy(paths, path => (isPage(path) ? dirname(path) : path))) {
    const isGroup = others.every(path => groupOf(path) === groupOf(first))
    const isWhole = sizes.get(groupOf(first))?.length === others.length + 1
    const name = groups.get(first)?.at(-1)
    if (isGroup && isWhole && name !== undefined && folder !== root) labels.set(folder, name)
  }
}

/** Names of files with the menu of a whole site. */
const MENUS = wordSet('sidebars _sidebar summary')

function listIn(data: unknown): unknown {
  return field(data, 'nav') ?? field(data, ITEMS) ?? data
}

/** Collects the order and names of pages and folders among these paths. */
export function openOrder(paths: readonly string[]) {
  const [order, labels] = [new Map<string, number>(), new Map<string, string>()]
  const groups = new Map<string, readonly string[]>()
  const pages = paths.filter(isPage)
  const places = new Map(['.', ...pages.flatMap(foldersAbove)].map(folder => [folder, folder]))
  for (const path of pages) places.set(pageName(path), path)
  // A folder may have a README beside its index, which has the address of both.
  const exact = new Set(pages)
  const placeOf = (folder: string, address = NOWHERE) => {
    const path = withoutQuery(join(folder, address))
    return exact.has(path) ? path : places.get(pageName(path))
  }
  const put = (path: string, label: unknown, { position = order.size + 1, around = NONE } = {}) => {
    const orders = [position].filter(each => Math.abs(each) <= 1e6)
    keepFirst(order, path, orders)
    const texts = [label].filter(text => typeof text === 'string').map(text => plainText(text).replace(FILE_NAME, ''))
    keepFirst(labels, path, texts.filter(Boolean))
    keepFirst(groups, path, [around.filter(Boolean)])
  }
  const isPlaceIn = (folder: string, address: unknown): address is string =>
    typeof address === 'string' && placeOf(folder, address) !== undefined
  const putItem = (folder: string, item: unknown, around: readonly string[]): void => {
    const isPlace = (address: unknown): address is string => isPlaceIn(folder, address)
    // The names of the menus in an object are no groups of pages.
    const isTop = around.length === 0 && isObject(item)
    for (const { label = '', link, group = '', inner } of around.length > MAX_DEPTH ? [] : itemsOf(item, isPlace)) {
      const path = placeOf(folder, link)
      if (path !== undefined) put(path, label, { around: [...around, groupName(group)] })
      const name = isTop || path !== undefined ? '' : groupName(label)
      // An address in a group may begin at that of the group.
      for (const start of new Set([folder, join(folder, link ?? '.')]))
        for (const each of inner) putItem(start, each, [...around, name])
    }
  }
  const putAll = (folder: string, menu: unknown) => putItem(folder, menu, [])
  /** The outermost lists in data most of whose records name pages, which are menus. */
  const menusIn = (folder: string, data: unknown): unknown[] => {
    const lists = listsIn(data).slice(0, MAX_LISTS)
    const menus = lists.filter(list => {
      const targets = TARGETS.flatMap(key => found(list, key))
      const named = targets.filter(address => isPlaceIn(folder, address))
      return named.length > 1 && named.length * 2 >= targets.length
    })
    const inner = new Set(menus.flatMap(menu => listsIn(menu).slice(1)))
    return menus.filter(menu => !inner.has(menu))
  }
  return { order, labels, groups, put, putAll, menusIn }
}

function groupName(label: string): string {
  return singleSpaced(plainText(label).replaceAll('/', ' '))
}

const NONE: readonly string[] = []
const MAX_LISTS = 100
/** An address that no page has. */
const NOWHERE = '\0'
const MAX_DEPTH = 20
/** The name of a file, which is no name of a page. */
const FILE_NAME = /^\S+\.\w{2,5}$/

/** Sets a value, if there is one, unless an earlier one was set. */
function keepFirst<Value>(map: Map<string, Value>, path: string, [value]: readonly Value[]): void {
  if (value !== undefined && !map.has(path)) map.set(path, value)
}

/** An entry of a navigation, with its name, the address of its page, the group that it names, and what is below it. */
type Item = {
  label?: string | undefined
  link?: string | undefined
  group?: string | undefined
  inner: readonly unknown[]
}

/** An entry has its name and target in fields, or is a map of names to targets, or of targets to names. */
function itemsOf(value: unknown, isPlace: (address: unknown) => address is string): Item[] {
  return [value].flat(MAX_DEPTH).flatMap((item): Item[] => {
    if (typeof item === 'string') return [{ link: item, inner: [] }]
    const fields = Object.entries<unknown>(Object(item))
    const { texts = [], inner = [] } = Object.groupBy(fields, ([, own]) =>
      typeof own === 'object' ? 'inner' : 'texts',
    )
    const textOf = new Map(texts)
    const inside = TARGETS.map(key => field(field(item, 'autogenerate'), key))
    const link = [...TARGETS.map(key => textOf.get(key)), ...inside].find(isPlace)
    const label = LABELS.map(key => textOf.get(key)).find(text => typeof text === 'string')
    if ((link ?? label) === undefined) return fields.map(([key, own]) => pairOf(key, own, isPlace))
    const [group] = [textOf.get('group')].filter(text => typeof text === 'string').filter(text => text !== label)
    return [{ label, link, group, inner: inner.map(([, own]) => own) }]
  })
}

function pairOf(key: string, own: unknown, isPlace: (address: unknown) => boolean): Item {
  if (typeof own === 'object') return { label: nameIn(key), inner: [own] }
  const text = String(own)
  return isPlace(text) ? { label: nameIn(key), link: text, inner: [] } : { label: text, link: key, inner: [] }
}

/** A key as a name. */
function nameIn(key: string): string {
  return ENTRIES.has(key) ? '' : key
}

/** Names of the fields of an entry of a navigation. */
const TARGETS = 'link slug id url path href page pageRef directory dirName docId file'.split(' ')
const LABELS = ['label', 'text', 'title', 'name', 'group', 'caption']
/** Fields with the entries of a group or with the first page, which are not its name. */
const ENTRIES = wordSet('root items children pages contents chapters parts autogenerate nav links')

/** A page by any of its addresses: `docs/logo.md`, `docs/logo/`, `docs/logo/index`. */
function pageName(path: string): string {
  return bareAddress(path).replace(INDEX, '/index')
}

/** The same for all ways of writing the address of a page: `/Logo/index.html`, `/logo.md?v=2`, `/logo/`. */
export function pageKey(address: string): string {
  return withoutIndex(bareAddress(address)).toLowerCase()
}

function bareAddress(address: string): string {
  return withoutExtension(withoutLastSlash(withoutQuery(address)))
}

/** The path of the folder that an index stands for, and any other path as it is. */
export function withoutIndex(path: string): string {
  return path.replace(INDEX, '')
}

const INDEX = /\/(?:_?index|readme)$/i
