import { OperationalError } from '../base/error.ts'
import { type Reply, replyHeader } from '../exchange/message.ts'
import { type Address, addressKey, type GuidePaths, placeOf } from './copied-paths.ts'
import { relativeReference } from './references.ts'

/** The service and the guide that a finder queries. */
export type FinderSource = {
  /** The service's own address, without a final slash: addresses below it become references within the copy. */
  publicUrl: string
  paths: GuidePaths
  /** The service's reply to GET or HEAD; the path includes the path of the public URL. */
  answer: (address: Address, method?: 'HEAD') => Promise<Reply>
  /** Redirects from old paths to new ones. */
  moved: ReadonlyMap<string, string>
}

/** Finds the place in the copy for an address. */
type Finder = {
  /** The place of an address, which is added if it is new; undefined if the address is dead. */
  find: (address: Address) => Promise<string | undefined>
  /** Sets the place of a path. */
  setPlace: (path: string, place: string) => void
}

/** Opens a finder. `add` assigns a place, similar to the wanted one, to an address that the service answers. */
export function openFinder(
  { publicUrl, paths, answer, moved }: FinderSource,
  add: (address: Address, wanted: string) => string,
): Finder {
  const places = new Map<string, Promise<string | undefined>>()
  const find: Finder['find'] = address => {
    const key = addressKey(address)
    if (key === undefined) return NOWHERE
    const place = places.get(key) ?? findNew(key)
    places.set(key, place)
    return place
  }
  const findNew = async (key: string): Promise<string | undefined> => {
    const wanted = placeOf(paths, key)
    const [path = '', query = ''] = key.split('?')
    const other = moved.get(path)
    if (other !== undefined) return find({ path: other, query })
    if (wanted === undefined) return undefined
    const { status, headers } = await answer({ path, query }, 'HEAD')
    if (status === 200) return add({ path, query }, wanted)
    const target = status === 308 ? URL.parse(replyHeader(headers, 'location') ?? '', publicUrl) : null
    if (target) return find({ path: target.pathname, query: target.search.slice(1) })
    if (status !== 404) throw copyError(path, status)
    return undefined
  }
  return { find, setPlace: (path, place) => void places.set(path, Promise.resolve(place)) }
}

const NOWHERE = Promise.resolve(undefined)

/** An address to copy, and its place. */
export type Item = Address & { place: string }

/** Returns a function that rewrites a reference in a file of the copy; undefined for a dead one. */
export function referenceTo({ publicUrl }: FinderSource, find: Finder['find']) {
  const { origin } = new URL(publicUrl)
  return async (text: string, from: Omit<Item, 'query'>): Promise<string | undefined> => {
    const url = text.startsWith('#') ? null : URL.parse(text, new URL(from.path, publicUrl).href)
    if (!url || !/^https?:$/.test(url.protocol)) return text
    // From a folder, an address without a scheme would be a path.
    if (url.origin !== origin) return text.startsWith('//') ? `https:${text}` : text
    const place = await find({ path: url.pathname, query: url.search.slice(1) })
    if (place === undefined) return undefined
    return place === from.place && url.hash !== '' ? url.hash : relativeReference(from.place, place) + url.hash
  }
}

/** The error if the service does not answer an address that the copy needs. */
export function copyError(path: string, status: number): OperationalError {
  return new OperationalError('export_impossible', `${path} cannot be copied: the service answers it with ${status}`)
}
