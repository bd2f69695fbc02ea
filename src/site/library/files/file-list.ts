import { createHash } from 'node:crypto'
import { yieldIfDue } from '../../../base/steps.ts'
import type { FormatGroup } from '../../../brand/library.ts'
import type { Library } from '../../../serving/publications/library.ts'
import { KINDS, type Kind, kindOf } from './file-kind.ts'
import { libraryItem } from './library-item.ts'

/** A page of the list of all files or of those of a kind; pages are counted from 1. */
export type FileList = { kind: Kind | 'all'; number: number }

/** How many things stand on a page, each with all its formats. */
export const ITEMS_ON_PAGE = 500

/** The name of a list below `/-/`: `files`, `files/all-2`, `files/fonts`, `files/fonts-2`. */
export function listName({ kind, number }: FileList): string {
  if (number > 1) return `files/${kind}-${number}`
  return kind === 'all' ? 'files' : `files/${kind}`
}

/** The list with a name; undefined if there is no such list. */
export function listOf(name: string): FileList | undefined {
  const [, kind = 'all', number = '1'] = /^files(?:\/([a-z]+)(?:-(\d{1,4}))?)?$/.exec(name) ?? []
  const list = { kind, number: Number(number) }
  return isList(list) && listName(list) === name ? list : undefined
}

function isList(list: { kind: string; number: number }): list is FileList {
  return list.kind === 'all' || KINDS.some(kind => kind === list.kind)
}

/** The things of a library by kind, in the order of their paths; made once for a library. */
export async function groupsByKind(library: Library): Promise<ReadonlyMap<Kind, readonly FormatGroup[]>> {
  const known = kinds.get(library)
  if (known) return known
  const found = new Map<Kind, FormatGroup[]>()
  for (const group of library.groups) {
    const kind = group.length === 1 ? kindOf(group[0]) : libraryItem(group).kind
    const others = found.get(kind)
    if (others) others.push(group)
    else found.set(kind, [group])
    const turn = yieldIfDue()
    if (turn) await turn
  }
  kinds.set(library, found)
  return found
}

const kinds = new WeakMap<Library, ReadonlyMap<Kind, readonly FormatGroup[]>>()

/** All things in a list, on whichever of its pages. */
export async function groupsIn(library: Library, kind: FileList['kind']): Promise<readonly FormatGroup[]> {
  return kind === 'all' ? library.groups : ((await groupsByKind(library)).get(kind) ?? [])
}

/** The things on a page of a list. */
export function groupsOnPage(groups: readonly FormatGroup[], number: number): readonly FormatGroup[] {
  return groups.slice((number - 1) * ITEMS_ON_PAGE, number * ITEMS_ON_PAGE)
}

/** The id of a file on the pages that show it: the same for as long as its path is. */
export function fileAnchor(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
}

/** Where a file of a library is shown: `files#file-0a1b2c3d4e5f`, a name below `/-/`. */
export function fileListPath({ groupAt }: Library, path: string): string {
  const number = Math.floor((groupAt.get(path) ?? 0) / ITEMS_ON_PAGE) + 1
  return `${listName({ kind: 'all', number })}#${fileAnchor(path)}`
}
