import { folderOf } from '#brand/file.ts'
import type { PageId, StyleId } from '#brand/ids.ts'
import type { Target } from '#brand/page.ts'
import { lazy } from '#platform/base/object.ts'
import { groupsOf, wordSet } from '#platform/base/text.ts'

/** All possible link targets in a project. Names are compared exactly, then in NFC. */
export type SiteMap = {
  pagesBySource: ReadonlyMap<string, PageId>
  /** Pages by current and former id. */
  pagesById: ReadonlyMap<string, PageId>
  files: PathFinder
  /** `files`, and its subfolders that contain files. */
  folders: PathFinder
  /** The non-empty style lists, keyed by path. */
  styles: ReadonlyMap<string, StyleMap>
  /** Whether project.yaml has a list of words. */
  hasWords: boolean
  /** The files and page sources, keyed by lower-case path. */
  inAnyCase: () => ReadonlyMap<string, string>
  /** The names of files and page sources, keyed by folder with a trailing slash. */
  namesIn: () => ReadonlyMap<string, readonly string[]>
  /** The paths of files, page sources, folders and style lists, keyed by lower-case name; pages also without `.md`. */
  byName: () => ReadonlyMap<string, readonly string[]>
}

/** A style list: the possible fragments of a link to it. */
export type StyleMap = { list: 'colors' | 'types'; ids: ReadonlyMap<string, StyleId>; groups: ReadonlySet<string> }

/** Builds the map from the pages with their source paths, the file paths, and the pages by former id. */
export function siteMap(
  pages: readonly { source: string; id: PageId }[],
  files: readonly string[],
  styles: ReadonlyMap<string, StyleMap> = new Map(),
  aliases: ReadonlyMap<string, PageId> = new Map(),
  hasWords = false,
): SiteMap {
  const sources = pages.map(({ source }) => source)
  const paths = [...sources, ...files]
  return {
    inAnyCase: lazy(() => new Map(paths.map(path => [inLowerCase(path), path]))),
    namesIn: lazy(() => {
      const folders = Map.groupBy(paths, path => path.slice(0, path.lastIndexOf('/') + 1))
      return new Map(Array.from(folders, ([folder, inside]) => [folder, inside.map(path => path.slice(folder.length))]))
    }),
    byName: lazy(() => {
      const all = new Set([...sources, ...sources.map(stem), ...files, ...foldersOf(files), ...styles.keys()])
      return Map.groupBy(all, path => inLowerCase(path.slice(path.lastIndexOf('/') + 1)))
    }),
    pagesBySource: new Map(pages.map(({ source, id }) => [source.normalize('NFC'), id])),
    pagesById: new Map([...aliases, ...pages.map(({ id }) => [id, id] as const)]),
    files: pathFinder(files),
    folders: pathFinder([...foldersOf(files)]),
    styles,
    hasWords,
  }
}

/** `files` and every folder below it that directly or indirectly contains a file. */
export function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of files.filter(path => path.startsWith('files/'))) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder)
  }
  return folders
}

type PathFinder = (path: string) => string | undefined

/** Finds paths by their exact form, then in NFC. Two paths with the same NFC are both found by their exact form. */
export function pathFinder(paths: readonly string[]): PathFinder {
  const composed = new Map(paths.map(path => [path.normalize('NFC'), path]))
  const exact = new Set(paths)
  return path => (exact.has(path) ? path : composed.get(path.normalize('NFC')))
}

/**
 * Resolves a decoded path from the page with the source path `from`: `../files/logo.svg`, `misuse.md`, or `/logo`,
 * which starts at `pages/`. A file with the exact path comes first. Next comes a page, by its source path with or
 * without `.md` or `/index.md`, then by id. Last comes a style list, with the style in its fragment, the list of words
 * in project.yaml, or a folder. Undefined if the path is broken or outside the project.
 */
export function linkTarget(path: string, from: string, map: SiteMap, fragment = ''): Target | undefined {
  const exact = resolvePath(baseOf(path, from), path)
  if (exact === undefined) return undefined
  const resolved = exact.normalize('NFC')
  const folder = map.folders(exact)
  const below = folder === undefined ? undefined : { folder }
  if (/(?<![^/])\.{0,2}$/.test(path)) {
    // It ends with `/`, `.` or `..`.
    const index = pageAt(resolved, map)
    return index === undefined ? below : { page: index }
  }
  const file = map.files(exact)
  if (file !== undefined) return { file }
  const page = map.pagesBySource.get(resolved) ?? pageAt(stem(resolved), map)
  if (page !== undefined) return { page }
  const styles = map.styles.get(resolved)
  if (styles) return styleTarget(styles, fragment.normalize('NFC'))
  return map.hasWords && resolved === PROJECT_FILE && fragment === WORDS ? { words: true } : below
}

