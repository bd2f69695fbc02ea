import { OperationalError } from '../base/error.ts'
import { type Reply, replyHeader } from '../exchange/message.ts'
import { type Address, addressKey, type GuidePaths, placeOf } from './copied-paths.ts'
import { relativeReference } from './references.ts'

/** What is asked about a guide to find what stands at its addresses. */
export type FinderSource = {
  /** The service's own address, without a slash at its end: addresses below it become references within the copy. */
  publicUrl: string
  paths: GuidePaths
  /** What the service answers to GET or HEAD; the path is that of the public URL and what stands below it. */
  answer: (address: Address, method?: 'HEAD') => Promise<Reply>
  /** Paths that lead to another. */
  moved: ReadonlyMap<string, string>
}

/** Finds the places in a copy of what stands at addresses. */
type Finder = {
  /** The place of an address, which is added if it was not met before; undefined if there is nothing at it. */
  find: (address: Address) => Promise<string | undefined>
  /** Tells the place of a path. */
  know: (path: string, place: string) => void
}

/** Opens a finder. `add` gives a place to an address that the service answers, like the one that is wanted. */
export function openFinder(
  { publicUrl, paths, answer, moved }: FinderSource,
  add: (address: Address, wanted: string) => string,
): Finder {
  const known = new Map<string, Promise<string | undefined>>()
  const find: Finder['find'] = address => {
    const key = addressKey(address)
    if (key === undefined) return NOWHERE
    const place = known.get(key) ?? findNew(key)
    known.set(key, place)
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
  return { find, know: (path, place) => void known.set(path, Promise.resolve(place)) }
}

const NOWHERE = Promise.resolve(undefined)

/** Something that is copied, and its place. */
export type Item = Address & { place: string }

/** Makes what stands in a copy for a reference of one of its files; undefined for a dead one. */
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

/** The service does not answer what a copy needs. */
export function copyError(path: string, status: number): OperationalError {
  return new OperationalError('export_impossible', `${path} cannot be copied: the service answers it with ${status}`)
}
