import { LRUCache } from 'lru-cache'
import { memoryOf } from './memory.ts'

/** Values by key, with their sizes in bytes. All caches of a process share a bound (`openCaches`). */
export type Cache<Value extends object> = {
  get: (key: string) => Value | undefined
  /** The same without counting it, and without making the entry a recently used one. */
  peek: (key: string) => Value | undefined
  /**
   * Stores a value, unless it is too large to be kept; `bytes` is its size without the key. It expires after `keptMs`
   * milliseconds, if that is given.
   */
  set: (key: string, value: Value, bytes: number, keptMs?: number) => void
  /** Adds bytes to the size of a value that has grown, if it is still in the cache. */
  grow: (key: string, value: Value, bytes: number) => void
  /** Makes and stores a value, once for all callers that wait for it. Neither a failure nor `undefined` is stored. */
  make: (key: string, work: () => Promise<Sized<Value> | undefined>) => Promise<Value | undefined>
  /** Removes the entries with these keys. A value that is being made under such a key will not be stored. */
  drop: (isGone: (key: string) => boolean) => void
  /** What it takes now, and how often it was asked for an entry that it had, or had not. */
  usage: () => { bytes: number; entries: number; hits: number; misses: number }
}

/** A cache as those see it that make room. */
export type Evictable = {
  bytes: () => number
  /** When its least recently used entry was used (`SharedBudget.now`); undefined if it is empty. */
  oldest: () => number | undefined
  evict: () => void
}

/** What a cache shares with others. */
export type SharedBudget = {
  /** Counts the uses of entries of all caches. */
  now: () => number
  /** The size of the largest entry that is kept. */
  largest: number
  /** Called when entries have been added, or have grown. */
  changed: () => void
}

/** A value, its size in bytes, and after how many milliseconds it expires, if ever. */
type Sized<Value> = { value: Value; bytes: number; keptMs?: number }

/** When it was last used, by `SharedBudget.now`. */
type Entry<Value> = { value: Value; bytes: number; usedAt: number }

export function openCache<Value extends object>({ now, largest, changed }: SharedBudget): Cache<Value> & Evictable {
  // The library knows no bound that several share, so that `evict` is called instead.
  const kept = new LRUCache<string, Entry<Value>>({ maxSize: Number.MAX_SAFE_INTEGER, noUpdateTTL: true })
  const asked = { hits: 0, misses: 0 }
  const set: Cache<Value>['set'] = (key, value, bytes, keptMs = 0) => {
    const size = ENTRY_BYTES + memoryOf(key) + bytes
    if (size > largest) return void kept.delete(key)
    // A new object each time, because the library ignores a new size of the same object.
    kept.set(key, { value, bytes, usedAt: now() }, { size, ttl: keptMs })
    changed()
  }
  const making = openMaking<Value>((key, { value, bytes, keptMs }) => set(key, value, bytes, keptMs))
  return {
    get: key => {
      const entry = kept.get(key)
      if (!entry) {
        asked.misses++
        return undefined
      }
      asked.hits++
      entry.usedAt = now()
      return entry.value
    },
    peek: key => kept.peek(key)?.value,
    set,
    grow: (key, value, more) => {
      const known = kept.peek(key)
      if (known?.value === value) set(key, value, known.bytes + more)
    },
    make: making.make,
    drop: isGone => {
      for (const key of [...kept.keys()].filter(isGone)) kept.delete(key)
      making.drop(isGone)
    },
    usage: () => ({ bytes: kept.calculatedSize, entries: kept.size, ...asked }),
    bytes: () => kept.calculatedSize,
    oldest: () => {
      const [entry] = kept.rvalues()
      const allHaveExpired = !entry && kept.size > 0
      return allHaveExpired ? 0 : entry?.usedAt
    },
    evict: () => void kept.pop(),
  }
}

/** Makes values, each once for all callers that wait for it, and hands it on. */
function openMaking<Value>(store: (key: string, made: Sized<Value>) => void) {
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
        .finally(() => making.get(key) === started && making.delete(key))
      making.set(key, started)
      return started
    },
    /** What is being made under such keys is not handed on. */
    drop: (isGone: (key: string) => boolean): void => {
      for (const key of making.keys()) if (isGone(key)) making.delete(key)
    },
  }
}

/** The bytes of an entry apart from its key and value. */
const ENTRY_BYTES = 160
