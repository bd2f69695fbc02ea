import { OperationalError } from '#platform/base/error.ts'
import { withoutLastSlash } from '#platform/base/text.ts'
import { type Reply, replyHeader } from '#platform/exchange/message.ts'
import { decodeSegments } from '#platform/exchange/target.ts'
import { relativeReference } from './references.ts'

/** The service and the guide that a finder queries. */
export type FinderSource = {
  /** The service's own address, without a final slash: addresses below it become references within the copy. */
  publicUrl: string
  paths: GuidePaths
  /** The service's reply to GET or HEAD; the path includes the path of the public URL. */
  answer: (path: string, method?: 'HEAD') => Promise<Reply>
  /** Redirects from old paths to new ones. */
  moved: ReadonlyMap<string, string>
}

/** Finds the places of addresses: a *place* is the path of a file in the copy, a *path* that of an address of the service. */
type Finder = {
  /** The place of a path, which is added if it is new; undefined if the path is dead: the copy has nothing for it. */
  find: (path: string) => Promise<string | undefined>
  /** The place of a path; undefined if it is not in the copy yet. */
  placed: (path: string) => Promise<string | undefined>
  setPlace: (path: string, place: string) => void
}

/** Opens a finder. `add` assigns a place, similar to the wanted one, to a path that the service answers. */
export function openFinder(
  { publicUrl, paths, answer, moved }: FinderSource,
  add: (path: string, wanted: string) => string,
): Finder {
  const places = new Map<string, Promise<string | undefined>>()
  const find: Finder['find'] = address => {
    const path = normalPath(address)
    if (path === undefined) return NOWHERE
    const place = places.get(path) ?? findNew(path)
    places.set(path, place)
    return place
  }
  const findNew = async (path: string): Promise<string | undefined> => {
    const wantedPlace = pathPlace(paths, path)
    const movedTo = moved.get(path)
    if (movedTo !== undefined) return find(movedTo)
    if (wantedPlace === undefined) return undefined
    const { status, headers } = await answer(path, 'HEAD')
    if (status === 200) return add(path, wantedPlace)
    const target = REDIRECTS.has(status) ? URL.parse(replyHeader(headers, 'location') ?? '', publicUrl) : null
    if (target) return find(target.pathname)
    if (status !== 404) throw copyError(path, status)
    return undefined
  }
  const placed = (address: string) => {
    const path = normalPath(address) ?? ''
    return places.get(moved.get(path) ?? path) ?? NOWHERE
  }
  return { find, placed, setPlace: (path, place) => void places.set(path, Promise.resolve(place)) }
}

const NOWHERE = Promise.resolve(undefined)
/** Statuses of another address: for good, or now, as of a picture whose thumbnail cannot be made. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308])

/** A file of the copy: its path in the service, and its place. */
export type Item = { path: string; place: string }

/** Returns a function that rewrites a reference in a file of the copy; undefined for a dead one. */
export function referenceTo({ publicUrl }: FinderSource, find: Finder['find']) {
  const { origin } = new URL(publicUrl)
  return async (text: string, from: Item): Promise<string | undefined> => {
    const url = text.startsWith('#') ? null : URL.parse(text, new URL(from.path, publicUrl).href)
    if (!url || !/^https?:$/.test(url.protocol)) return text
    // From a folder, an address without a scheme would be a path.
    if (url.origin !== origin) return text.startsWith('//') ? `https:${text}` : text
    const place = await find(url.pathname)
    if (place === undefined) return undefined
    return place === from.place && url.hash !== '' ? url.hash : relativeReference(from.place, place) + url.hash
  }
}

/** The error if the service does not answer an address that the copy needs. */
export function copyError(path: string, status: number): OperationalError {
  return new OperationalError('export_impossible', `${path} cannot be copied: the service answers it with ${status}`)
}

/** Maps the addresses of a guide to paths in its project and back. */
export type GuidePaths = {
  /** The path of the public URL, without a final slash. */
  base: string
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
  const segments = decodeSegments(path.length > 1 ? withoutLastSlash(path) : path)
  if (!segments) return undefined
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/**
 * The path in the copy for a normal path of a guide: `-/colors/index.html` for `/acme/guide/-/colors`, and
 * `-/media/files/logo.svg` for `/acme/guide/-/files/{key}/logo.svg`. Undefined if it is not one of the guide.
 */
export function pathPlace(paths: GuidePaths, path: string): string | undefined {
  const asset = below(`${paths.base}/assets`, path)
  if (asset) return `-/assets/${asset.at(-1)}`
  if (path === `${paths.home}.md`) return 'index.md'
  const segments = below(paths.home, path)
  // `/-/files/{one}/{two}` and `/-/thumbnails/{one}/{two}/{three}`: key and name, or key, width and name.
  const [dash, kind, one = '', two = '', three = ''] = segments ?? []
  if (dash === '-' && kind === 'files' && segments?.length === 4) return withFolder('-/media', paths.filePath(one, two))
  if (dash === '-' && kind === 'thumbnails' && segments?.length === 5) {
    const file = withFolder(`-/thumbnails/${two}`, paths.filePath(one, three))
    // A moving GIF or AVIF has its first frame in its own format.
    return file && (/\.(?:gif|avif)$/i.test(file) ? file : `${file}.webp`)
  }
  if (dash === '-' && (kind === 'file' || kind === 'folder')) return `${segments?.join('/')}/index.html`
  return segments && viewPlace(segments.join('/'))
}

/** The path of a view: its own folder with `index.html`, or a file if it has an extension. */
function viewPlace(name: string): string {
  if (/\.[^./]+$/.test(name)) return name
  return name === '' ? 'index.html' : `${name}/index.html`
}

/** A path in a folder; undefined without a path. */
function withFolder(folder: string, path: string | undefined): string | undefined {
  return path && `${folder}/${path}`
}

/** The decoded segments of a path below another; undefined if it is not below that. */
function below(start: string, path: string): string[] | undefined {
  if (path === start) return []
  return path.startsWith(`${start}/`)
    ? path
        .slice(start.length + 1)
        .split('/')
        .map(decodeURIComponent)
    : undefined
}
