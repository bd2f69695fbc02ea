import { decodeSegments } from '../exchange/target.ts'

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

/**
 * A normalized path of the service, including the path of the public URL, equal for all its spellings; undefined if the
 * path is invalid. The pages of a copy do not depend on queries.
 */
export function normalPath(path: string): string | undefined {
  const segments = decodeSegments(path.length > 1 ? path.replace(/\/$/, '') : path)
  if (!segments) return undefined
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/** The path in the copy for a normal path of a guide; undefined if it is not one of the guide. */
export function placeOf(paths: GuidePaths, path: string): string | undefined {
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
  return segments && viewPlace(segments.join('/'))
}

/** The path of a view: its own folder with `index.html`, or a file if it has an extension. */
function viewPlace(name: string): string {
  if (/\.[^./]+$/.test(name)) return name
  return name === '' ? 'index.html' : `${name}/index.html`
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
