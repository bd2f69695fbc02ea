import { type Cache, type Evictable, openCache } from './cache.ts'

/**
 * The caches of a process. `kept` is the part of the shared limit that is reserved for one cache, in 64ths: other
 * caches never evict it, even under load. The rest is shared (decisions/0395). The keys of a cache with `isContent`
 * name the content that an entry was created from (`contentEntryKey`).
 */
export const CACHES = {
  pointers: { kept: 2, isContent: false },
  drafts: { kept: 0.5, isContent: false },
  content: { kept: 2, isContent: true },
  archives: { kept: 0.5, isContent: true },
  exports: { kept: 0, isContent: true },
  addresses: { kept: 1, isContent: true },
  replies: { kept: 4, isContent: true },
  pages: { kept: 2, isContent: true },
  files: { kept: 1, isContent: false },
  verdicts: { kept: 1, isContent: false },
  thumbnails: { kept: 0, isContent: false },
  pngs: { kept: 0, isContent: false },
  'light-pngs': { kept: 0, isContent: false },
  search: { kept: 0, isContent: true },
  'agent-pages': { kept: 0, isContent: true },
  'font-facts': { kept: 0.5, isContent: false },
  'font-subsets': { kept: 0.5, isContent: false },
  tokens: { kept: 2, isContent: false },
  shares: { kept: 0.5, isContent: false },
  sessions: { kept: 0.5, isContent: false },
  assertions: { kept: 0.5, isContent: false },
  'failed-indexes': { kept: 0.5, isContent: false },
  'failed-addresses': { kept: 1, isContent: false },
  'failed-clients': { kept: 1, isContent: false },
  authorizations: { kept: 0.5, isContent: false },
  'client-fetches': { kept: 0.5, isContent: false },
} as const

const PARTS = 64

export type CacheName = keyof typeof CACHES

export type Caches = {
  /** Opens a cache. Each may be opened once. */
  open: <Value extends object>(name: CacheName) => Cache<Value>
  /** The size in bytes of the largest entry of a cache, without the memory that is reserved for other caches. */
  largest: (name: CacheName) => number
  /** The current size of each cache, and its numbers of hits and misses. */
  usage: () => (ReturnType<Cache<object>['usage']> & { cache: CacheName })[]
  total: () => { bytes: number; maxBytes: number }
  /** Removes the entries created from content of a workspace, except content with one of these names. */
  keepContent: (workspace: string, served: ReadonlySet<string>) => void
  /** Removes all entries. Values that are being created will not be stored. */
  clear: () => void
}

/** Opens the caches of a process, which share a limit. The least recently used entries are evicted first. */
export function openCaches(maxBytes: number = MAX_BYTES_OF_COMMAND): Caches {
  const opened = new Map<CacheName, Pick<Cache<object>, 'usage' | 'drop'> & Evictable>()
  /** The number of lookups, which serves as a clock. */
  let uses = 0
  const now = () => {
    uses++
    return uses
  }
  const keptFor = (name: CacheName) => (maxBytes * CACHES[name].kept) / PARTS
  const largest = (name: CacheName) => maxBytes - NAMES.reduce((sum, each) => sum + keptFor(each), 0) + keptFor(name)
  const bytes = () => opened.values().reduce((sum, cache) => sum + cache.bytes(), 0)
  /** Evicts the least recently used entry of the caches that have more than their reserved memory. */
  const evictOne = () => {
    let oldestCache: Evictable | undefined
    let oldestUse = Number.POSITIVE_INFINITY
    for (const [name, cache] of opened) {
      const usedAt = cache.bytes() > keptFor(name) ? cache.oldest() : undefined
      if (usedAt !== undefined && usedAt < oldestUse) {
        oldestCache = cache
        oldestUse = usedAt
      }
    }
    oldestCache?.evict()
  }
  const makeRoom = () => {
    while (bytes() > maxBytes) evictOne()
  }
  return {
    open: <Value extends object>(name: CacheName) => {
      if (opened.has(name)) throw new Error(`the cache ${name} is open already`)
      const cache = openCache<Value>({ now, largest: largest(name), changed: makeRoom })
      opened.set(name, cache)
      return cache
    },
    largest,
    usage: () => Array.from(opened, ([cache, { usage }]) => ({ cache, ...usage() })),
    total: () => ({ bytes: bytes(), maxBytes }),
    keepContent: (workspace, served) => {
      const isGone = (key: string) => isOfWorkspace(key, workspace) && !served.has(contentNameIn(key))
      for (const [name, { drop }] of opened) if (CACHES[name].isContent) drop(isGone)
    },
    clear: () => {
      for (const { drop } of opened.values()) drop(() => true)
    },
  }
}

const NAMES = Object.keys(CACHES).filter((name): name is CacheName => Object.hasOwn(CACHES, name))

/** A command may need a whole guide in memory, but it ends soon. */
const MAX_BYTES_OF_COMMAND = 1 << 30

/** The key of a cache entry made from content, whose name begins with its workspace and `/` or `@`. */
export function contentEntryKey(content: string, name: string): string {
  return `${content}\n${name}`
}

function contentNameIn(key: string): string {
  const end = key.indexOf('\n')
  return end === -1 ? key : key.slice(0, end)
}

function isOfWorkspace(key: string, workspace: string): boolean {
  const next = key[workspace.length]
  return (next === '/' || next === '@') && key.startsWith(workspace)
}
