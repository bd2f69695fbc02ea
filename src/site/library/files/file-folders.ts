import { perObject } from '#base/object.ts'
import { folderOf, isPicture } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { encodeSegment } from '#serving/addresses.ts'
import type { Library } from '#serving/publications/library.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { fileAnchor, listName, shownGroups } from './file-list.ts'

/** A folder of a library. `groups` has all its items in the order of the list, `own` those that are in no subfolder. */
export type FileFolder = {
  /** Such as `files/logo`. */
  path: string
  groups: FormatGroup[]
  own: FormatGroup[]
  folders: FileFolder[]
}

/** A part of a list that fits on a page: folders, then items. */
export type ListPage = { folders: readonly FileFolder[]; groups: readonly FormatGroup[] }

/** The folders of listed items, by path; `files` contains all others, also `pages`. Made once for a list. */
export const foldersOf = perObject((groups: readonly FormatGroup[], { folderOf: folderOfItem }: Library) => {
  const folders = new Map<string, FileFolder>()
  const folderAt = (path: string): FileFolder => {
    const before = folders.get(path)
    if (before) return before
    const folder = { path, groups: [], own: [], folders: [] }
    folders.set(path, folder)
    if (path !== ROOT) folderAt(folderOf(path) || ROOT).folders.push(folder)
    return folder
  }
  folderAt(ROOT)
  for (const group of groups) {
    const own = folderAt(folderOfItem(group))
    own.own.push(group)
    for (const folder of withFoldersAbove(folders, own)) folder.groups.push(group)
  }
  return folders
})

type Folders = ReadonlyMap<string, FileFolder>

const ROOT = 'files'

/** A folder and those above it, up to `files`. */
function withFoldersAbove(folders: Folders, folder: FileFolder): FileFolder[] {
  const above = folder.path === ROOT ? undefined : folders.get(folderOf(folder.path) || ROOT)
  return above ? [folder, ...withFoldersAbove(folders, above)] : [folder]
}

/** A list with at most this many items is one page. In longer ones, a page has at most this many folders and items. */
export const MAX_ITEMS = 300

/** The pages of a folder: all its items, or if it has too many, its subfolders and the items in none. Made once. */
export const folderPages = perObject((folder: FileFolder): readonly ListPage[] => {
  const { groups, own, folders } = contentOf(folder)
  return groups.length <= MAX_ITEMS ? pagesOf(groups) : pagesOf(own, folders)
})

/** The pages of a list of folders and items. An item with many formats or a long description takes more space. */
export function pagesOf(groups: readonly FormatGroup[], folders: readonly FileFolder[] = []): readonly ListPage[] {
  const pages: { folders: FileFolder[]; groups: FormatGroup[] }[] = []
  let space = 0
  const pageFor = (cost: number) => {
    const last = pages.at(-1)
    space -= cost
    if (last && space >= 0) return last
    const page = { folders: [], groups: [] }
    pages.push(page)
    space = MAX_ITEMS - cost
    return page
  }
  for (const folder of folders) pageFor(1).folders.push(folder)
  for (const group of groups) pageFor(costOf(group)).groups.push(group)
  return pages.length === 0 ? [{ folders: [], groups: [] }] : pages
}

function costOf(group: FormatGroup): number {
  const text = group.reduce((sum, file) => sum + ((isPicture(file) && file.metadata?.description?.length) || 0), 0)
  return Math.max(1, group.length / FORMATS_OF_ITEM + text / TEXT_OF_ITEM)
}

/** The formats and characters that fit into the space of an item. */
const FORMATS_OF_ITEM = 4
const TEXT_OF_ITEM = 500

/** The content of a folder: that of its only subfolder, if it has nothing else. */
function contentOf(folder: FileFolder): FileFolder {
  const [only, ...others] = folder.folders
  return only && others.length === 0 && folder.own.length === 0 ? contentOf(only) : folder
}

/** A folder at the path in an address, and the number of its page: `logo/print`, `logo/-/2`. */
export function folderAt(folders: Folders, path: string): { folder: FileFolder; page: number } | undefined {
  const find = (short: string) =>
    (short.startsWith('pages') ? folders.get(short) : undefined) ?? folders.get(`files/${short}`) ?? folders.get(short)
  const whole = find(path)
  if (whole) return { folder: whole, page: 1 }
  const [, start, page = ''] = /^(.+)\/-\/([1-9]\d{0,3})$/s.exec(path) ?? []
  const folder = start === undefined ? undefined : find(start)
  return folder && { folder, page: Number(page) }
}

/** The path of a page of a folder; that of `files` is the list of all files. */
export function folderPath(guide: Guide, folders: Folders, folder: FileFolder, page = 1): string {
  if (folder.path === ROOT) return pathBelow(guide, listName('all', page))
  const short = folder.path.replace(/^files\//, '')
  const name = folderAt(folders, short)?.folder === folder ? short : folder.path
  const end = page === 1 ? '' : `/-/${page}`
  return pathBelow(guide, `folder/${name.split('/').map(encodeSegment).join('/')}${end}`)
}

/** The folders above a folder whose pages have more than its own, the highest first. */
export function foldersAbove(folders: Folders, folder: FileFolder): readonly FileFolder[] {
  const [, ...above] = withFoldersAbove(folders, folder)
  return above.filter(each => each.path === ROOT || contentOf(each) === each).reverse()
}

/** The place of an item in the list of files: its folder, and the path of its page at the item. */
export function placeInList(guide: Guide, library: Library, group: FormatGroup) {
  const folders = foldersOf(shownGroups(guide, library), library)
  const own = folders.get(library.folderOf(group))
  const chain = own ? withFoldersAbove(folders, own).reverse() : []
  const isOn = (page: ListPage) => page.groups.includes(group)
  const folder = chain.find(each => folderPages(each).some(isOn))
  if (!folder) return { folders, folder: undefined, path: pathBelow(guide, listName('all')) }
  const page = folderPath(guide, folders, folder, folderPages(folder).findIndex(isOn) + 1)
  return { folders, folder, path: `${page}#${fileAnchor(group[0].path)}` }
}
