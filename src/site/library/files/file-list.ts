import { createHash } from 'node:crypto'
import type { BrandFile } from '../../../brand/file.ts'
import { KINDS, type Kind, kindOf } from './file-kind.ts'

/** A page of the list of all files or of those of a kind; pages are counted from 1. */
export type FileList = { kind: Kind | 'all'; number: number }

/** How many files stand on a page. */
export const FILES_ON_PAGE = 500

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
  return list.kind === 'all' || Object.hasOwn(KINDS, list.kind)
}

/** The files of a kind, in the order of their paths. */
export function filesOf(files: ReadonlyMap<string, BrandFile>, kind: FileList['kind']): BrandFile[] {
  return Array.from(files.values()).filter(file => kind === 'all' || kindOf(file) === kind)
}

/** The files on a page of a list. */
export function filesOnPage(files: readonly BrandFile[], number: number): readonly BrandFile[] {
  return files.slice((number - 1) * FILES_ON_PAGE, number * FILES_ON_PAGE)
}

/** The id of a file on the pages that show it: the same for as long as its path is. */
export function fileAnchor(path: string): string {
  return `file-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
}

/**
 * Where a file is shown: `files#file-0a1b2c3d4e5f`, a name below `/-/`; `at` is its number among all files of a
 * project.
 */
export function fileListPath(path: string, at: number): string {
  return `${listName({ kind: 'all', number: Math.floor(at / FILES_ON_PAGE) + 1 })}#${fileAnchor(path)}`
}
