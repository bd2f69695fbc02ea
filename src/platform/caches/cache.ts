import { LRUCache } from 'lru-cache'
import { memoryOf } from './memory.ts'

/** Values by key, with their sizes in bytes. All caches of a process share one limit (`openCaches`). */
export type Cache<Value extends object> = {
  get: (key: string) => Value | undefined
  /** Gets a value without counting the lookup or marking the entry as recently used. */
  peek: (key: string) => Value | undefined
  /** All values, without counting lookups or marking entries as recently used. */
  values: () => Value[]
  /**
   * Stores a value, unless it is larger than the largest allowed entry; `bytes` is its size without the key. It expires
   * after `keptMs` milliseconds, if given.
   */
  set: (key: string, value: Value, bytes: number, keptMs?: number) => void
  /** Adds bytes to the size of a value that has grown, if it is still in the cache. */
  grow: (key: string, value: Value, bytes: number) => void
  /** Creates and stores a value, once for all concurrent callers. Neither a failure nor `undefined` is stored. */
  make: (key: string, work: () => Promise<Sized<Value> | undefined>) => Promise<Value | undefined>
  /** Removes the entries with these keys. A value that is being created under such a key will not be stored. */
  drop: (isGone: (key: string) => boolean) => void
  /** The current size, and the number of lookups that found an entry or not. */
  usage: () => { bytes: number; entries: number; hits: number; misses: number }
}

/** A cache, as seen by the code that frees memory. */
export type Evictable = {
  bytes: () => number
  /** When its least recently used entry was used (`SharedBudget.now`); undefined if it is empty. */
  oldest: () => number | undefined
  evict: () => void
}

/** The memory limit that several caches share. */
export type SharedBudget = {
  /** The number of lookups in all caches so far, which serves as a clock. */
  now: () => number
  /** The size of the largest entry that the cache stores. */
  largest: number
  /** Called after entries were added or have grown. */
  changed: () => void
}

/** A value, its size in bytes, and its lifetime in milliseconds, if it is limited. */
type Sized<Value> = { value: Value; bytes: number; keptMs?: number | undefined }

/** `usedAt` is when the entry was last used, by `SharedBudget.now`. */
type Entry<Value> = { value: Value; bytes: number; usedAt: number }

export function openCache<Value extends object>({ now, largest, changed }: SharedBudget): Cache<Value> & Evictable {
  // The library cannot share a limit between caches, so `evict` is called instead.
  const kept = new LRUCache<string, Entry<Value>>({ maxSize: Number.MAX_SAFE_INTEGER, noUpdateTTL: true })
  const lookups = { hits: 0, misses: 0 }
  const set: Cache<Value>['set'] = (key, value, bytes, keptMs = 0) => {
    const size = ENTRY_BYTES + memoryOf(key) + bytes
    if (size > largest) return void kept.delete(key)
    // A new object each time, because the library ignores a new size of the same object.
    kept.set(key, { value, bytes, usedAt: now() }, { size, ttl: keptMs })
    changed()
  }
  const creation = openCreation<Value>((key, { value, bytes, keptMs }) => set(key, value, bytes, keptMs))
  return {
    get: key => {
      const entry = kept.get(key)
      if (!entry) {
        lookups.misses++
        return undefined
      }
      lookups.hits++
      entry.usedAt = now()
      return entry.value
    },
    peek: key => kept.peek(key)?.value,
    values: () => Array.from(kept.values(), ({ value }) => value),
    set,
    grow: (key, value, more) => {
      const entry = kept.peek(key)
      if (entry?.value === value) set(key, value, entry.bytes + more)
    },
    make: creation.make,
    drop: isGone => {
      for (const key of [...kept.keys()].filter(isGone)) kept.delete(key)
      creation.drop(isGone)
    },
    usage: () => ({ bytes: kept.calculatedSize, entries: kept.size, ...lookups }),
    bytes: () => kept.calculatedSize,
    oldest: () => {
      // `rvalues` begins with the least recently used entry, and leaves out expired ones.
      const [entry] = kept.rvalues()
      const allHaveExpired = !entry && kept.size > 0
      return allHaveExpired ? 0 : entry?.usedAt
    },
    evict: () => void kept.pop(),
  }
}

/** Creates values once for concurrent callers. After `drop`, the result of a creation under way is not stored. */
function openCreation<Value>(store: (key: string, made: Sized<Value>) => void) {
  const making = new Map<string, Promise<Value | undefined>>()
  return {
    make: (key: string, work: () => Promise<Sized<Value> | undefined>): Promise<Value | undefined> => {
      const underWay = making.get(key)
      if (underWay) return underWay
      const started: Promise<Value | undefined> = work()
        .then(made => {
          if (made && making.get(key) === started) store(key, made)
          return made?.value
        })
        .finally(() => {
          if (making.get(key) === started) making.delete(key)
        })
      making.set(key, started)
      return started
    },
    drop: (isGone: (key: string) => boolean): void => {
      for (const key of making.keys()) if (isGone(key)) making.delete(key)
    },
  }
}

/** The memory of an entry apart from its key and value. */
const ENTRY_BYTES = 160
