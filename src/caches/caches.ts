import { type Cache, openCache } from './cache.ts'

/**
 * What a process keeps in memory and could make anew, and the most bytes that it takes. The keys of what `isContent` name
 * what it was made of (`keyWithin`).
 */
export const CACHES = {
  content: { mostBytes: 64 << 20, isContent: true },
  addresses: { mostBytes: 16 << 20, isContent: true },
  replies: { mostBytes: 64 << 20, isContent: true },
  pages: { mostBytes: 64 << 20, isContent: true },
  search: { mostBytes: 256 << 20, isContent: true },
  tokens: { mostBytes: 32 << 20, isContent: false },
  'failed-indexes': { mostBytes: 1 << 20, isContent: false },
  'failed-addresses': { mostBytes: 4 << 20, isContent: false },
  'failed-clients': { mostBytes: 4 << 20, isContent: false },
} as const

/** The caches of a process by name. */
export type CacheName = keyof typeof CACHES

/** The caches of a process. */
export type Caches = {
  /** Opens a cache, which nobody has opened yet. */
  open: <Value extends object>(name: CacheName) => Cache<Value>
  /** What each holds now. */
  usage: () => { cache: CacheName; bytes: number; entries: number }[]
  /** Drops what was made of content of a workspace, but what was made of one of these. */
  keepContent: (workspace: string, madeOf: ReadonlySet<string>) => void
}

/** Opens the caches of a process, with other bounds where they are given. */
export function openCaches(mostBytes: Partial<Record<CacheName, number>> = {}): Caches {
  const opened = new Map<CacheName, Pick<Cache<object>, 'usage' | 'drop'>>()
  return {
    open: <Value extends object>(name: CacheName) => {
      if (opened.has(name)) throw new Error(`the cache ${name} is open already`)
      const cache = openCache<Value>(mostBytes[name] ?? CACHES[name].mostBytes)
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

/** The key of something that is made of content; what it is made of begins with the workspace, and `/` or `@`. */
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
