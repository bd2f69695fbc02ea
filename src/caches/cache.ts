import { LRUCache } from 'lru-cache'
import { memoryOf } from './memory.ts'

/**
 * Values by key that take no more than so many bytes together: what was used longest ago goes first. One that alone takes
 * more is kept until another comes, since to make it anew for each request would take no less memory.
 */
export type Cache<Value extends object> = {
  get: (key: string) => Value | undefined
  /** Keeps a value that takes so many bytes beside its key, for so many milliseconds or as long as there is room. */
  set: (key: string, value: Value, bytes: number, keptMs?: number) => void
  /** Counts so many bytes more for a value that has grown, if it is still kept under the key. */
  grow: (key: string, value: Value, bytes: number) => void
  /** Makes a value and keeps it: once, however many ask meanwhile. Neither a failure nor nothing is kept. */
  make: (key: string, work: () => Promise<Sized<Value> | undefined>) => Promise<Value | undefined>
  /** Drops what is gone, by its key; what is being made under such a key is not kept. */
  drop: (isGone: (key: string) => boolean) => void
  usage: () => { bytes: number; entries: number }
}

/** A value, the bytes that it takes, and how long it is good for if it is not for ever, in milliseconds. */
type Sized<Value> = { value: Value; bytes: number; keptMs?: number }

/** Opens a cache that takes so many bytes. */
export function openCache<Value extends object>(mostBytes: number): Cache<Value> {
  // What goes is said below: by itself it keeps nothing that is larger than its bound.
  const kept = new LRUCache<string, Sized<Value>>({ maxSize: Number.MAX_SAFE_INTEGER, noUpdateTTL: true })
  const making = new Map<string, Promise<Value | undefined>>()
  const set = (key: string, value: Value, bytes: number, keptMs = 0) => {
    // In a new object each time: of one that it has already, it ignores the new size.
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

/** What an entry takes beside its key and its value. */
const ENTRY_BYTES = 120
