import { decodeSegments } from '../exchange/target.ts'

/** Something that the service serves: its path, with the path of the public URL, and its query. */
export type Address = { path: string; query: string }

/** What the addresses of a guide are made of. */
export type GuidePaths = {
  /** The path of the public URL, without a slash at its end. */
  base: string
  /** The path of the guide. */
  home: string
  /** The path in the project of a file that is served under a key and a name; undefined if there is none. */
  filePath: (key: string, name: string) => string | undefined
  /** The address of a file of the project, by its path there. */
  fileAddress: (path: string) => string | undefined
}

/** What tells an address of a guide from others, whichever way it is written; undefined if a copy has nothing of it. */
export function addressKey({ path, query }: Address): string | undefined {
  const segments = decodeSegments(path.length > 1 ? path.replace(/\/$/, '') : path)
  if (!segments) return undefined
  const page = new URLSearchParams(query).get('page')
  return `/${segments.map(encodeURIComponent).join('/')}${page === null || page === '1' ? '' : `?page=${page}`}`
}

/** Where an address of a guide stands in a copy of it; undefined if it is none of the guide. */
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

/** A view: a page in a folder of its own, or a file that has an extension. */
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
