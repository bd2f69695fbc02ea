import type { PageId } from '../../brand/ids.ts'
import type { Target } from '../../brand/page.ts'

/** Everything in a project that a link can lead to. Names are compared as they are, then in NFC. */
export type SiteMap = {
  pagesBySource: ReadonlyMap<string, PageId>
  pagesById: ReadonlyMap<string, PageId>
  files: ReadonlyMap<string, string>
}

/**
 * Makes the map of a project from the source paths of its pages (`pages/logo/misuse.md`) and the paths of its files.
 */
export function siteMap(pages: readonly { source: string; id: PageId }[], files: readonly string[]): SiteMap {
  return {
    pagesBySource: new Map(pages.map(({ source, id }) => [source.normalize('NFC'), id])),
    pagesById: new Map(pages.map(({ id }) => [id, id])),
    files: byName(files),
  }
}

/** Paths by themselves and by their NFC. If two paths have the same NFC, each is still found by itself. */
export function byName(paths: readonly string[]): Map<string, string> {
  return new Map([
    ...paths.map(path => [path.normalize('NFC'), path] as const),
    ...paths.map(path => [path, path] as const),
  ])
}

/**
 * Follows a decoded path from the page with the source path `from`: `../files/logo.svg`, `misuse.md`, or `/logo`,
 * which starts at `pages/`. A file is found by its exact path, and goes before a page. A page is found by its source
 * path, with or without `.md` or `/index.md`, then by its id. Undefined if the path leads nowhere, or out of the
 * project.
 */
export function linkTarget(path: string, from: string, map: SiteMap): Target | undefined {
  const folder = path.startsWith('/') ? 'pages' : from.slice(0, Math.max(0, from.lastIndexOf('/')))
  const written = resolve(folder, path)
  if (written === undefined) return undefined
  const resolved = written.normalize('NFC')
  const isFolder = /(?:^|\/)\.{0,2}$/.test(path)
  const file = isFolder ? undefined : (map.files.get(written) ?? map.files.get(resolved))
  if (file !== undefined) return { file }
  const page = isFolder ? pageAt(resolved, map) : (map.pagesBySource.get(resolved) ?? pageAt(stem(resolved), map))
  return page === undefined ? undefined : { page }
}

/** Resolves a path from a folder; undefined if `..` leads out of the project. */
function resolve(folder: string, path: string): string | undefined {
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
