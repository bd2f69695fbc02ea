import { decodeSegments } from '../exchange/target.ts'

/** An address of the service: its path, including the path of the public URL, and its query. */
export type Address = { path: string; query: string }

/** Maps the addresses of a guide to paths in its project and back. */
export type GuidePaths = {
  /** The path of the public URL, without a final slash. */
  base: string
  /** The path of the guide. */
  home: string
  /** The path in the project of a file served under a key and a name; undefined if there is none. */
  filePath: (key: string, name: string) => string | undefined
  /** The address of a file, from its path in the project. */
  fileAddress: (path: string) => string | undefined
}

/** A normalized key for an address, equal for all its spellings; undefined if the path is invalid. */
export function addressKey({ path, query }: Address): string | undefined {
  const segments = decodeSegments(path.length > 1 ? path.replace(/\/$/, '') : path)
  if (!segments) return undefined
  const page = new URLSearchParams(query).get('page')
  return `/${segments.map(encodeURIComponent).join('/')}${page === null || page === '1' ? '' : `?page=${page}`}`
}

/** The path in the copy for an address of a guide; undefined if it is not an address of the guide. */
export function placeOf(paths: GuidePaths, key: string): string | undefined {
  const [path = '', query = ''] = key.split('?')
  const page = new URLSearchParams(query).get('page') ?? ''
  const asset = below(`${paths.base}/assets`, path)
  if (asset) return `-/assets/${asset.at(-1)}`
  if (path === `${paths.home}.md`) return 'index.md'
  const segments = below(paths.home, path)
  const [dash, kind, one = '', two = '', three = ''] = segments ?? []
  if (dash === '-' && kind === 'files' && segments?.length === 4) return withFolder('-/media', paths.filePath(one, two))
  if (dash === '-' && kind === 'thumbnails' && segments?.length === 5) {
    const file = withFolder(`-/thumbnails/${two}`, paths.filePath(one, three))
    return file && `${file}.webp`
  }
  return segments && viewPlace(segments.join('/'), page)
}

/** The path of a view: its own folder with `index.html`, or a file if it has an extension. */
function viewPlace(name: string, page: string): string {
  const [, stem = name, extension = ''] = /^(.*)(\.[^./]+)$/s.exec(name) ?? []
  if (extension !== '') return page === '' ? name : `${stem}-page-${page}${extension}`
  return [...(name === '' ? [] : [name]), ...(page === '' ? [] : [`page-${page}`]), 'index.html'].join('/')
}

function withFolder(folder: string, path: string | undefined): string | undefined {
  return path && `${folder}/${path}`
}

function below(start: string, path: string): string[] | undefined {
  if (path === start) return []
  return path.startsWith(`${start}/`)
    ? path
        .slice(start.length + 1)
        .split('/')
        .map(decodeURIComponent)
    : undefined
}
