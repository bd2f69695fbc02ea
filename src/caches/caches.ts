import { type Cache, type Evictable, openCache } from './cache.ts'

/**
 * The caches of a process. `kept` is how much of the bound of all caches is for one of them alone, in 64ths: so much of it
 * is not evicted for others, however much they are asked for. What is left is for whatever is used. The keys of a cache
 * that `isContent` name the content that an entry was made from (`contentEntryKey`).
 */
export const CACHES = {
  pointers: { kept: 2, isContent: false },
  content: { kept: 2, isContent: true },
  archives: { kept: 0.5, isContent: true },
  exports: { kept: 0, isContent: true },
  addresses: { kept: 1, isContent: true },
  replies: { kept: 4, isContent: true },
  pages: { kept: 2, isContent: true },
  files: { kept: 1, isContent: false },
  verdicts: { kept: 1, isContent: false },
  thumbnails: { kept: 0, isContent: false },
  search: { kept: 0, isContent: true },
  'font-facts': { kept: 0.5, isContent: false },
  tokens: { kept: 2, isContent: false },
  shares: { kept: 0.5, isContent: false },
  'failed-indexes': { kept: 0.5, isContent: false },
  'failed-addresses': { kept: 1, isContent: false },
  'failed-clients': { kept: 1, isContent: false },
} as const

const PARTS = 64

export type CacheName = keyof typeof CACHES

export type Caches = {
  /** Opens a cache. Each may be opened once. */
  open: <Value extends object>(name: CacheName) => Cache<Value>
  /** The size in bytes of the largest entry that a cache keeps: nothing that is kept for others makes room for it. */
  largest: (name: CacheName) => number
  /** The current size of each, and how often it had what it was asked for. */
  usage: () => (ReturnType<Cache<object>['usage']> & { cache: CacheName })[]
  /** What all of them take, and may take, in bytes. */
  total: () => { bytes: number; maxBytes: number }
  /** Removes the entries made from content of a workspace, except those made from one of these. */
  keepContent: (workspace: string, madeOf: ReadonlySet<string>) => void
}

/** Opens the caches of a process, which take at most so many bytes together. What was used longest ago goes first. */
export function openCaches(maxBytes: number = BYTES_OF_A_COMMAND): Caches {
  const opened = new Map<CacheName, Pick<Cache<object>, 'usage' | 'drop'> & Evictable>()
  let uses = 0
  const keptFor = (name: CacheName) => (maxBytes * CACHES[name].kept) / PARTS
  const largest = (name: CacheName) => maxBytes - NAMES.reduce((sum, each) => sum + keptFor(each), 0) + keptFor(name)
  const bytes = () => opened.values().reduce((sum, cache) => sum + cache.bytes(), 0)
  const evictOne = () => {
    let [longestAgo, usedAt]: [Evictable | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const [name, cache] of opened) {
      const oldest = cache.bytes() > keptFor(name) ? cache.oldest() : undefined
      if (oldest !== undefined && oldest < usedAt) [longestAgo, usedAt] = [cache, oldest]
    }
    longestAgo?.evict()
  }
  const makeRoom = () => {
    while (bytes() > maxBytes) evictOne()
  }
  return {
    open: <Value extends object>(name: CacheName) => {
      if (opened.has(name)) throw new Error(`the cache ${name} is open already`)
      const cache = openCache<Value>({ now: () => ++uses, largest: largest(name), changed: makeRoom })
      opened.set(name, cache)
      return cache
    },
    largest,
    usage: () => Array.from(opened, ([cache, { usage }]) => ({ cache, ...usage() })),
    total: () => ({ bytes: bytes(), maxBytes }),
    keepContent: (workspace, madeOf) => {
      const isGone = (key: string) => isOfWorkspace(key, workspace) && !madeOf.has(madeOfIn(key))
      for (const [name, { drop }] of opened) if (CACHES[name].isContent) drop(isGone)
    },
  }
}

const NAMES = Object.keys(CACHES).filter((name): name is CacheName => Object.hasOwn(CACHES, name))

/** A command that reads one guide to its end needs all of it, and only as long as it takes. */
const BYTES_OF_A_COMMAND = 1 << 30

/** The key of an entry made from content. The name of content begins with its workspace and `/` or `@`. */
export function contentEntryKey(madeOf: string, what: string): string {
  return `${madeOf}\n${what}`
}

function madeOfIn(key: string): string {
  const end = key.indexOf('\n')
  return end === -1 ? key : key.slice(0, end)
}

function isOfWorkspace(key: string, workspace: string): boolean {
  const next = key[workspace.length]
  return (next === '/' || next === '@') && key.startsWith(workspace)
}
