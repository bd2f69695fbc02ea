import { createHash } from 'node:crypto'
import { perObject } from '../../../base/object.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Library } from '../../../serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { KINDS, type Kind, kindOf } from './file-kind.ts'
import { libraryItem } from './library-item.ts'
import { type UseFilter, usableGroups } from './use-filter.ts'

/** A page of the list of all files or of one kind; pages count from 1. */
export type FileList = { kind: Kind | 'all'; number: number }

/** Items per page, each with all its formats. */
export const ITEMS_ON_PAGE = 500

/** The name of a list below `/-/`: `files`, `files/all-2`, `files/fonts`, `files/fonts-2`. */
export function listName({ kind, number }: FileList): string {
  if (number > 1) return `files/${kind}-${number}`
  return kind === 'all' ? 'files' : `files/${kind}`
}

/** Parses the name of a list; undefined if there is no such list. */
export function listOf(name: string): FileList | undefined {
  const [, kind = 'all', number = '1'] = /^files(?:\/([a-z]+)(?:-(\d{1,4}))?)?$/.exec(name) ?? []
  const list = { kind, number: Number(number) }
  return isList(list) && listName(list) === name ? list : undefined
}

function isList(list: { kind: string; number: number }): list is FileList {
  return list.kind === 'all' || KINDS.some(kind => kind === list.kind)
}

/** The listed items of a library. Without a filter, a service also lists expired files; a copy does not. */
export function shownGroups(
  { publication, copy }: Guide,
  library: Library,
  filter: UseFilter | undefined = copy && {},
): readonly FormatGroup[] {
  return filter ? usableGroups(library, filter, publication.content.today()) : library.groups
}

/** Items by kind, in the same order; made once for a list. */
export const groupsByKind = perObject(
  (groups: readonly FormatGroup[]): ReadonlyMap<Kind, readonly FormatGroup[]> =>
    Map.groupBy(groups, group => (group.length === 1 ? kindOf(group[0]) : libraryItem(group).kind)),
)

/** The items of a kind, over all pages of its list. */
export function groupsIn(groups: readonly FormatGroup[], kind: FileList['kind']): readonly FormatGroup[] {
  return kind === 'all' ? groups : (groupsByKind(groups).get(kind) ?? [])
}

/** The items on a page of a list. */
export function groupsOnPage(groups: readonly FormatGroup[], number: number): readonly FormatGroup[] {
  return groups.slice((number - 1) * ITEMS_ON_PAGE, number * ITEMS_ON_PAGE)
}

/** The anchor of a file on list pages; it changes only with the path. */
export function fileAnchor(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
}

/** The address of a library file below `/-/`: `files#file-0a1b2c3d4e5f`. */
export function fileListPath({ groupAt }: Library, path: string): string {
  const number = Math.floor((groupAt.get(path) ?? 0) / ITEMS_ON_PAGE) + 1
  return `${listName({ kind: 'all', number })}#${fileAnchor(path)}`
}
