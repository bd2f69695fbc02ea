import { LRUCache } from 'lru-cache'
import { memoryOf } from './memory.ts'

/**
 * Values by key, bounded in bytes: the least recently used go first. A single value above the bound is kept until another
 * comes, since making it anew for each request would take as much memory.
 */
export type Cache<Value extends object> = {
  get: (key: string) => Value | undefined
  /** Keeps a value of so many bytes without its key, for `keptMs` milliseconds or as long as there is room. */
  set: (key: string, value: Value, bytes: number, keptMs?: number) => void
  /** Counts more bytes for a value that has grown, if it is still kept under the key. */
  grow: (key: string, value: Value, bytes: number) => void
  /** Makes a value and keeps it: once, however many ask meanwhile. Neither a failure nor `undefined` is kept. */
  make: (key: string, work: () => Promise<Sized<Value> | undefined>) => Promise<Value | undefined>
  /** Drops the entries whose keys are gone; what is being made under such a key is not kept. */
  drop: (isGone: (key: string) => boolean) => void
  usage: () => { bytes: number; entries: number }
}

/** A value, its size in bytes, and for how many milliseconds it is good, if not for ever. */
type Sized<Value> = { value: Value; bytes: number; keptMs?: number }

/** Opens a cache of so many bytes. */
export function openCache<Value extends object>(mostBytes: number): Cache<Value> {
  // We evict by ourselves, below: the library keeps nothing that is larger than its bound.
  const kept = new LRUCache<string, Sized<Value>>({ maxSize: Number.MAX_SAFE_INTEGER, noUpdateTTL: true })
  const making = new Map<string, Promise<Value | undefined>>()
  const set = (key: string, value: Value, bytes: number, keptMs = 0) => {
    // In a new object each time: the library ignores a new size of the same object.
    kept.set(key, { value, bytes }, { size: ENTRY_BYTES + memoryOf(key) + bytes, ttl: keptMs })
    while (kept.calculatedSize > mostBytes && kept.size > 1) kept.pop()
  }
  return {
    get: key => kept.get(key)?.value,
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
    usage: () => ({ bytes: kept.calculatedSize, entries: kept.size }),
  }
}

/** Bytes of an entry besides its key and its value. */
const ENTRY_BYTES = 120
