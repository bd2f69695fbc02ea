import { type Cache, openCache } from './cache.ts'

/**
 * The caches of a process, with their limits in bytes. The keys of a cache that `isContent` name the content that an entry
 * was made from (`keyWithin`).
 */
export const CACHES = {
  pointers: { maxBytes: 64 << 20, isContent: false },
  content: { maxBytes: 64 << 20, isContent: true },
  archives: { maxBytes: 1 << 20, isContent: true },
  exports: { maxBytes: 32 << 20, isContent: true },
  addresses: { maxBytes: 16 << 20, isContent: true },
  replies: { maxBytes: 64 << 20, isContent: true },
  pages: { maxBytes: 64 << 20, isContent: true },
  thumbnails: { maxBytes: 64 << 20, isContent: false },
  search: { maxBytes: 256 << 20, isContent: true },
  'font-facts': { maxBytes: 16 << 20, isContent: false },
  tokens: { maxBytes: 32 << 20, isContent: false },
  shares: { maxBytes: 4 << 20, isContent: false },
  'failed-indexes': { maxBytes: 1 << 20, isContent: false },
  'failed-addresses': { maxBytes: 4 << 20, isContent: false },
  'failed-clients': { maxBytes: 4 << 20, isContent: false },
} as const

export type CacheName = keyof typeof CACHES

export type Caches = {
  /** Opens a cache. Each may be opened once. */
  open: <Value extends object>(name: CacheName) => Cache<Value>
  /** The current size of each, and how often it had what it was asked for. */
  usage: () => (ReturnType<Cache<object>['usage']> & { cache: CacheName })[]
  /** Removes the entries made from content of a workspace, except those made from one of these. */
  keepContent: (workspace: string, madeOf: ReadonlySet<string>) => void
}

/** Opens the caches of a process. Limits that are given replace those of the table. */
export function openCaches(maxBytes: Partial<Record<CacheName, number>> = {}): Caches {
  const opened = new Map<CacheName, Pick<Cache<object>, 'usage' | 'drop'>>()
  return {
    open: <Value extends object>(name: CacheName) => {
      if (opened.has(name)) throw new Error(`the cache ${name} is open already`)
      const cache = openCache<Value>(maxBytes[name] ?? CACHES[name].maxBytes)
      opened.set(name, cache)
      return cache
    },
    usage: () => Array.from(opened, ([cache, { usage }]) => ({ cache, ...usage() })),
    keepContent: (workspace, madeOf) => {
      const isGone = (key: string) => isOfWorkspace(key, workspace) && !madeOf.has(madeOfIn(key))
      for (const [name, { drop }] of opened) if (CACHES[name].isContent) drop(isGone)
    },
  }
}

/** The key of an entry made from content. The name of content begins with its workspace and `/` or `@`. */
export function keyWithin(madeOf: string, what: string): string {
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
