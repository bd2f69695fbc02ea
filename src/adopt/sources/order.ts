import { dirname, join } from 'node:path/posix'
import { foldersAbove } from '#brand/portable-paths.ts'
import { ITEMS } from '#formats/json/module-value.ts'
import { field, isObject } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import type { Generator } from './generators/generator.ts'
import { isPage, withoutExtension } from './leave-out.ts'
import { dataOf, found, plainText, type Settings } from './settings.ts'
import type { Entry } from './source.ts'

/** The order of pages and folders, their names in the navigation, and the groups of pages there, by path in the source. */
export type Order = Pick<ReturnType<typeof openOrder>, 'order' | 'labels' | 'groups'>

/** The order and names in the navigation of the settings, whose paths begin at `root`, then in the files of folders. */
export async function readOrder(
  entries: readonly Entry[],
  root: string,
  generator: Generator | undefined,
  { data }: Settings,
): Promise<Order> {
  const { put, putAll, ...read } = openOrder(entries.map(({ path }) => path))
  for (const name of generator?.nav ?? []) for (const nav of found(data, name)) putAll(root, nav)
  for (const entry of entries) {
    if (!generator?.order?.test(entry.path)) continue
    const own = await dataOf(entry)
    const folder = dirname(entry.path)
    const isOfSite = /sidebars\.\w+$/.test(entry.path)
    putAll(isOfSite ? root : folder, field(own, 'nav') ?? field(own, ITEMS) ?? own)
    put(folder, field(own, 'label'), Number(field(own, 'position') ?? Number.NaN))
  }
  // A single group around all pages would only be one more step to them.
  if (new Set(Array.from(read.groups.values(), ([first]) => first).filter(Boolean)).size < 2) read.groups.clear()
  return read
}

/** Collects the order and names of pages and folders among these paths. */
export function openOrder(paths: readonly string[]) {
  const [order, labels] = [new Map<string, number>(), new Map<string, string>()]
  const groups = new Map<string, readonly string[]>()
  const around: string[] = []
  const pages = paths.filter(isPage)
  const places = new Map(pages.flatMap(foldersAbove).map(folder => [folder, folder]))
  for (const path of pages) places.set(pageName(path), path)
  const placeOf = (folder: string, value: unknown) =>
    typeof value === 'string' ? places.get(pageName(join(folder, value))) : undefined
  const put = (path: string, label: unknown, position = order.size + 1) => {
    if (!order.has(path) && Math.abs(position) <= 1e6) order.set(path, position)
    const text = typeof label === 'string' ? plainText(label) : ''
    if (text !== '' && !labels.has(path)) labels.set(path, text)
    if (!groups.has(path)) groups.set(path, [...around])
  }
  const putAll = (folder: string, item: unknown, depth = 0): void => {
    if (depth > MAX_DEPTH) return
    const path = placeOf(folder, item)
    if (path !== undefined) put(path, undefined)
    else if (Array.isArray(item)) for (const each of item) putAll(folder, each, depth + 1)
    else if (isObject(item)) putEntry(folder, item, depth)
  }
  /** An entry has its name and target in fields, or is a map of names to targets, or of targets to names. */
  const putEntry = (folder: string, item: Record<string, unknown>, depth: number) => {
    const target = TARGETS.map(key => placeOf(folder, item[key] ?? field(item.autogenerate, key))).find(Boolean)
    const label = LABELS.map(key => item[key]).find(text => typeof text === 'string')
    const outside = around.length
    if (target !== undefined) put(target, label)
    for (const [key, value] of Object.entries(item)) {
      if (target !== undefined && TARGETS.includes(key)) continue
      const path = placeOf(folder, value)
      if (path !== undefined) put(path, LABELS.includes(key) ? undefined : key)
      else if (typeof value === 'object') {
        const group = target === undefined && depth > 0 ? (label ?? (ENTRIES.has(key) ? '' : key)) : ''
        around.push(
          ...(typeof group === 'string' && group !== ''
            ? [plainText(group.replace(/(?:(?<!\s)\s+)?\/\s*/g, ' '))]
            : []),
        )
        putAll(folder, value, depth + 1)
        around.length = outside
      } else if (target === undefined && label === undefined && placeOf(folder, key) !== undefined)
        put(placeOf(folder, key) ?? '', value)
    }
  }
  return { order, labels, groups, put, putAll }
}

/** Names of the fields of an entry of a navigation. */
const TARGETS = 'link slug id url path href page pageRef directory dirName docId file'.split(' ')
const LABELS = ['label', 'text', 'title', 'name']
/** Fields with the entries of a group, which are not its name. */
const ENTRIES = wordSet('items children pages contents chapters autogenerate nav links')

/** A page by any of its addresses: `docs/logo.md`, `docs/logo/`, `docs/logo/index`. */
function pageName(path: string): string {
  const plain = withoutExtension(path.replace(/#.*$/s, '').replace(/\/$/, ''))
  return plain.replace(/\/(?:_?index|readme)$/i, '/index')
}

const MAX_DEPTH = 20
