import { type BrandFile, folderOf, isExpired, type Medium } from '#brand/file.ts'
import { openFormatFolders } from '#brand/format-folders.ts'
import type { StyleId } from '#brand/ids.ts'
import {
  type FormatGroup,
  formatGroups,
  inLibraryOrder,
  isInLibrary,
  mayIllustrate,
  pathWithoutFormat,
} from '#brand/library.ts'
import type { Page } from '#brand/page.ts'
import { perObject } from '#platform/base/object.ts'
import { compareStrings } from '#platform/base/text.ts'
import type { Publication } from './publications.ts'

/** The files that the website of a project offers. The API and file links cover all files. */
export type Library = {
  /** By path. */
  files: ReadonlyMap<string, BrandFile>
  /** The same files in the order of lists, grouped: each group has all formats of one item. */
  groups: readonly FormatGroup[]
  /** The group of each file, keyed by the path of the file. */
  groupWith: ReadonlyMap<string, FormatGroup>
  /** The folder that lists show for an item, without the folders of its formats. */
  folderOf: (group: FormatGroup) => string
  /** The folder that lists show for a path: the one above a folder that is only named for how sites are built. */
  shownFolder: (path: string) => string
  /** The media, backgrounds and, if `hasMinWidths`, widths by which its files can be filtered. */
  media: ReadonlySet<Medium>
  grounds: ReadonlySet<StyleId>
  hasMinWidths: boolean
  /** All files of the project that have a last day, by that day. */
  limited: readonly BrandFile[]
}

/** The file at a path as in files.yaml: below `files/` or `pages/`, or in the project. */
export function fileAt({ files }: Pick<Library, 'files'>, path: string): BrandFile | undefined {
  return files.get(`files/${path}`) ?? files.get(`pages/${path}`) ?? files.get(path)
}

/** The published file at a path as in files.yaml, or the one that had this path earlier; undefined without one. */
export async function currentFile(content: Publication['content'], path: string): Promise<BrandFile | undefined> {
  const files = await content.files()
  return fileAt({ files }, path) ?? fileAt({ files: filesByEarlierPath(files, content) }, path.normalize('NFC'))
}

/** The files of a publication keyed by each earlier path, collected once. A translation's own file wins over an inherited one. */
const filesByEarlierPath = perObject((files: ReadonlyMap<string, BrandFile>, { grow }: Publication['content']) => {
  const byPath = new Map<string, BrandFile>()
  for (const file of files.values())
    for (const path of file.earlier ?? []) if (!file.isInherited || !byPath.has(path)) byPath.set(path, file)
  grow(byPath.size * EARLIER_BYTES)
  return byPath
})

/** Memory per earlier path, without its text, which the file holds. */
const EARLIER_BYTES = 60

/** The library of some content; computed once, and kept as long as the content. */
export const libraryOf = perObject(makeLibrary)

/**
 * The number of files, as every page and card gives it: items in all their formats, without those whose rights have
 * ended. The API and agents list each format.
 */
export function countFiles(groups: readonly FormatGroup[], today: string): number {
  return groups.filter(group => group.some(file => !isExpired(file, today))).length
}

/** The files of the library, or all files of some content, whose rights have not ended. No archive has the others. */
export async function usableFiles(
  content: Publication['content'],
  of: 'library' | 'all' = 'all',
): Promise<ReadonlyMap<string, BrandFile>> {
  const files = of === 'all' ? await content.files() : (await libraryOf(content)).files
  const today = content.today()
  if (!files.values().some(file => isExpired(file, today))) return files
  return new Map(files.entries().filter(([, file]) => !isExpired(file, today)))
}

/** The latest past day on which rights to a file ended. Archives change on the day after it. */
export async function lastExpiry(content: Publication['content']): Promise<string | undefined> {
  const today = content.today()
  return (await libraryOf(content)).limited.findLast(file => isExpired(file, today))?.until
}

/**
 * Whether the library of some content has a file. Most content has a file that is in it whether or not pages show it, so
 * that the pages need not be read.
 */
export async function hasLibrary(content: Publication['content']): Promise<boolean> {
  const files = (await content.files()).values()
  return files.some(file => file.library ?? !mayIllustrate(file)) || (await libraryOf(content)).files.size > 0
}

async function makeLibrary({ pages, files, appearance, grow }: Publication['content']): Promise<Library> {
  const allFiles = await files()
  const shownNames = allFiles.values().some(mayIllustrate) ? shownOnPages((await pages()).values()) : NONE
  const libraryFiles = new Map(allFiles.entries().filter(([, file]) => isInLibrary(file, shownNames)))
  const { theme, folders } = await appearance()
  const themeLogos = new Set([theme?.logo, theme?.logoDark].filter(path => path !== undefined))
  // The path of a file without the folder of its format: `files/mark.svg` for `files/SVG/mark.svg`.
  const pathOfItem = openFormatFolders(libraryFiles.keys(), folders)
  const titled = new Set(folders?.filter(({ title }) => title !== undefined).map(({ path }) => path))
  const shownFolder = (path: string): string =>
    UNTELLING.test(path) && !titled.has(path) ? shownFolder(folderOf(path)) : path
  const folderOfItem = ([first]: FormatGroup) => shownFolder(folderOf(pathOfItem(first.path)))
  const groups = inLibraryOrder(formatGroups(libraryFiles, pathOfItem), themeLogos, folders, folderOfItem)
  const groupWith = new Map(groups.flatMap(group => group.map(({ path }) => [path, group] as const)))
  grow(libraryFiles.size * ENTRY_BYTES)
  return {
    files: libraryFiles,
    groups,
    groupWith,
    folderOf: folderOfItem,
    shownFolder,
    ...filtersFor(libraryFiles.values()),
    limited: byLastDay(allFiles.values()),
  }
}

/** The end of a path whose folder is named for how a site is built, not for what is in it. */
const UNTELLING = /\/(?:assets|build|dist|img|public|src|static|[^/]+\/images)$/i

/** The files that have a last day, by that day. */
function byLastDay(files: IteratorObject<BrandFile>): BrandFile[] {
  const limited = files.filter(({ until }) => until !== undefined).toArray()
  return limited.sort((one, other) => compareStrings(one.until ?? '', other.until ?? ''))
}

/** The values by which some files can be filtered. */
function filtersFor(files: Iterable<BrandFile>): Pick<Library, 'media' | 'grounds' | 'hasMinWidths'> {
  const media = new Set<Medium>()
  const grounds = new Set<StyleId>()
  let hasMinWidths = false
  for (const { medium = [], ground, minWidth } of files) {
    for (const each of medium) media.add(each)
    if (ground !== undefined) grounds.add(ground)
    if (minWidth !== undefined) hasMinWidths = true
  }
  return { media, grounds, hasMinWidths }
}

const NONE: ReadonlySet<string> = new Set()

/** The memory of the entries for a file, in bytes. */
const ENTRY_BYTES = 200

/** The names of files that pages show or link to, as `pathWithoutFormat` gives them. */
export function shownOnPages(pages: Iterable<Page>): ReadonlySet<string> {
  const shown = new Set<string>()
  for (const { links, cover } of pages) {
    if (cover?.file !== undefined) shown.add(pathWithoutFormat(cover.file))
    for (const { to } of links) if (to.file !== undefined) shown.add(pathWithoutFormat(to.file))
  }
  return shown
}