/** The folder in which a path of a page starts; of a path with a leading slash, `pages`. */
export function baseOf(path: string, from: string): string {
  return path.startsWith('/') ? 'pages' : folderOf(from)
}

/** The path and the fragment of a link to the list of words. */
export const [PROJECT_FILE, WORDS] = ['project.yaml', 'words'] as const

/**
 * Corrects a broken path whose only mistake is upper and lower case, for example one that worked on a Mac: `../Logo.md`
 * becomes `../logo.md`.
 */
export function correctCase(path: string, from: string, map: SiteMap): string | undefined {
  const [, up = '', rest = ''] = groupsOf(PLAIN_PATH, path)
  const match = map.inAnyCase().get(inLowerCase(resolvePath(folderOf(from), path) ?? ''))
  if (match === undefined || rest === '') return undefined
  // The same `../`, and as many names from the end of the right path.
  const meant = `${up}${match.split('/').slice(-rest.split('/').length).join('/')}`
  return linkTarget(meant, from, map) && meant
}

/**
 * The path from a page to a target with the name in a broken path. Prefers the target with more of the folders in that
 * path, then the nearest: for `old/logo/misuse.md`, `logo/misuse.md` before `misuse.md`.
 */
export function sameName(path: string, from: string, map: SiteMap): string | undefined {
  const segments = inLowerCase(path).split('/').filter(isName)
  const fromEnd = segments.toReversed()
  /** The number of segments at the end that are the same. */
  const inCommon = (match: string): number => {
    const matchFromEnd = inLowerCase(match).split('/').reverse()
    const differs = fromEnd.findIndex((segment, at) => segment !== matchFromEnd[at])
    return differs < 0 ? segments.length : differs
  }
  const name = segments.at(-1) ?? ''
  const matches = (map.byName().get(name) ?? []).slice(0, MAX_COMPARED)
  const lengthTo = (path: string) => relativePath(from, path).split('/').length
  const [best] = matches.toSorted((a, b) => inCommon(b) - inCommon(a) || lengthTo(a) - lengthTo(b))
  // Many folders have an index, so its folder must be the same too.
  if (best === undefined || (INDEXES.has(name) && segments.length > 1 && inCommon(best) < 2)) return undefined
  const meant = `${relativePath(from, best)}${path.endsWith('/') ? '/' : ''}`
  return linkTarget(meant, from, map) && meant
}

const MAX_COMPARED = 100
const INDEXES = wordSet('index index.md readme readme.md')

/** The path from a file to another one, or to a folder. */
export function relativePath(from: string, to: string): string {
  const fromSegments = from.split('/').slice(0, -1)
  const toSegments = to.split('/')
  const differs = toSegments.findIndex((segment, at) => segment !== fromSegments[at])
  return [...fromSegments.slice(differs).map(() => '..'), ...toSegments.slice(differs)].join('/')
}

function inLowerCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** The style or colour group with this name; the whole list if it has neither. */
function styleTarget({ list, ids, groups }: StyleMap, name: string): Target {
  const id = ids.get(name)
  if (id !== undefined) return { list, id }
  return groups.has(name) ? { list, group: name } : { list }
}

/** Resolves a path from a folder (empty for the project folder). Undefined if `..` leaves the project. */
export function resolvePath(folder: string, path: string): string | undefined {
  const [, up, rest] = groupsOf(PLAIN_PATH, path)
  if (up !== undefined) {
    let base = folder
    for (let at = 0; at < up.length; at += '../'.length) {
      if (base === '') return undefined
      base = folderOf(base)
    }
    return base === '' ? rest : `${base}/${rest}`
  }
  const segments: string[] = []
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined
    if (isName(segment)) segments.push(segment)
  }
  return segments.join('/')
}

/** Whether a segment of a path is a name: no file has one that is empty or dots. */
export function isName(segment: string): boolean {
  return !NO_NAMES.has(segment)
}

const NO_NAMES: ReadonlySet<string> = new Set(['', '.', '..'])

/** Any number of `../`, then names. A fast path for nearly all links; a project may have a million. */
const PLAIN_PATH = /^((?:\.\.\/)*)((?:[^./][^/]*\/)*[^./][^/]*)$/

/** The path of a page without `.md`, and that of an index without its name: `pages/logo` for `pages/logo/index.md`. */
function stem(path: string): string {
  return path.replace(/(?:\/(?:index|readme))?\.md$/i, '')
}

/** The page at a path without `.md`, such as `pages/logo`: by its source path, else by its id. */
function pageAt(path: string, map: SiteMap): PageId | undefined {
  const names = [`${path}.md`, `${path}/index.md`, `${path}/README.md`]
  const source = names.map(name => map.pagesBySource.get(name)).find(page => page !== undefined)
  if (source !== undefined) return source
  if (path === 'pages') return map.pagesById.get('index')
  return path.startsWith('pages/') ? map.pagesById.get(path.slice('pages/'.length)) : undefined
}
