import type { PageId, StyleId } from '../../brand/ids.ts'
import type { Target } from '../../brand/page.ts'

/** Everything in a project that a link can lead to. Names are compared as they are, then in NFC. */
export type SiteMap = {
  pagesBySource: ReadonlyMap<string, PageId>
  /** By their ids, and by those that they had before. */
  pagesById: ReadonlyMap<string, PageId>
  files: ReadonlyMap<string, string>
  /** `files`, and the folders in it that have files. */
  folders: ReadonlyMap<string, string>
  /** The lists of styles that are not empty, by their paths. */
  styles: ReadonlyMap<string, StyleMap>
  /** The files, and the sources of pages, by their paths in lower case. */
  inAnyCase: () => ReadonlyMap<string, string>
  /** The names of the files, and of the sources of pages, by their folders with a slash at the end. */
  namesIn: () => ReadonlyMap<string, readonly string[]>
}

/** A list of styles: what the fragment of a link to it may name. */
export type StyleMap = { list: 'colors' | 'types'; ids: ReadonlyMap<string, StyleId>; groups: ReadonlySet<string> }

/**
 * Makes the map of a project from the source paths of its pages (`pages/logo/misuse.md`), the paths of its files, its
 * lists of styles, and the pages that had other ids before, by these.
 */
export function siteMap(
  pages: readonly { source: string; id: PageId }[],
  files: readonly string[],
  styles: ReadonlyMap<string, StyleMap> = new Map(),
  aliases: ReadonlyMap<string, PageId> = new Map(),
): SiteMap {
  let inAnyCase: Map<string, string> | undefined
  let namesIn: Map<string, string[]> | undefined
  return {
    namesIn: () => {
      const paths = namesIn ? [] : [...pages.map(({ source }) => source), ...files]
      namesIn ??= new Map(
        Array.from(
          Map.groupBy(paths, path => path.slice(0, path.lastIndexOf('/') + 1)),
          ([folder, inside]) => [folder, inside.map(path => path.slice(folder.length))],
        ),
      )
      return namesIn
    },
    inAnyCase: () => {
      inAnyCase ??= new Map([...pages.map(({ source }) => source), ...files].map(path => [inLowerCase(path), path]))
      return inAnyCase
    },
    pagesBySource: new Map(pages.map(({ source, id }) => [source.normalize('NFC'), id])),
    pagesById: new Map([...aliases, ...pages.map(({ id }) => [id, id] as const)]),
    files: indexPaths(files),
    folders: indexPaths([...foldersOf(files)]),
    styles,
  }
}

/** `files` and every folder in it that has a file, or a folder with one. */
function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of files) {
    if (!path.startsWith('files/')) continue
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

/** Paths by themselves and by their NFC. If two paths have the same NFC, each is still found by itself. */
export function indexPaths(paths: readonly string[]): Map<string, string> {
  return new Map([
    ...paths.map(path => [path.normalize('NFC'), path] as const),
    ...paths.map(path => [path, path] as const),
  ])
}

/**
 * Follows a decoded path from the page with the source path `from`: `../files/logo.svg`, `misuse.md`, or `/logo`,
 * which starts at `pages/`. A file is found by its exact path, and goes before a page. A page is found by its source
 * path, with or without `.md` or `/index.md`, then by its id. A list of styles, or what the fragment names in it, and a
 * folder are found where neither stands. Undefined if the path leads nowhere, or out of the project.
 */
export function linkTarget(path: string, from: string, map: SiteMap, fragment = ''): Target | undefined {
  const folder = path.startsWith('/') ? 'pages' : from.slice(0, Math.max(0, from.lastIndexOf('/')))
  const written = resolvePath(folder, path)
  if (written === undefined) return undefined
  const resolved = written.normalize('NFC')
  const isFolder = /(?:^|\/)\.{0,2}$/.test(path)
  const file = isFolder ? undefined : (map.files.get(written) ?? map.files.get(resolved))
  if (file !== undefined) return { file }
  const page = isFolder ? pageAt(resolved, map) : (map.pagesBySource.get(resolved) ?? pageAt(stem(resolved), map))
  if (page !== undefined) return { page }
  const styles = isFolder ? undefined : map.styles.get(resolved)
  if (styles) return styleTarget(styles, fragment.normalize('NFC'))
  const files = map.folders.get(written) ?? map.folders.get(resolved)
  return files === undefined ? undefined : { folder: files }
}

/** How a path that leads nowhere would be written if only its upper and lower case are wrong, as where it worked on a Mac. */
export function correctCase(path: string, from: string, map: SiteMap): string | undefined {
  const [, up, rest] = PLAIN_PATH.exec(path) ?? []
  const written = up === undefined ? undefined : resolvePath(from.slice(0, Math.max(0, from.lastIndexOf('/'))), path)
  const found = written === undefined ? undefined : map.inAnyCase().get(inLowerCase(written))
  if (found === undefined || rest === undefined) return undefined
  const meant = `${up}${found.split('/').slice(-rest.split('/').length).join('/')}`
  return linkTarget(meant, from, map) && meant
}

function inLowerCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** The list as a whole if it has nothing of the name. */
function styleTarget({ list, ids, groups }: StyleMap, name: string): Target {
  const id = ids.get(name)
  if (id !== undefined) return { list, id }
  return groups.has(name) ? { list, group: name } : { list }
}

/** Resolves a path from a folder, which is empty for that of the project; undefined if `..` leads out of the project. */
export function resolvePath(folder: string, path: string): string | undefined {
  const [, up, rest] = PLAIN_PATH.exec(path) ?? []
  if (up !== undefined) {
    let base = folder
    for (let at = 0; at < up.length; at += '../'.length) {
      if (base === '') return undefined
      base = base.slice(0, Math.max(0, base.lastIndexOf('/')))
    }
    return base === '' ? rest : `${base}/${rest}`
  }
  const segments: string[] = []
  for (const segment of `${folder}/${path}`.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment)
  }
  return segments.join('/')
}

/** Any number of `../`, then names. Nearly all paths have this form, and a project may have a million of them. */
const PLAIN_PATH = /^((?:\.\.\/)*)((?:[^./][^/]*\/)*[^./][^/]*)$/

function stem(path: string): string {
  return path.replace(/(?:\/index)?\.md$/, '')
}

function pageAt(path: string, map: SiteMap): PageId | undefined {
  const source = map.pagesBySource.get(`${path}.md`) ?? map.pagesBySource.get(`${path}/index.md`)
  if (source !== undefined) return source
  if (path === 'pages') return map.pagesById.get('index')
  return path.startsWith('pages/') ? map.pagesById.get(path.slice('pages/'.length)) : undefined
}
