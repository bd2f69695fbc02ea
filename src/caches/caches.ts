import { type Cache, openCache } from './cache.ts'

/**
 * The caches of a process and their bounds in bytes. If a cache `isContent`, its keys name what an entry was made from
 * (`keyWithin`).
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
  /** Opens a cache; each is opened once. */
  open: <Value extends object>(name: CacheName) => Cache<Value>
  /** The current size of each. */
  usage: () => { cache: CacheName; bytes: number; entries: number }[]
  /** Drops what was made from content of a workspace, except what was made from one of these. */
  keepContent: (workspace: string, madeOf: ReadonlySet<string>) => void
}

/** Opens the caches of a process; bounds that are given replace those of the table. */
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

/** The key of something made from content; the name of the content begins with the workspace and `/` or `@`. */
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
