import { createHash } from 'node:crypto'
import { type BrandFile, isExpired } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { perObject } from '#platform/base/object.ts'
import { groupsOf } from '#platform/base/text.ts'
import { encodePath } from '#serving/addresses.ts'
import { fileAt, type Library } from '#serving/publications/library.ts'
import { KINDS, type Kind, kindOf } from '../../guide/file-kind.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { libraryItem } from './library-item.ts'
import { type UseFilter, usableGroups } from './use-filter.ts'

export type FileList = Kind | 'all'

/** The name of a page of a list below `/-/`: `files`, `files/fonts`, `files/all-2`. */
export function listName(list: FileList, page = 1): string {
  if (page > 1) return `files/${list}-${page}`
  return list === 'all' ? 'files' : `files/${list}`
}

/** Parses the name of a list: `files/fonts-2`. Undefined if there is no such list. */
export function listOf(name: string): FileList | undefined {
  const kind = LIST_NAME.exec(name)
  return kind ? LISTS.find(list => list === (kind[1] ?? 'all')) : undefined
}

/** The number of the page in the name of a list. */
export function pageOf(name: string): number {
  return Number(groupsOf(LIST_NAME, name)[2] ?? 1)
}

/** `files`, `files/fonts` or `files/fonts-2`. */
const LIST_NAME = /^files(?:\/([a-z]+)(?:-(\d{1,4}))?)?$/

const LISTS: readonly FileList[] = ['all', ...KINDS]

/** The listed items of a library. Without a filter, a service also lists expired files, last; a copy does not. */
export function shownGroups(
  { publication, site: { copy } }: Guide,
  library: Library,
  filter?: UseFilter,
): readonly FormatGroup[] {
  const today = publication.content.today()
  if (filter) return usableGroups(library, filter, today)
  const isOver = ([first]: FormatGroup) => isExpired(first, today)
  if (!library.groups.some(isOver)) return library.groups
  if (copy) return usableGroups(library, {}, today)
  return [...library.groups.filter(group => !isOver(group)), ...library.groups.filter(isOver)]
}

/** A list of at most this many items is one page. */
export const MAX_ITEMS = 300

/** The number of items or folders on each page of a list; a long list has fewer, so that their many formats fit too. */
export function pageSize({ length }: readonly unknown[]): number {
  return length > MAX_ITEMS ? 200 : MAX_ITEMS
}

/** Items by folder, if they are too many for one list; undefined also if all are in one folder. Made once for a list. */
export function foldersOf(
  groups: readonly FormatGroup[],
  library: Library,
): ReadonlyMap<string, readonly FormatGroup[]> | undefined {
  const folders = groups.length > MAX_ITEMS ? groupsByFolder(groups, library) : undefined
  return folders && folders.size > 1 ? folders : undefined
}

const groupsByFolder = perObject((groups: readonly FormatGroup[], { folderOf }: Library) =>
  Map.groupBy(groups, folderOf),
)

/** Items by kind, in the same order; made once for a list. */
export const groupsByKind = perObject(
  (groups: readonly FormatGroup[]): ReadonlyMap<Kind, readonly FormatGroup[]> =>
    Map.groupBy(groups, group => (group.length === 1 ? kindOf(group[0]) : libraryItem(group).kind)),
)

/** The items that a list shows: those of its kind, or all. */
export function groupsIn(groups: readonly FormatGroup[], list: FileList): readonly FormatGroup[] {
  return list === 'all' ? groups : (groupsByKind(groups).get(list) ?? [])
}

/** The anchor of a file on list pages; it changes only with the path. */
export function fileAnchor(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
}

/** All formats of a listed file; undefined if the library does not list it, as a copy with expired files. */
export function shownGroup(
  { publication, site: { copy } }: Guide,
  { groupWith }: Library,
  { path }: BrandFile,
): FormatGroup | undefined {
  const group = groupWith.get(path)
  const today = publication.content.today()
  return copy && group?.every(file => isExpired(file, today)) ? undefined : group
}

/** The path of a page of a folder's list: `/-/folder/files/logo`, and its second page `/-/folder/2/files/logo`. */
export function folderPath(guide: Guide, folder: string, page = 1): string {
  return pathBelow(guide, `folder/${page > 1 ? `${page}/` : ''}${encodePath(folder)}`)
}

/** The place of an item in the list of all files. `isInFolder` if that is the page of its folder. */
export function placeInList(guide: Guide, library: Library, group: FormatGroup): { path: string; isInFolder: boolean } {
  const allGroups = shownGroups(guide, library)
  const folder = library.folderOf(group)
  const groupsInFolder = foldersOf(allGroups, library)?.get(folder)
  const listedGroups = groupsInFolder ?? allGroups
  const page = Math.floor(listedGroups.indexOf(group) / pageSize(listedGroups)) + 1
  const list = groupsInFolder ? folderPath(guide, folder, page) : pathBelow(guide, listName('all', page))
  return { path: `${list}#${fileAnchor(group[0].path)}`, isInFolder: groupsInFolder !== undefined }
}

/**
 * The path of the page of a listed file, without its first folder unless another file would have that path: `file/logo.svg`
 * for `files/logo.svg`. The path of the file itself if it has no page.
 */
export function filePath(guide: Guide, library: Library, file: BrandFile): string {
  if (!shownGroup(guide, library, file)) return guide.site.paths.file(guide.publication.record, file)
  const short = file.path.slice(file.path.indexOf('/') + 1)
  const path = fileAt(library, short) === file ? short : file.path
  return pathBelow(guide, `file/${encodePath(path)}`)
}
