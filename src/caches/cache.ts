import { LRUCache } from 'lru-cache'
import { memoryOf } from './memory.ts'

/**
 * A cache with a limit in bytes. It evicts the least recently used entries first. A single value above the limit is kept
 * until another comes, because making it again for each request would take as much memory.
 */
export type Cache<Value extends object> = {
  get: (key: string) => Value | undefined
  /** The same without counting it, and without making the entry a recently used one. */
  peek: (key: string) => Value | undefined
  /** Stores a value; `bytes` is its size without the key. It expires after `keptMs` milliseconds, if that is given. */
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

/** A value, its size in bytes, and after how many milliseconds it expires, if ever. */
type Sized<Value> = { value: Value; bytes: number; keptMs?: number }

export function openCache<Value extends object>(maxBytes: number): Cache<Value> {
  // `set` below evicts, because the library refuses a value that is larger than its limit.
  const kept = new LRUCache<string, Sized<Value>>({ maxSize: Number.MAX_SAFE_INTEGER, noUpdateTTL: true })
  const making = new Map<string, Promise<Value | undefined>>()
  const asked = { hits: 0, misses: 0 }
  const set = (key: string, value: Value, bytes: number, keptMs = 0) => {
    // A new object each time, because the library ignores a new size of the same object.
    kept.set(key, { value, bytes }, { size: ENTRY_BYTES + memoryOf(key) + bytes, ttl: keptMs })
    while (kept.calculatedSize > maxBytes && kept.size > 1) kept.pop()
  }
  return {
    get: key => {
      const value = kept.get(key)?.value
      if (value === undefined) asked.misses++
      else asked.hits++
      return value
    },
    peek: key => kept.peek(key)?.value,
    set,
    grow: (key, value, more) => {
      const known = kept.peek(key)
      if (known?.value === value) set(key, value, known.bytes + more)
    },
    make: (key, work) => {
      const underWay = making.get(key)
      if (underWay) return underWay
      const started: Promise<Value | undefined> = work()
        .then(made => {
          if (made && making.get(key) === started) set(key, made.value, made.bytes, made.keptMs)
          return made?.value
        })
        .finally(() => making.get(key) === started && making.delete(key))
      making.set(key, started)
      return started
    },
    drop: isGone => {
      for (const key of [...kept.keys(), ...making.keys()].filter(isGone)) {
        kept.delete(key)
        making.delete(key)
      }
    },
    usage: () => ({ bytes: kept.calculatedSize, entries: kept.size, ...asked }),
  }
}

/** The bytes of an entry apart from its key and value. */
const ENTRY_BYTES = 120
